package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent.BatchClaimed;
import dev.almanac.event.SchedulerEvent.LeaseLost;
import dev.almanac.event.SchedulerEvent.RunRecorded;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is due again at once is run at its time: it does not wait until the node looks at the store again. */
class DueAgainTest extends LifecycleFixture {
    private List<Long> startsAfter(String key, Instant from) {
        return world.callsOf(key).stream()
                .map(call -> Duration.between(from, call.started()).toMillis())
                .toList();
    }

    @Test
    @DisplayName("R5: retries that are 50 ms apart come 50 ms apart")
    void shortRetries() {
        Machine a = world.node("a");
        world.work = call -> call.attempt() < 4 ? bad() : good();
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusMillis(2_300))
                        .retryPolicy(RetryPolicy.fixed(5, Duration.ofMillis(50)))
                        .build());
        pass(10_000);
        assertThat(startsAfter("j", START.plusMillis(2_300)))
                .hasSize(4)
                .allSatisfy(late -> assertThat(late % 50).isLessThan(5))
                .satisfies(all -> assertThat(all.get(3)).isLessThan(165));
    }

    @Test
    @DisplayName("R5: a retry after half a second comes then, whichever node prefers the job's partition")
    void retriesBetweenTwoNodes() {
        Machine a = world.node("a");
        world.node("b");
        world.work = call -> call.attempt() < 3 ? bad() : good();
        for (int i = 0; i < 8; i++) {
            a.scheduler()
                    .scheduleJob(job("j" + i)
                            .singleSchedule(START.plusMillis(2_300))
                            .retryPolicy(RetryPolicy.fixed(5, Duration.ofMillis(500)))
                            .build());
        }
        pass(10_000);
        for (int i = 0; i < 8; i++) {
            assertThat(startsAfter("j" + i, START.plusMillis(2_300)))
                    .as("j" + i)
                    .hasSize(3)
                    .last()
                    .satisfies(late -> assertThat(late).isBetween(1_000L, 1_020L));
        }
    }

    @Test
    @DisplayName("R4: fires that are caught up under RUN_ALL run back to back, in order")
    void catchingUp() {
        Machine first = world.node("first");
        first.scheduler()
                .scheduleJob(job("tick")
                        .schedulingSpecification("* * * * * ?")
                        .missedFirePolicy(MissedFirePolicy.runAll(100))
                        .build());
        pass(1_500);
        kill(first);
        pass(60_000);
        int before = world.callsOf("tick").size();
        world.node("second");
        Instant began = world.time.wall();
        pass(3_000);
        List<Call> caughtUp = world.callsOf("tick").subList(before, before + 60);
        assertThat(caughtUp).extracting(Call::fire).isSorted().doesNotHaveDuplicates();
        assertThat(caughtUp.get(59).started()).isBefore(began.plusSeconds(2));
    }

    @Test
    @DisplayName("runNow: a second one, right after the run of the first, is run at once, too")
    void runNowTwice() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 12 * * ?").build());
        pass(2_300);
        for (int i = 1; i <= 5; i++) {
            a.scheduler().runNow("j");
            pass(30);
            assertThat(world.callsOf("j")).as("after %d requests", i).hasSize(i);
        }
    }

    @Test
    @DisplayName("P1: what a node knows of a job is not undone by a look that began before and comes back later")
    void slowLook() {
        List<FaultyStore> network = new ArrayList<>();
        Machine a = slowNode(network);
        world.work = call -> call.attempt() < 4 ? bad() : good();
        for (int look = 1; look < 20; look++) {
            network.get(0).fail(StoreCall.DUE, look, Fault.slow(Duration.ZERO, Duration.ofMillis(700)));
        }
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusMillis(2_300))
                        .retryPolicy(RetryPolicy.fixed(5, Duration.ofMillis(333)))
                        .build());
        pass(10_000);
        assertThat(startsAfter("j", START.plusMillis(2_300)))
                .hasSize(4)
                .last()
                .satisfies(late -> assertThat(late).isLessThan(1_020));
    }

    @Test
    @DisplayName("R5: a retry that is claimed before the end of the attempt before was acknowledged is no lost lease")
    void slowAcknowledgement() {
        List<FaultyStore> network = new ArrayList<>();
        Machine a = slowNode(network);
        world.work = call -> call.attempt() < 2 ? bad() : good();
        network.get(0).fail(StoreCall.WRITE, 1, Fault.slow(Duration.ZERO, Duration.ofSeconds(3)));
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusMillis(2_300))
                        .retryPolicy(RetryPolicy.fixed(5, Duration.ofMillis(333)))
                        .build());
        pass(20_000);
        assertThat(startsAfter("j", START.plusMillis(2_300)))
                .hasSize(2)
                .last()
                .satisfies(late -> assertThat(late).isLessThan(2_000));
        assertThat(a.events()).noneMatch(LeaseLost.class::isInstance);
        assertThat(a.events().stream().filter(BatchClaimed.class::isInstance).map(BatchClaimed.class::cast))
                .allSatisfy(batch -> assertThat(batch.claimed()).isEqualTo(batch.asked()));
        assertThat(a.events().stream().filter(RunRecorded.class::isInstance)).hasSize(2);
    }

    private Machine slowNode(List<FaultyStore> network) {
        World.Machine[] machine = new World.Machine[1];
        FaultyStore store = new FaultyStore(
                world.store,
                world.lanes.node().open("network", 1),
                duration -> machine[0].lanes().takeTime(duration));
        network.add(store);
        machine[0] = world.node("a", store, Duration.ZERO, builder -> builder.settings(SchedulerSettings.defaults()));
        return machine[0];
    }
}
