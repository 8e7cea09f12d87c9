package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import java.time.Duration;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A newer version has stored what this one does not know. */
class UnknownHereTest {
    private static void set(MongoInVirtualTime mongo, String key, Bson update) {
        mongo.raw().getCollection("jobSpecification").updateOne(Filters.eq("jobSpecificationKey", key), update);
    }

    @Test
    @DisplayName(
            "X6 T6: a job in a zone that this node does not know is left to others, health says so, and it runs where it is known")
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
            assertThat(a.scheduler().health().reasons())
                    .as("it stands still for as long as no node can read it")
                    .singleElement()
                    .asString()
                    .startsWith("reading claimed jobs has failed");
            // as if a node with newer rules had it
            set(mongo, "mars", Updates.set("zoneId", "UTC"));
            world.pass(Duration.ofSeconds(35));
            assertThat(world.callsOf("mars")).hasSize(1);
            assertThat(World.outcomes(a, "mars")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        }
    }
}
