package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CrashPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A newer version has stored what this one does not know. */
class UnknownHereTest {
    private static void set(MongoInVirtualTime mongo, String key, Bson update) {
        mongo.raw().getCollection("jobSpecification").updateOne(Filters.eq("jobSpecificationKey", key), update);
    }

    @Test
    @DisplayName("X6 T6: a job in a zone that this node does not know is left to others, and runs where it is known")
    void zone() {
        try (MongoInVirtualTime mongo = new MongoInVirtualTime()) {
            World world = new World(0, mongo::store);
            Machine a = world.node("a");
            for (String key : new String[] {"mars", "earth"}) {
                a.scheduler()
                        .scheduleJob(
                                job(key).singleSchedule(START.plusSeconds(2)).build());
            }
            set(mongo, "mars", Updates.set("zoneId", "Mars/Base"));
            world.pass(Duration.ofSeconds(70));
            assertThat(world.callsOf("earth")).hasSize(1);
            assertThat(world.callsOf("mars")).isEmpty();
            assertThat(a.events().stream().filter(SchedulerEvent.ClaimReleased.class::isInstance))
                    .as("it is tried each half minute")
                    .hasSizeBetween(2, 4);
            assertThat(a.events()).noneMatch(SchedulerEvent.JobBlocked.class::isInstance);
            // as if a node with newer rules had it
            set(mongo, "mars", Updates.set("zoneId", "UTC"));
            world.pass(Duration.ofSeconds(35));
            assertThat(world.callsOf("mars")).hasSize(1);
            assertThat(World.outcomes(a, "mars")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        }
    }

    @ParameterizedTest
    @EnumSource(CrashPolicy.class)
    @DisplayName(
            "X6 P5: a job is not recovered by a node that cannot read one of its rows: it may say that the run has ended")
    void row(CrashPolicy policy) {
        try (MongoInVirtualTime mongo = new MongoInVirtualTime()) {
            World world = new World(0, mongo::store);
            Machine dead = world.node("dead");
            world.work = call -> new CompletableFuture<>();
            dead.scheduler()
                    .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                            .crashPolicy(policy)
                            .build());
            world.pass(Duration.ofSeconds(2));
            assertThat(world.calls).hasSize(1);
            dead.lanes().close();
            MongoCollection<Document> rows = mongo.raw().getCollection("jobExecutionStatus");
            Document newer = Objects.requireNonNull(rows.find().first());
            newer.append("_id", newer.get("_id") + "-newer").append("outcome", "FINE");
            rows.insertOne(newer);
            Machine b = world.node("b");
            world.pass(Duration.ofSeconds(80));
            assertThat(world.calls).hasSize(1);
            assertThat(rows.countDocuments()).as("no row of a recovery").isEqualTo(2);
            assertThat(b.events().stream().filter(SchedulerEvent.ClaimReleased.class::isInstance))
                    .as("it is tried each half minute")
                    .hasSizeBetween(1, 3);
            assertThat(b.events()).noneMatch(SchedulerEvent.JobBlocked.class::isInstance);
            rows.deleteOne(Filters.eq("_id", newer.get("_id")));
            world.pass(Duration.ofSeconds(35));
            assertThat(world.calls).hasSize(policy == CrashPolicy.FAIL ? 1 : 2);
            assertThat(World.outcomes(b, "j"))
                    .contains("SCHEDULED/ABANDONED")
                    .hasSizeGreaterThan(policy == CrashPolicy.FAIL ? 2 : 1);
        }
    }
}
