package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.CancelResult;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several schedulers in one database: a prefix of their collections keeps them apart. */
class PrefixTest {
    private final MongoInVirtualTime mongo = new MongoInVirtualTime();

    @AfterEach
    void drop() {
        mongo.close();
    }

    @Test
    @DisplayName("6.1: schedulers with different prefixes share neither jobs nor nodes nor pauses nor calendars")
    void apart() {
        World world = new World(0, time -> mongo.store(time, "one_"));
        Machine one = world.node("one");
        Machine two = world.node("two", mongo.store(world.time, "two_"), Duration.ZERO, builder -> builder);
        for (Machine machine : new Machine[] {one, two}) {
            machine.scheduler()
                    .scheduleJob(
                            job("same").singleSchedule(START.plusSeconds(3)).build());
            machine.scheduler()
                    .scheduleJob(
                            job("dropped").singleSchedule(START.plusSeconds(3)).build());
        }
        assertThat(one.scheduler().cancelJob("dropped")).isEqualTo(CancelResult.CANCELED);
        one.scheduler().pause(PauseScope.everything(), new Pause("audit", "ops", null));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.calls).extracting(Call::node).containsExactly("two", "two");
        assertThat(two.scheduler().pauses()).isEmpty();
        one.scheduler().resume(PauseScope.everything());
        world.pass(Duration.ofSeconds(3));
        assertThat(world.callsOf("same")).extracting(Call::node).containsExactly("two", "one");
        assertThat(world.callsOf("dropped")).extracting(Call::node).containsExactly("two");
    }
}
