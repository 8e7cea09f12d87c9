package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.NonRetryableException;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.Finding;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where two things happen to a job at once, and what is on record then. */
class LifecycleTroubleTest extends LifecycleFixture {
    private static final String EVERY_TEN_MINUTES = "0 0/10 * * * ?";
    private static final ExclusionCalendar OPEN = closedUntil(Instant.EPOCH);

    @Test
    @DisplayName("L67 R5: a run whose helper says that trying again is of no use has an outcome of its own")
    void nonRetryable() {
        Machine a = world.node("a");
        world.work = call -> CompletableFuture.failedFuture(new NonRetryableException("no such account"));
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R3/PT1S")
                        .build());
        pass(20_000);
        assertRows("j", "SCHEDULED/NONE", "FAILED/NON_RETRYABLE");
        assertThat(world.calls).hasSize(1);
        assertFinished("j");
    }

    @Test
    @DisplayName("L68 M4: a run that was interrupted to cancel its job ends as that, and not as a failure")
    void interrupted() {
        Machine a = world.node("a");
        world.work = call -> endless();
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R3/PT1S")
                        .build());
        pass(2_000);
        assertThat(a.scheduler().cancelJob("j", CancelMode.INTERRUPT)).isEqualTo(CancelResult.ALREADY_RUNNING);
        pass(30_000);
        assertThat(newest("j").executionStatus() + "/" + newest("j").outcome()).isEqualTo("CANCELED/INTERRUPTED");
        assertThat(newest("j").error()).isNotNull();
        assertThat(rows("j")).extracting(JobExecutionStatus::outcome).doesNotContain(Outcome.RETRIES_EXHAUSTED);
        assertThat(world.calls).hasSize(1);
        assertFinished("j");
    }

    @Test
    @DisplayName("L69 M4: a run that was interrupted for a cancel that is taken back runs again, and costs no attempt")
    void takenBack() {
        Machine a = world.node("a");
        world.work = call -> world.calls.size() == 1 ? endless() : good();
        var once = job("j").singleSchedule(START.plusSeconds(1)).build();
        a.scheduler().scheduleJob(once);
        pass(2_000);
        a.scheduler().cancelJob("j", CancelMode.INTERRUPT);
        a.scheduler().scheduleJob(once);
        pass(30_000);
        assertThat(world.calls).extracting(Call::attempt).containsExactly(1, 1);
        assertThat(newest("j").executionStatus() + "/" + newest("j").outcome()).isEqualTo("TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "L70 X6: a run that ends under a plan its node cannot make is recorded, and another node plans the next")
    void plannedElsewhere() {
        Machine a = world.node("a");
        Machine b = world.node("b", world.store, Duration.ZERO, builder -> builder.calendar("c", OPEN));
        world.work = call -> slow(Duration.ofSeconds(5));
        kill(b);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(601_000);
        Machine author = world.node(
                "author",
                world.store,
                Duration.ZERO,
                builder -> World.idle(builder).calendar("c", OPEN));
        author.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .calendar("c")
                        .build());
        pass(10_000);
        assertThat(document("j").blocked()).isNull();
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(document("j").due()).isNotNull();
        world.node("able", world.store, Duration.ZERO, builder -> builder.calendar("c", OPEN));
        pass(5_000);
        assertThat(world.calls).as("what is on record is not run again").hasSize(1);
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(1_200));
        pass(700_000);
        assertThat(world.calls)
                .extracting(Call::fire)
                .containsExactly(START.plusSeconds(600), START.plusSeconds(1_200));
    }

    /** The executor refuses the run, and a user has asked for something before the job is given back. */
    private void refusedAfter(Consumer<Machine> asked) {
        AtomicBoolean refuses = new AtomicBoolean(true);
        Machine[] a = new Machine[1];
        a[0] = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(run -> {
                    if (refuses.getAndSet(false)) {
                        asked.accept(a[0]);
                        throw new RejectedExecutionException("full");
                    }
                    world.lanes.node().execute(run);
                }));
        a[0].scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(602_000);
    }

    @Test
    @DisplayName("L71 M4: a cancelled job whose claim is released is finished, also while it is paused")
    void canceledAndPaused() {
        refusedAfter(a -> {
            assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.ALREADY_RUNNING);
            a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        });
        assertThat(world.calls).isEmpty();
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CANCELED);
        assertFinished("j");
    }

    @Test
    @DisplayName("L72 R4, R7: an abandoned fire that further fires have passed runs again first, then they are judged")
    void abandonedAndPassed() {
        world.work = call -> call.node().equals("a") ? endless() : good();
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(601_000);
        kill(a);
        pass(1_800_000);
        world.node("b");
        pass(10_000);
        assertThat(world.calls)
                .extracting(Call::fire)
                .containsExactly(START.plusSeconds(600), START.plusSeconds(600), START.plusSeconds(2_400));
        assertThat(rows("j"))
                .filteredOn(row -> row.missed() != null)
                .singleElement()
                .satisfies(row -> assertThat(row.missed().first()).isEqualTo(START.plusSeconds(1_200)));
    }

    /** Lets somebody else's change come before the first change that the predicate chooses. */
    private JobStore interleaved(Predicate<JobChange> chosen, Runnable first) {
        AtomicBoolean armed = new AtomicBoolean(true);
        return StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            boolean hit = method.equals("write")
                    && ((List<?>) arguments[0])
                            .stream().map(JobChange.class::cast).anyMatch(chosen);
            if (hit && armed.getAndSet(false)) {
                first.run();
            }
            return call.proceed();
        });
    }

    @Test
    @DisplayName("R4: missed fires are reported once, in rows and in events, although a manual run comes between")
    void missedOnce() {
        Machine user = world.idleNode("user");
        user.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(2_500_000);
        Machine a = world.node(
                "a",
                interleaved(
                        change -> change.rows().stream().anyMatch(row -> row.outcome() == Outcome.MISSED),
                        () -> user.scheduler().runNow("j")),
                Duration.ZERO,
                builder -> builder);
        pass(10_000);
        assertThat(rows("j")).filteredOn(row -> row.outcome() == Outcome.MISSED).hasSize(1);
        assertThat(a.events())
                .filteredOn(SchedulerEvent.FiresMissed.class::isInstance)
                .hasSize(1);
        assertThat(world.calls).as("by hand, and the newest that passed").hasSize(2);
    }

    @Test
    @DisplayName("R7: a claim that was marked as started and then released does not make the next one a crash")
    void markedAndGivenBack() {
        world.work = call -> good();
        Machine dying = world.node(
                "dying",
                losingChanges(change -> change.after().sequences().startedSeq() > 0),
                Duration.ZERO,
                builder -> builder);
        dying.scheduler().scheduleJob(guardedOneOff());
        pass(3_000);
        kill(dying);
        AtomicBoolean refuses = new AtomicBoolean(true);
        Machine[] b = new Machine[1];
        b[0] = world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(run -> {
                    if (refuses.getAndSet(false)) {
                        b[0].scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
                        b[0].scheduler().resume(PauseScope.job("j"));
                        throw new RejectedExecutionException("full");
                    }
                    world.lanes.node().execute(run);
                }));
        pass(60_000);
        assertThat(refuses).isFalse();
        assertThat(rows("j")).extracting(JobExecutionStatus::outcome).doesNotContain(Outcome.CRASHED);
        assertThat(world.calls).hasSize(1);
    }

    private static dev.almanac.model.JobSpecification guardedOneOff() {
        return job("j").singleSchedule(START.plusSeconds(1))
                .crashPolicy(dev.almanac.model.CrashPolicy.FAIL)
                .build();
    }

    @Test
    @DisplayName("N2: a decision that a user's change refused leaves no row")
    void refusedRow() {
        Machine user = world.idleNode("user");
        Machine a = world.node(
                "a",
                interleaved(
                        change -> change.rows().stream().anyMatch(row -> row.outcome() == Outcome.SUCCEEDED),
                        () -> user.scheduler()
                                .scheduleJob(job("j").schedulingSpecification("0 0/20 * * * ?")
                                        .build())),
                Duration.ZERO,
                builder -> builder);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(610_000);
        List<JobExecutionStatus> rows = rows("j");
        assertThat(rows).filteredOn(row -> row.outcome() == Outcome.SUCCEEDED).hasSize(1);
    }

    @Test
    @DisplayName("R3: a failure command is late by its own due time, and is told why the fire failed")
    void failureCommandInTime() {
        Machine a = world.node("a");
        world.work = call -> call.attempt() == 2 || world.calls.size() == 1 ? bad() : good();
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R1/PT1M")
                        .lateExecutionThreshold(Duration.ofSeconds(10))
                        .failureCommand(new World.Note("sorry"))
                        .failureIdentifier("f")
                        .build());
        pass(120_000);
        assertThat(world.calls).hasSize(3);
        assertThat(world.calls.get(2).over()).isZero();
        assertThat(newest("j").outcome()).isEqualTo(Outcome.FAILURE_DELIVERED);
    }

    @Test
    @DisplayName("P7: a cancel whose row the server lost is on record once the user asks again")
    void canceledRowLeftOut() {
        FaultyStore torn = new FaultyStore(world.store, world.lanes.node().open("network", 1), duration -> {});
        Machine a = world.node("a", torn, Duration.ZERO, builder -> builder);
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(600)).build());
        torn.fail(StoreCall.WRITE, torn.calls(StoreCall.WRITE) + 1, Fault.TORN)
                .fail(StoreCall.LOAD, torn.calls(StoreCall.LOAD) + 1, Fault.LOSE_REQUEST);
        assertThatThrownBy(() -> a.scheduler().cancelJob("j")).isInstanceOf(StoreException.class);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.NONE);
        assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.NOT_FOUND);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CANCELED);
        assertThat(newest("j").deleteTime())
                .as("of a request")
                .isAfter(document("j").specification().deleteTime().orElseThrow());
    }

    @Test
    @DisplayName("R3: a manual run and its rows name the moment at which it was asked for")
    void momentOfRunByHand() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(600)).build());
        pass(5_000);
        a.scheduler().runNow("j");
        pass(5_000);
        assertThat(newest("j").manual()).isTrue();
        assertThat(newest("j").fireTime()).isEqualTo(world.calls.get(0).fire()).isEqualTo(START.plusSeconds(5));
    }

    @Test
    @DisplayName("L46 R8: a blocked job stays blocked past its endAt, visibly, until a user repairs or cancels it")
    void blockedPastItsEnd() {
        Machine a = nodeOfNewRelease("a");
        for (String key : List.of("repaired", "canceled")) {
            a.scheduler()
                    .scheduleJob(job(key).singleSchedule(START.plusSeconds(1))
                            .endAt(START.plusSeconds(60))
                            .triggerCommand(UNREADABLE)
                            .build());
        }
        pass(180_000);
        assertThat(document("repaired").blocked()).isNotNull();
        assertThat(document("repaired").isLive()).isTrue();
        assertThat(a.scheduler().checkInvariants().findings())
                .extracting(Finding::kind)
                .containsExactly(Finding.Kind.BLOCKED, Finding.Kind.BLOCKED);
        a.scheduler()
                .updateJob(document("repaired").specification().toBuilder()
                        .triggerCommand(new World.Note("repaired"))
                        .build());
        pass(10_000);
        assertThat(newest("repaired").outcome()).isEqualTo(Outcome.EXPIRED);
        assertFinished("repaired");
        assertThat(a.scheduler().cancelJob("canceled")).isEqualTo(CancelResult.CANCELED);
        assertFinished("canceled");
        assertThat(world.calls).isEmpty();
    }
}
