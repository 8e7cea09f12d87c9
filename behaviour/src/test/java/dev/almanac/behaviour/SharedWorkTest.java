package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent.BatchClaimed;
import dev.almanac.runtime.SchedulerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several nodes on one store leave each other's jobs alone, and none waits for a node that does not claim. */
class SharedWorkTest extends OverStores {
    private static final int JOBS = 200;

    private final List<Machine> machines = new ArrayList<>();

    /** Jobs that are due one after the other, stored by a node that has left since, and run by the others. */
    private void trickle() {
        Machine client = world.node("client");
        client.scheduler()
                .scheduleJobs(IntStream.range(0, JOBS)
                        .mapToObj(i -> job("j" + i)
                                .singleSchedule(START.plusSeconds(40).plusMillis(50L * i))
                                .build())
                        .toList());
        client.scheduler().close();
        world.pass(Duration.ofSeconds(60));
        assertThat(world.calls)
                .hasSize(JOBS)
                .allSatisfy(call -> assertThat(late(call)).isBetween(Duration.ZERO, Duration.ofMillis(1_100)));
    }

    private static Duration late(Call call) {
        return Duration.between(call.fire(), call.started());
    }

    private Stream<BatchClaimed> claims() {
        return machines.stream()
                .flatMap(machine -> machine.events().stream())
                .filter(BatchClaimed.class::isInstance)
                .map(BatchClaimed.class::cast);
    }

    @Test
    @DisplayName("P1: of four nodes each claims the jobs of its partitions, and few that another has claimed")
    void fourNodes() {
        for (String name : List.of("a", "b", "c", "d")) {
            machines.add(world.node(name));
        }
        trickle();
        assertThat(world.calls.stream().map(Call::node).distinct()).hasSize(4);
        int asked = claims().mapToInt(BatchClaimed::asked).sum();
        int won = claims().mapToInt(BatchClaimed::claimed).sum();
        assertThat(won).isEqualTo(JOBS);
        assertThat(asked).isLessThanOrEqualTo(JOBS + JOBS / 20);
    }

    @Test
    @DisplayName("P1: jobs of the partitions of a node that claims other jobs only wait for it once, not each time")
    void nodeOfOthers() {
        machines.add(world.node("a"));
        world.node(
                "urgent only",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxPriority(0).build()));
        trickle();
        assertThat(world.calls.stream().map(Call::node)).containsOnly("a");
        assertThat(world.calls.subList(JOBS / 2, JOBS))
                .allSatisfy(call -> assertThat(late(call)).isLessThanOrEqualTo(Duration.ofMillis(101)));
    }
}
