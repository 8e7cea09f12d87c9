package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A user keeps a transaction open that has changed one of many due jobs. */
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
}
