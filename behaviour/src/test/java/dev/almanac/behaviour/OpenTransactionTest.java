package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A user keeps a transaction open that has changed one of many due jobs, or cancelled a run. */
class OpenTransactionTest {
    @Test
    @DisplayName("X3: a document that an open transaction holds stalls no other claim, and is claimed when it is over")
    void openTransaction() {
        try (MongoInVirtualTime mongo = new MongoInVirtualTime();
                ClientSession session = mongo.session()) {
            World world = new World(0, mongo::store);
            Machine a = world.node("a");
            for (int i = 0; i < 20; i++) {
                a.scheduler()
                        .scheduleJob(job("j" + i)
                                .singleSchedule(START.plusMillis(5_300))
                                .build());
            }
            world.pass(Duration.ofSeconds(2));
            session.startTransaction();
            mongo.raw()
                    .getCollection("jobSpecification")
                    .updateOne(session, Filters.eq("jobSpecificationKey", "j7"), Updates.set("seen", true));
            world.pass(Duration.ofSeconds(6));
            assertThat(world.calls).hasSize(19).extracting(Call::job).doesNotContain("j7");
            session.abortTransaction();
            world.pass(Duration.ofSeconds(40));
            assertThat(world.callsOf("j7")).hasSize(1);
            assertThat(world.calls).hasSize(20);
        }
    }

    /** Somebody elsewhere cancels a run; the transaction is open for a second. */
    private static void interrupt(World world, MongoInVirtualTime mongo, boolean commit) {
        try (ClientSession session = mongo.session()) {
            session.startTransaction(TransactionOptions.builder()
                    .writeConcern(WriteConcern.MAJORITY)
                    .build());
            JobWriter jobs = world.client(builder -> builder).in(mongo.inSession(session));
            assertThat(jobs.cancelJob("j", CancelMode.INTERRUPT)).isEqualTo(CancelResult.ALREADY_RUNNING);
            world.pass(Duration.ofSeconds(1));
            if (commit) {
                session.commitTransaction();
                jobs.committed();
            } else {
                session.abortTransaction();
            }
        }
    }

    @Test
    @DisplayName(
            "L12 M4: an interrupt in a transaction reaches its run within a second of the commit; one that is aborted is not counted")
    void interruptInTransaction() {
        try (MongoInVirtualTime mongo = new MongoInVirtualTime()) {
            World world = new World(0, mongo::store);
            CompletableFuture<Void> stage = new CompletableFuture<>();
            world.work = call -> stage;
            Scheduler a = world.node("a").scheduler();
            a.scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
            world.pass(Duration.ofSeconds(2));
            interrupt(world, mongo, false);
            interrupt(world, mongo, true);
            assertThat(stage).as("not before the commit").isNotDone();
            world.pass(Duration.ofSeconds(1));
            assertThat(stage).isCancelled();
            assertThat(world.store.cluster().control().interrupts())
                    .as("that of the commit")
                    .isOne();
        }
    }
}
