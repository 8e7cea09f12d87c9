package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the simulation has found, each in the shortest story that shows it. What concerns stores is in their contract. */
class SimulationFindingsTest {
    private final World world = new World(0, InMemoryJobStore::new);

    private void schedule(World.Machine node, String cron) {
        node.scheduler()
                .scheduleJob(World.job("k").schedulingSpecification(cron).build());
    }

    @Test
    @DisplayName("P4, M7: the row of a run that outlasts its first lease records when the run ended")
    void longRun() {
        World.Machine node = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(45));
        Instant fire = World.START.plusSeconds(1);
        node.scheduler().scheduleJob(World.job("k").singleSchedule(fire).build());
        world.pass(Duration.ofSeconds(60));
        JobExecutionStatus newest = node.scheduler().history("k").get(0);
        assertThat(newest.outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(newest.updatedTime()).isEqualTo(fire.plusSeconds(45));
    }

    @Test
    @DisplayName("P4, M7: a row that is decided again is newer than the one that was written before")
    void decidedAgain() {
        World.Machine node = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(3));
        schedule(node, "0/15 * * * * ?");
        world.pass(Duration.ofMillis(17_500));
        schedule(node, "0/20 * * * * ?");
        world.pass(Duration.ofMillis(1_500));
        List<JobExecutionStatus> rows = node.scheduler().history("k");
        assertThat(rows).extracting(JobExecutionStatus::updatedTime).doesNotHaveDuplicates();
        assertThat(rows.get(0))
                .isEqualTo(world.store.find("k", FindScope.LIVE).orElseThrow().lastStatus())
                .extracting(JobExecutionStatus::nextFireTime)
                .isEqualTo(World.START.plusSeconds(20));
    }

    @Test
    @DisplayName("6.5: a clock that was measured over a long round trip is not believed, and measured again")
    void slowMeasurement() {
        FaultyStore slow = new FaultyStore(world.store, world.lanes.node().open("network", 1), world::pass)
                .fail(StoreCall.SERVER_TIME, 1, Fault.slow(Duration.ofSeconds(4), Duration.ZERO));
        World.Machine node = world.node("a", slow, Duration.ofMillis(-600), builder -> builder);
        Instant fire = World.START.plusSeconds(20);
        node.scheduler().scheduleJob(World.job("k").singleSchedule(fire).build());
        world.pass(Duration.ofSeconds(30));
        assertThat(world.calls).extracting(World.Call::started).containsExactly(fire);
        assertThat(slow.calls(StoreCall.SERVER_TIME)).isEqualTo(2);
    }

    @Test
    @DisplayName("B5: a node whose look takes long waits for it, and does not wake again and again")
    void slowLook() {
        ManualLanes.Node network = world.lanes.node();
        ManualLanes.Node own = world.lanes.node();
        FaultyStore slow = new FaultyStore(world.store, network.open("network", 1), own::takeTime);
        Duration minute = Duration.ofMinutes(1);
        for (int number = 1; number <= 3; number++) {
            slow.fail(StoreCall.DUE, number, Fault.slow(minute, Duration.ZERO));
        }
        AtomicInteger questions = new AtomicInteger();
        Lanes counting = new Lanes() {
            @Override
            public Lane open(String name, int width) {
                Lane lane = own.open(name, width);
                return new Lane() {
                    @Override
                    public void run(Runnable step) {
                        questions.incrementAndGet();
                        lane.run(step);
                    }

                    @Override
                    public Alarm after(Duration delay, Runnable step) {
                        return lane.after(delay, step);
                    }

                    @Override
                    public Alarm every(Duration interval, Runnable step) {
                        return lane.every(interval, step);
                    }
                };
            }

            @Override
            public Executor threads(String name) {
                return own.threads(name);
            }

            @Override
            public void close() {
                own.close();
            }
        };
        SchedulerSettings settings =
                SchedulerSettings.builder().autoRehydrate(false).build();
        World.Machine node = world.node(
                "a", slow, Duration.ZERO, builder -> builder.lanes(counting).settings(settings));
        own.execute(() -> node.scheduler().rehydrate());
        world.pass(minute.multipliedBy(3));
        world.lanes.close();
        assertThat(slow.calls(StoreCall.DUE))
                .as("slow looks, and others after them")
                .isGreaterThan(3);
        assertThat(questions).hasValueLessThan(1_000);
    }
}
