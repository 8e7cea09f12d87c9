package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelMode;
import dev.almanac.model.OpenRun;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Helpers that do not play fair, in virtual time. */
class StuckRunsTest {
    private final World world = new World(0, InMemoryJobStore::new);

    /** Ignores that it is cancelled. */
    private static class Deaf extends CompletableFuture<Void> {
        @Override
        public boolean cancel(boolean interrupt) {
            return false;
        }
    }

    @Test
    @DisplayName("O5: a stage that never ends is stuck after an hour, not before, and health reports it")
    void pendingStage() {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        a.scheduler().scheduleJob(job("s").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofMinutes(59));
        assertThat(a.scheduler().stuckRuns()).isEmpty();
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
        world.pass(Duration.ofMinutes(2));
        assertThat(a.scheduler().stuckRuns()).singleElement().satisfies(stuck -> {
            assertThat(stuck.run().jobSpecificationKey()).isEqualTo("s");
            assertThat(stuck.run().place()).isEqualTo(OpenRun.Place.STAGE);
            assertThat(stuck.run().started()).isEqualTo(START.plusSeconds(1));
            assertThat(stuck.since()).isEqualTo(START.plusSeconds(3601));
            assertThat(stuck.why()).contains("'s'", "pending", "no thread is known");
        });
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        assertThat(a.scheduler().health().reasons()).singleElement().asString().contains("job 's'", "pending");
    }

    @Test
    @DisplayName("O5: a run that may take long by its executionTimeout is not stuck")
    void bounded() {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        a.scheduler()
                .scheduleJob(job("long")
                        .singleSchedule(START.plusSeconds(1))
                        .executionTimeout(Duration.ofHours(3))
                        .build());
        world.pass(Duration.ofHours(2));
        assertThat(a.scheduler().node().runs()).isEqualTo(1);
        assertThat(a.scheduler().stuckRuns()).isEmpty();
    }

