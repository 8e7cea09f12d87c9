package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.VirtualTime;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a node must bear: an executor with a queue, a wall clock that is set, an end before its beginning is done. */
class NodeLimitsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private final World world = new World(0, InMemoryJobStore::new);

    @Test
    @DisplayName("R5: the executionTimeout counts from the call of the helper, not from the wait in the executor")
    void waitInTheExecutor() {
        List<Runnable> queue = new ArrayList<>();
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.executor(queue::add));
        world.work = call -> new CompletableFuture<>();
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .executionTimeout(TIMEOUT)
                        .build());
        world.pass(Duration.ofSeconds(36));
        assertThat(outcomes(a, "j")).as("it has not failed without a run").containsExactly("SCHEDULED/NONE");
        queue.forEach(Runnable::run);
        world.pass(TIMEOUT.minusMillis(1));
        assertThat(outcomes(a, "j")).hasSize(1);
        world.pass(Duration.ofMillis(1));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(outcomes(a, "j")).last().isEqualTo("FAILED/RETRIES_EXHAUSTED");
    }

    @Test
    @DisplayName("R5: the timer of a run that has ended is not kept until its executionTimeout")
    void timersEnd() {
        CountingLanes[] lanes = new CountingLanes[1];
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> {
            ManualLanes.Node own = world.lanes.node();
            lanes[0] = new CountingLanes(own);
            return builder.lanes(lanes[0]).executor(own::execute);
        });
        world.work = call -> world.after(Duration.ofMillis(10));
        world.pass(Duration.ofSeconds(2));
        int idle = lanes[0].waiting.size();
        for (int i = 0; i < 50; i++) {
            a.scheduler()
                    .scheduleJob(job("j" + i)
                            .singleSchedule(START.plusSeconds(3))
                            .executionTimeout(Duration.ofHours(1))
                            .build());
        }
        world.pass(Duration.ofSeconds(8));
        assertThat(world.calls).hasSize(50);
        assertThat(lanes[0].waiting).hasSizeBetween(1, idle + 5);
    }

    @Test
    @DisplayName("6.5: a node whose wall clock is set forward starts nothing early")
    void clockSetForward() {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.time(settable()));
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1_800)).build());
        world.pass(Duration.ofSeconds(62));
        set = Duration.ofHours(1);
        a.scheduler()
                .scheduleJob(job("k").singleSchedule(START.plusSeconds(5_000)).build());
        world.pass(Duration.ofSeconds(30));
        assertThat(world.calls).isEmpty();
        world.pass(Duration.ofSeconds(5_000));
        assertThat(world.calls)
                .extracting(World.Call::started)
                .containsExactly(START.plusSeconds(1_800), START.plusSeconds(5_000));
    }

    @Test
    @DisplayName("6.5: what a node claims after its wall clock was set back is not claimed by another as well")
    void clockSetBack() {
        world.work = call -> world.after(Duration.ofSeconds(15));
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.time(settable())
                        .settings(SchedulerSettings.builder()
                                .pastAcceptanceWindow(Duration.ofDays(1))
                                .build()));
        world.node("b");
        world.pass(Duration.ofSeconds(62));
        set = Duration.ofHours(-1);
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.minusSeconds(7_200)).build());
        world.pass(Duration.ofSeconds(60));
        assertThat(world.calls).hasSize(1);
        assertThat(a.events()).noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
    }

    @Test
    @DisplayName("R14: a node that is drained while it rehydrates claims nothing afterwards")
    void drainedDuringRehydration() {
        List<Runnable> during = new ArrayList<>();
        Machine a = world.node(
                "a",
                runningFirst("list", during),
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().autoRehydrate(false).build()));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(5)).build());
        during.add(() -> a.scheduler().beginDrain(Duration.ZERO));
        a.scheduler().rehydrate();
        during.clear();
        world.pass(Duration.ofSeconds(60));
        assertThat(a.events())
                .noneMatch(SchedulerEvent.ClaimReleased.class::isInstance)
                .noneMatch(SchedulerEvent.BatchClaimed.class::isInstance)
                .noneMatch(SchedulerEvent.NodeStarted.class::isInstance);
        assertThat(a.scheduler().health().reasons()).singleElement().asString().contains("drained");
    }

    @Test
    @DisplayName("R14: a drain with the longest timeout waits for the run, and no longer")
    void endlessPatience() {
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(30));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        CompletableFuture<Void> drained = a.scheduler().beginDrain(Duration.ofSeconds(Long.MAX_VALUE));
        world.pass(Duration.ofSeconds(20));
        assertThat(drained).isNotDone();
        world.pass(Duration.ofSeconds(20));
        assertThat(drained).isCompleted();
        assertThat(outcomes(a, "j")).last().isEqualTo("TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("P3: a run whose lease is over is interrupted in time, also while its renewal waits for an answer")
    void silentStore() {
        ManualLanes.Node[] lanes = new ManualLanes.Node[1];
        List<Runnable> during = new ArrayList<>();
        Machine a = world.node("a", runningFirst("renew", during), Duration.ZERO, builder -> {
            lanes[0] = world.lanes.node();
            return builder.lanes(lanes[0]).executor(lanes[0]::execute);
        });
        CompletableFuture<Void> stage = new CompletableFuture<>();
        world.work = call -> stage;
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        during.add(() -> lanes[0].takeTime(Duration.ofSeconds(30)));
        world.pass(Duration.ofSeconds(18));
        assertThat(stage).isCancelled();
        assertThat(a.events()).anyMatch(SchedulerEvent.LeaseLost.class::isInstance);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName("R8: a job whose calendar fails here takes no others with it, and no slot; it is left to other nodes")
    void brokenCalendar() {
        boolean[] broken = {false};
        ExclusionCalendar calendar = new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                if (broken[0]) {
                    throw new NoClassDefFoundError("of another release");
                }
                return true;
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId jobZone) {
                return Optional.of(instant);
            }
        };
        Machine a =
                world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("of the service", calendar));
        for (String key : List.of("a", "b", "c", "d")) {
            a.scheduler()
                    .scheduleJob(job(key).schedulingSpecification("0 * * * * ?")
                            .calendars(key.equals("b") ? List.of("of the service") : List.of())
                            .build());
        }
        broken[0] = true;
        world.pass(Duration.ofSeconds(62));
        assertThat(world.calls).extracting(World.Call::job).containsExactlyInAnyOrder("a", "c", "d");
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(outcomes(a, "b")).containsExactly("SCHEDULED/NONE");
        broken[0] = false;
        world.pass(Duration.ofSeconds(40));
        assertThat(world.callsOf("b")).hasSize(1);
    }

    @Test
    @DisplayName("C4: a missed fire that a calendar had shifted is caught up with its nominal time")
    void nominalOfAMissedFire() {
        Machine a = world.node("a", world.store, Duration.ZERO, NodeLimitsTest::weekdays);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 12 7,14 3 ?")
                        .calendar("weekdays")
                        .calendarPolicy(CalendarPolicy.FOLLOWING)
                        .build());
        world.writeRows();
        a.lanes().close();
        world.pass(Duration.ofDays(16));
        Machine b = world.node("b", world.store, Duration.ZERO, NodeLimitsTest::weekdays);
        world.pass(Duration.ofSeconds(30));
        assertThat(outcomes(b, "j")).containsExactly("SCHEDULED/NONE", "SCHEDULED/MISSED", "SCHEDULED/SUCCEEDED");
        JobExecutionStatus run = b.scheduler().history("j").get(0);
        assertThat(run.fireTime()).isEqualTo("2099-03-16T12:00:00Z");
        assertThat(run.nominalFireTime()).isEqualTo("2099-03-14T12:00:00Z");
    }

    private static SchedulerBuilder weekdays(SchedulerBuilder builder) {
        return builder.calendar("weekdays", new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                return instant.atZone(jobZone).getDayOfWeek().getValue() < 6;
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId jobZone) {
                ZonedDateTime at = instant.atZone(jobZone);
                while (at.getDayOfWeek().getValue() > 5) {
                    at = at.toLocalDate().plusDays(1).atStartOfDay(jobZone);
                }
                return Optional.of(at.toInstant());
            }
        });
    }

    @Test
    @DisplayName(
            "38: with the fast settings of tests, a node without work takes few steps in an hour, and fires in its ms")
    void idle() {
        CountingLanes counting = new CountingLanes(world.lanes.node());
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.lanes(counting).settings(VirtualTime.FAST));
        world.pass(Duration.ofMinutes(1));
        counting.steps = 0;
        world.pass(Duration.ofHours(1));
        assertThat(counting.steps).isLessThan(1_500);

        Instant moment = world.time.wall().plus(Duration.ofDays(8)).plusMillis(123);
        a.scheduler().scheduleJob(job("late").singleSchedule(moment).build());
        world.pass(Duration.ofDays(9));
        assertThat(world.callsOf("late")).extracting(Call::started).containsExactly(moment);
    }

    @Test
    @DisplayName("X2: a reading before a claim that fails is made again after its pause, however seldom the node looks")
    void failsOnce() {
        AtomicInteger failures = new AtomicInteger(1);
        JobStore failing = withoutControl(failures);
        Machine a = world.node("a", failing, Duration.ZERO, builder -> builder.settings(VirtualTime.FAST));
        world.pass(Duration.ofMinutes(1));
        Instant moment = world.time.wall().plusSeconds(40);
        a.scheduler().scheduleJob(job("j").singleSchedule(moment).build());
        world.pass(Duration.ofSeconds(39));
        failures.set(0);
        world.pass(Duration.ofSeconds(5));
        assertThat(failures).hasValue(1);
        assertThat(world.callsOf("j"))
                .as("runs within 4 s, not with the look of each 30 s")
                .hasSize(1);
    }

    /** The store, which does not answer what is paused while that has not failed. */
    private JobStore withoutControl(AtomicInteger failures) {
        ClusterStore cluster = StoreHook.over(ClusterStore.class, world.store.cluster(), (method, arguments, call) -> {
            if (method.equals("control") && failures.compareAndSet(0, 1)) {
                throw new IllegalStateException("planned");
            }
            return call.proceed();
        });
        return StoreHook.over(
                world.store, (method, arguments, call) -> method.equals("cluster") ? cluster : call.proceed());
    }

    private Duration set = Duration.ZERO;

    /** The wall clock of a machine that somebody sets. */
    private TimeSource settable() {
        return new TimeSource() {
            @Override
            public Instant wall() {
                return world.time.wall().plus(set);
            }

            @Override
            public long nanos() {
                return world.time.nanos();
            }

            @Override
            public ZoneId zone() {
                return world.time.zone();
            }
        };
    }

    /** The store, whose call of that name does other things first. */
    private JobStore runningFirst(String name, List<Runnable> first) {
        return StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals(name)) {
                first.forEach(Runnable::run);
            }
            return call.proceed();
        });
    }

    /** Knows the steps that wait for their time. */
    private static final class CountingLanes implements Lanes {
        private final Lanes lanes;
        private final Set<Object> waiting = new HashSet<>();
        private int steps;

        CountingLanes(Lanes lanes) {
            this.lanes = lanes;
        }

        @Override
        public Lane open(String name, int width) {
            Lane lane = lanes.open(name, width);
            return new Lane() {
                @Override
                public void run(Runnable step) {
                    lane.run(counted(step));
                }

                @Override
                public Alarm after(Duration delay, Runnable step) {
                    Object one = new Object();
                    waiting.add(one);
                    Alarm alarm = lane.after(delay, () -> {
                        waiting.remove(one);
                        counted(step).run();
                    });
                    return () -> {
                        waiting.remove(one);
                        alarm.cancel();
                    };
                }

                @Override
                public Alarm every(Duration interval, Runnable step) {
                    return lane.every(interval, counted(step));
                }
            };
        }

        private Runnable counted(Runnable step) {
            return () -> {
                steps++;
                step.run();
            };
        }

        @Override
        public Executor threads(String name) {
            return lanes.threads(name);
        }

        @Override
        public void close() {
            lanes.close();
        }
    }
}