    @Test
    @DisplayName("O5: a run that does not stop when a user interrupts it is stuck a lease length later")
    void deafToInterrupt() {
        Machine a = world.node("a");
        Deaf deaf = new Deaf();
        world.work = call -> deaf;
        a.scheduler()
                .scheduleJob(job("deaf").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        a.scheduler().cancelJob("deaf", CancelMode.INTERRUPT);
        world.pass(Duration.ofMinutes(1));
        assertThat(a.scheduler().stuckRuns())
                .singleElement()
                .satisfies(stuck -> assertThat(stuck.why()).contains("was asked to stop"));
        deaf.complete(null);
        world.pass(Duration.ofSeconds(2));
        assertThat(a.scheduler().stuckRuns()).isEmpty();
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName("R10: a run that the executor never calls is seen; others of the node are not hindered")
    void forgetfulExecutor() {
        List<Runnable> forgotten = new ArrayList<>();
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(run -> {
                    if (forgotten.isEmpty()) {
                        forgotten.add(run);
                    } else {
                        run.run();
                    }
                }));
        a.scheduler()
                .scheduleJob(job("first").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(10));
        assertThat(a.scheduler().stuckRuns()).as("it may still be called").isEmpty();
        a.scheduler()
                .scheduleJob(job("second").singleSchedule(START.plusSeconds(15)).build());
        world.pass(Duration.ofSeconds(15));
        assertThat(world.callsOf("second")).hasSize(1);
        assertThat(a.scheduler().stuckRuns()).singleElement().satisfies(stuck -> {
            assertThat(stuck.run().place()).isEqualTo(OpenRun.Place.EXECUTOR);
            assertThat(stuck.run().started()).isNull();
        });
        forgotten.get(0).run();
        world.pass(Duration.ofSeconds(1));
        assertThat(a.scheduler().stuckRuns()).isEmpty();
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(outcomes(a, "first")).endsWith("TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("R10: what an executor refuses, by whatever it throws, is run by another node and held by none")
    void refusingExecutor() {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(run -> {
                    throw new OutOfMemoryError("unable to create a thread");
                }));
        a.scheduler().scheduleJob(job("r").singleSchedule(START.plusSeconds(2)).build());
        world.pass(Duration.ofSeconds(10));
        assertThat(world.calls).isEmpty();
        assertThat(a.scheduler().node().runs()).isZero();
        long released = a.events().stream()
                .filter(event -> event.toString().contains("the executor has refused it"))
                .count();
        assertThat(released).as("it is tried again, about once a second").isBetween(5L, 12L);
        assertThat(a.scheduler().health().reasons())
                .singleElement()
                .asString()
                .startsWith("handing runs to the executor has failed");
        world.node("b");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("r")).hasSize(1);
    }

    @Test
    @DisplayName("R10: an executor that calls on its own thread and then throws has not refused")
    void executorThrowsAfterwards() {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(run -> {
                    run.run();
                    throw new RejectedExecutionException("too late");
                }));
        a.scheduler()
                .scheduleJob(job("once").singleSchedule(START.plusSeconds(2)).build());
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("once")).hasSize(1);
        assertThat(outcomes(a, "once")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.events())
                .as("nothing is released")
                .noneMatch(event -> event instanceof SchedulerEvent.ClaimReleased);
    }

    @Test
    @DisplayName(
            "R5: a stage that can be neither cancelled nor read does not keep the leases of others from being renewed")
    void hostileStage() {
        Machine a = world.node("a");
        world.work = call -> call.job().equals("hostile")
                ? new Deaf() {
                    @Override
                    public CompletableFuture<Void> toCompletableFuture() {
                        throw new UnsupportedOperationException("not this one");
                    }
                }
                : slow(Duration.ofMinutes(3));
        a.scheduler()
                .scheduleJob(job("hostile").singleSchedule(START.plusSeconds(1)).build());
        a.scheduler()
                .scheduleJob(job("fair").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        a.scheduler().cancelJob("hostile", CancelMode.INTERRUPT);
        world.pass(Duration.ofMinutes(5));
        assertThat(outcomes(a, "fair")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("R5: an exception whose own methods fail still ends its run, and its slot is free")
    void brokenException() {
        Machine a = world.node("a");
        world.work = call -> {
            throw new IllegalStateException() {
                @Override
                public String getMessage() {
                    throw new StackOverflowError("again");
                }

                @Override
                public synchronized Throwable getCause() {
                    throw new AssertionError("no cause");
                }
            };
        };
        a.scheduler()
                .scheduleJob(job("broken").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(10));
        assertThat(outcomes(a, "broken")).containsExactly("SCHEDULED/NONE", "FAILED/RETRIES_EXHAUSTED");
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName("O5: all slots taken for a minute are reported; one that becomes free ends it")
    void noSlotFree() {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(2).build()));
        world.work = call -> slow(Duration.ofSeconds(90));
        for (String key : List.of("x", "y", "z")) {
            a.scheduler()
                    .scheduleJob(job(key).singleSchedule(START.plusSeconds(1)).build());
        }
        world.pass(Duration.ofSeconds(50));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
        world.pass(Duration.ofSeconds(20));
        assertThat(a.scheduler().health().reasons()).singleElement().asString().contains("all 2 slots are taken");
        world.pass(Duration.ofSeconds(30));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
    }

    /** A node of a job every ten seconds, each with a calendar that does not return once it is to hang. */
    private Machine withCalendar(AtomicBoolean hangs) {
        Machine[] node = new Machine[1];
        ExclusionCalendar calendar = new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                if (hangs.getAndSet(false)) {
                    node[0].lanes().takeTime(Duration.ofDays(1));
                }
                return true;
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId jobZone) {
                isIncluded(instant, jobZone);
                return Optional.of(instant);
            }
        };
        node[0] = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("c", calendar));
        node[0].scheduler()
                .scheduleJob(job("s").schedulingSpecification("5/10 * * * * ?")
                        .calendar("c")
                        .build());
        return node[0];
    }

    private static List<String> reasons(Machine machine) {
        return machine.scheduler().health().reasons();
    }

    @Test
    @DisplayName(
            "N15, O5: a claim that a calendar does not decide within a lease is left to other nodes, and health says so")
    void neverDecided() {
        AtomicBoolean hangs = new AtomicBoolean();
        Machine a = withCalendar(hangs);
        hangs.set(true);
        world.pass(Duration.ofSeconds(23));
        assertThat(a.scheduler().stuckRuns()).isEmpty();
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
        world.pass(Duration.ofSeconds(7));
        assertThat(world.calls).isEmpty();
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(reasons(a))
                .anyMatch(reason -> reason.startsWith("planning a fire has failed"))
                .anyMatch(reason -> reason.startsWith("the calendars [c] of job 's' have been in one call"));
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls)
                .as("until it returns, no further thread is given to it")
                .isEmpty();
        healthy("b");
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).isNotEmpty().extracting(World.Call::node).containsOnly("b");
        world.lanes.close();
    }

    @Test
    @DisplayName(
            "N8: a run whose next fire a calendar does not name within a lease has ended, and is run by none again")
    void neverWritten() {
        AtomicBoolean hangs = new AtomicBoolean();
        Machine a = withCalendar(hangs);
        world.work = call -> world.calls.size() == 1
                ? slow(Duration.ofSeconds(3)).thenRun(() -> hangs.set(true))
                : CompletableFuture.completedFuture(null);
        world.pass(Duration.ofSeconds(27));
        assertThat(a.scheduler().stuckRuns()).isEmpty();
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
        world.pass(Duration.ofSeconds(7));
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(outcomes(a, "s")).containsExactly("SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
        assertThat(reasons(a))
                .anyMatch(reason -> reason.startsWith("the calendars [c] of job 's' have been in one call"));
        a.lanes().close();
        healthy("b");
        world.pass(Duration.ofMinutes(1));
        assertThat(outcomes(a, "s"))
                .startsWith("SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "SCHEDULED/REPLANNED")
                .noneMatch(outcome -> outcome.endsWith("ABANDONED"));
        assertThat(world.callsOf("s"))
                .hasSizeGreaterThan(1)
                .extracting(World.Call::fire)
                .doesNotHaveDuplicates();
        world.lanes.close();
    }

    /** A node whose calendar returns. */
    private Machine healthy(String name) {
        return world.node(
                name, world.store, Duration.ZERO, builder -> builder.calendar("c", new HookedCalendar(() -> {})));
    }

    private CompletionStage<Void> slow(Duration duration) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        world.later(duration, () -> end.complete(null));
        return end;
    }
}
