package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelResult;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.Lease;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The edges L47 to L52 of contributing/lifecycle.md: what becomes of a job whose node ended without a recorded outcome. */
class LifecycleRecoveryTest extends LifecycleFixture {
    private static final String EVERY_TEN_MINUTES = "0 0/10 * * * ?";
    private static final ExclusionCalendar OPEN = closedUntil(START);
    private static final ExclusionCalendar CLOSED = closedUntil(START.plusSeconds(700));

    @Test
    @DisplayName(
            "L47 P5: an abandoned run is recorded and run again under a new claim, once the lease and margin are over")
    void rerun() {
        abandoned(job("j").schedulingSpecification(EVERY_TEN_MINUTES));
        Machine b = world.node("b");
        pass(18_000);
        assertThat(world.calls).as("not before the lease is over").hasSize(1);
        pass(20_000);
        assertThat(world.calls).extracting(Call::fencing).containsExactly(1L, 2L);
        assertThat(world.calls).extracting(Call::attempt).containsExactly(1, 1);
        assertThat(world.calls).extracting(Call::fire).containsOnly(START.plusSeconds(600));
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "SCHEDULED/SUCCEEDED");
        assertThat(rows("j").get(1).node()).isEqualTo(b.scheduler().node().id());
    }

    @Test
    @DisplayName("L49 R7: an abandoned start with crashPolicy FAIL is CRASHED, and the next fire follows")
    void crashed() {
        abandoned(job("j").schedulingSpecification(EVERY_TEN_MINUTES).crashPolicy(CrashPolicy.FAIL));
        world.node("b");
        pass(60_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "FAILED/CRASHED");
        assertThat(world.calls).hasSize(1);
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(1_200));
    }

    @Test
    @DisplayName("L49 R7: an abandoned run of a one-off is run again, also behind its endAt")
    void rerunBehindTheEnd() {
        Machine a = world.node("a");
        world.work = call -> world.calls.size() == 1 ? endless() : good();
        Instant fire = START.plusSeconds(60);
        client().scheduleJob(
                        job("j").singleSchedule(fire).endAt(fire.plusSeconds(5)).build());
        pass(61_000);
        kill(a);
        world.node("b");
        pass(60_000);
        assertThat(world.calls).extracting(World.Call::fire).containsExactly(fire, fire);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    @DisplayName("L49 R7: an abandoned claim whose helper was never called is run, crashPolicy FAIL or not")
    void neverStarted() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(60))
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        pass(59_700);
        a.lanes().freeze();
        world.store.claim(new ClaimRequest(
                List.of(document("j").id()),
                START.plusSeconds(60),
                new Lease("gone", 7, START.plusSeconds(80)),
                START.plusSeconds(82)));
        kill(a);
        world.node("b");
        pass(60_000);
        assertThat(world.calls).extracting(Call::node).containsExactly("b");
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "TRIGGERED/SUCCEEDED");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "L49 R7: a user's change while a recovered run waits for its thread makes no crash of a helper that was"
                    + " never called")
    void changedBeforeStart(boolean changed) {
        Machine user = world.idleNode("user");
        JobSpecification job = job("j").singleSchedule(START.plusSeconds(1))
                .crashPolicy(CrashPolicy.FAIL)
                .build();
        user.scheduler().scheduleJob(job);
        pass(2_000);
        Lease lease = new Lease("dead", 4711, world.time.wall().plusSeconds(20));
        world.store.claim(new ClaimRequest(
                List.of(document("j").id()),
                world.time.wall(),
                lease,
                lease.until().plusSeconds(2)));
        nodeWithSlowThreads("b");
        pass(24_000);
        assertThat(document("j").sequences().startedSeq()).isEqualTo(2);
        assertThat(world.calls).as("it waits for a thread").isEmpty();
        if (changed) {
            user.scheduler().updateJob(job.toBuilder().priority(2).build());
        }
        pass(60_000);
        assertThat(world.calls).hasSize(1);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
    }

    @ParameterizedTest
    @EnumSource(CrashPolicy.class)
    @DisplayName(
            "L14 L49 R7: crashPolicy FAIL that is set during a run holds for that run: no other node runs it again")
    void forbiddenDuringRun(CrashPolicy policy) {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        JobSpecification job = job("j").singleSchedule(START.plusSeconds(1)).build();
        a.scheduler().scheduleJob(job);
        pass(5_000);
        a.scheduler().updateJob(job.toBuilder().crashPolicy(policy).priority(2).build());
        pass(5_000);
        a.lanes().close();
        world.node("b");
        world.work = call -> CompletableFuture.completedFuture(null);
        pass(120_000);
        assertThat(world.calls).hasSize(policy == CrashPolicy.FAIL ? 1 : 2);
        assertThat(newest("j").outcome()).isEqualTo(policy == CrashPolicy.FAIL ? Outcome.CRASHED : Outcome.SUCCEEDED);
    }

    @ParameterizedTest
    @EnumSource(CrashPolicy.class)
    @DisplayName(
            "L14 L49 R7: crashPolicy FAIL that is set after a run was abandoned, before it runs again, forbids that")
    void forbiddenBeforeRepeat(CrashPolicy policy) {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        JobSpecification job =
                job("j").schedulingSpecification("0 0/10 * * * ?").build();
        a.scheduler().scheduleJob(job);
        pass(605_000);
        assertThat(world.calls).hasSize(1);
        a.scheduler().pause(PauseScope.job("j"), new Pause("it looks wrong", "ops", START.plusSeconds(1_500)));
        kill(a);
        Machine b = world.node("b");
        world.work = call -> CompletableFuture.completedFuture(null);
        pass(200_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.ABANDONED);
        b.scheduler().updateJob(job.toBuilder().crashPolicy(policy).build());
        pass(900_000);
        assertThat(rows("j"))
                .filteredOn(row -> START.plusSeconds(600).equals(row.fireTime()))
                .extracting(JobExecutionStatus::outcome)
                .endsWith(policy == CrashPolicy.FAIL ? Outcome.CRASHED : Outcome.SUCCEEDED);
        assertThat(b.events())
                .filteredOn(SchedulerEvent.RunRecovered.class::isInstance)
                .as("one claim was lost")
                .hasSize(1);
        assertThat(world.calls).as("the job goes on with its later fires").hasSize(policy == CrashPolicy.FAIL ? 2 : 3);
    }

    @Test
    @DisplayName("R7: crashPolicy FAIL that is set after the repeat has an end on record leaves its retries")
    void retriedAfterRepeat() {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        JobSpecification job = job("j").singleSchedule(START.plusSeconds(1))
                .retryPolicy(RetryPolicy.fixed(3, Duration.ofMinutes(5)))
                .build();
        a.scheduler().scheduleJob(job);
        pass(5_000);
        kill(a);
        Machine b = world.node("b");
        world.work = call -> bad();
        pass(100_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.ATTEMPT_FAILED);
        b.scheduler().updateJob(job.toBuilder().crashPolicy(CrashPolicy.FAIL).build());
        world.work = call -> CompletableFuture.completedFuture(null);
        pass(600_000);
        assertThat(world.calls).hasSize(3);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    @DisplayName("L14 L19 R7: crashPolicy FAIL that is set before the start makes no crash of a claim that is released")
    void forbiddenBeforeStart() {
        Machine a = nodeWithSlowThreads("a");
        JobSpecification job = job("j").singleSchedule(START.plusSeconds(1)).build();
        a.scheduler().scheduleJob(job);
        pass(2_000);
        a.scheduler().updateJob(job.toBuilder().crashPolicy(CrashPolicy.FAIL).build());
        assertThat(document("j").sequences().startedSeq()).isEqualTo(1);
        a.scheduler().pause(PauseScope.everything(), new Pause("look", "ops", null));
        pass(10_000);
        assertThat(document("j").sequences().startedSeq()).isZero();
        a.scheduler().resume(PauseScope.everything());
        pass(20_000);
        assertThat(world.calls).hasSize(1);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    @DisplayName("L49 R2, R7: a crashed run by hand does not take the planned fire with it, and is not run again")
    void crashedManual() {
        Machine a = runningByHand(START.plusSeconds(600));
        kill(a);
        world.node("b");
        pass(300_000);
        assertThat(world.calls).as("the run by hand happens at most once").hasSize(1);
        pass(600_000);
        assertThat(world.calls).as("the planned fire is not lost").hasSize(2);
        assertThat(world.calls.get(1).started()).isEqualTo(START.plusSeconds(600));
        assertThat(newest("j").executionStatus()).hasToString("TRIGGERED");
    }

    @Test
    @DisplayName("L40 R2, R7: a manual run that a shutdown interrupts leaves the plan, crashPolicy FAIL or not")
    void shutDownManual() {
        Machine a = runningByHand(START.plusSeconds(600));
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        pass(3_000);
        world.node("b");
        pass(300_000);
        assertThat(world.calls).hasSize(1);
        pass(600_000);
        assertThat(world.calls).hasSize(2);
        assertThat(newest("j").executionStatus()).hasToString("TRIGGERED");
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    @DisplayName(
            "L45 L49 R7: a run that was asked for during a run, by hand or not, is made once although that run crashes")
    void askedDuringCrash(boolean manual, boolean shutDown) {
        Machine a = world.node("a");
        world.work = call -> call.node().equals("a") ? endless() : good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        if (manual) {
            a.scheduler().runNow("j");
        }
        pass(manual ? 2_000 : 601_000);
        assertThat(world.calls).hasSize(1);
        a.scheduler().runNow("j");
        if (shutDown) {
            a.scheduler().beginDrain(Duration.ofSeconds(1));
            pass(3_000);
        } else {
            kill(a);
        }
        world.node("b");
        pass(120_000);
        assertThat(world.calls).extracting(Call::node).containsExactly("a", "b");
        assertThat(rows("j"))
                .filteredOn(row -> row.outcome() == Outcome.CRASHED)
                .singleElement()
                .satisfies(row -> assertThat(row.manual()).isEqualTo(manual));
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(newest("j").manual()).isTrue();
    }

    @Test
    @DisplayName("L08 L49 R7: a run that is asked for after the death of a node is made beside the recovery")
    void askedBeforeRecovery() {
        abandoned(job("j").schedulingSpecification(EVERY_TEN_MINUTES).crashPolicy(CrashPolicy.FAIL));
        world.idleNode("user").scheduler().runNow("j");
        world.node("b");
        pass(60_000);
        assertThat(rows("j")).extracting(JobExecutionStatus::outcome).contains(Outcome.CRASHED);
        assertThat(world.calls).extracting(Call::node).containsExactly("a", "b");
        assertThat(newest("j").manual()).isTrue();
    }

    @Test
    @DisplayName(
            "L49 R7: of several abandoned claims the one that was started has crashed, although a user has asked for a run since")
    void severalAbandoned() {
        abandoned(job("j").schedulingSpecification(EVERY_TEN_MINUTES).crashPolicy(CrashPolicy.FAIL));
        world.idleNode("user").scheduler().runNow("j");
        pass(30_000);
        Instant until = world.time.wall().plusSeconds(20);
        world.store.claim(new ClaimRequest(
                List.of(document("j").id()), world.time.wall(), new Lease("gone", 7, until), until.plusSeconds(2)));
        assertThat(document("j").sequences().abandoned()).isEqualTo(1);
        world.node("b");
        pass(60_000);
        assertThat(rows("j"))
                .filteredOn(row -> row.outcome() == Outcome.CRASHED)
                .singleElement()
                .satisfies(row -> assertThat(row.manual()).isFalse());
        assertThat(world.calls).extracting(Call::node).containsExactly("a", "b");
        assertThat(newest("j").manual()).isTrue();
    }

    @Test
    @DisplayName("L49 R2, R7: a run by hand that crashes shortly before the planned fire does not end that fire")
    void crashedBeforeFire() {
        Machine a = runningByHand(START.plusSeconds(15));
        kill(a);
        world.node("b");
        pass(120_000);
        assertThat(world.calls).extracting(Call::node).containsExactly("a", "b");
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    @DisplayName("L50 R7: a job that ends its nodes is FAILED at abandonedLimit, and runs again below it")
    void tooOften() {
        world.work = call -> endless();
        for (int i = 1; i <= 3; i++) {
            Machine node = world.node(
                    "n" + i,
                    world.store,
                    Duration.ZERO,
                    builder -> builder.settings(
                            SchedulerSettings.builder().abandonedLimit(3).build()));
            if (i == 1) {
                node.scheduler()
                        .scheduleJob(
                                job("j").singleSchedule(START.plusSeconds(1)).build());
            }
            pass(i == 1 ? 2_000 : 30_000);
            assertThat(world.calls).hasSize(i);
            kill(node);
        }
        world.node(
                "last",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().abandonedLimit(3).build()));
        pass(60_000);
        assertThat(newest("j").executionStatus()).hasToString("FAILED");
        assertThat(newest("j").outcome()).isEqualTo(Outcome.ABANDONED);
        assertFinished("j");
        assertThat(world.calls).hasSize(3);
    }

    @Test
    @DisplayName("L51 M4: an abandoned job whose cancel was noted is finished, and not run again")
    void canceled() {
        Machine a = abandoned(job("j").schedulingSpecification(EVERY_TEN_MINUTES));
        a.scheduler().cancelJob("j");
        world.node("b");
        pass(60_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "CANCELED/CANCELED");
        assertFinished("j");
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L51 N8: the noted cancel of an abandoned run is finished by nodes that do not know its calendars")
    void canceledWithoutCalendars() {
        Machine a = abandonedOfCalendar();
        a.scheduler().cancelJob("j");
        Machine b = world.node("b");
        pass(120_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "CANCELED/CANCELED");
        assertFinished("j");
        assertThat(world.calls).hasSize(1);
        assertThat(b.events())
                .filteredOn(SchedulerEvent.RunRecovered.class::isInstance)
                .hasSize(1);
    }

    @Test
    @DisplayName(
            "L04 L51: a job whose abandoned claim was taken away is cancelled at once, and the run is recorded as abandoned")
    void canceledAfterRelease() {
        Machine a = abandonedOfCalendar();
        Machine b = world.node("b");
        pass(60_000);
        assertThat(b.events()).anyMatch(SchedulerEvent.ClaimReleased.class::isInstance);
        assertThat(document("j").lease()).isNull();
        assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "CANCELED/CANCELED");
        assertFinished("j");
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L78 L04: a job whose claim was released by force is cancelled at once, and its run is abandoned")
    void canceledAfterForce() {
        world.work = call -> endless();
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(601_000);
        kill(a);
        a.scheduler().apply(JobAction.release(), JobSelection.keys("j"), false);
        assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "CANCELED/CANCELED");
        assertThat(rows("j").get(2).fireTime()).isEqualTo(START.plusSeconds(600));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("L48 L73: a claim that was only to plan has run nothing: a cancel records no run as abandoned")
    void canceledWhilePlanned(boolean noted) {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("c", OPEN));
        JobSpecification job = job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                .calendar("c")
                .build();
        a.scheduler().scheduleJob(job);
        kill(a);
        Scheduler user = client();
        user.updateJob(job.toBuilder().schedulingSpecification("0 0/20 * * * ?").build());
        Instant until = world.time.wall().plusSeconds(20);
        world.store.claim(new ClaimRequest(
                List.of(document("j").id()), world.time.wall(), new Lease("gone", 7, until), until.plusSeconds(2)));
        assertThat(document("j").lease()).isNotNull();
        if (noted) {
            user.cancelJob("j");
            world.node("b");
        }
        pass(60_000);
        if (!noted) {
            assertThat(user.cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        }
        assertFinished("j");
        assertThat(rows("j")).extracting(JobExecutionStatus::outcome).doesNotContain(Outcome.ABANDONED);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CANCELED);
    }

    @Test
    @DisplayName("L52 P5: an abandoned job whose pause was noted is held back, and runs after the resume")
    void paused() {
        Machine a = abandoned(job("j").schedulingSpecification(EVERY_TEN_MINUTES));
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        Machine b = world.node("b");
        pass(60_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/PAUSED", "SCHEDULED/ABANDONED");
        assertThat(document("j").due()).isNull();
        assertThat(world.calls).hasSize(1);
        b.scheduler().resume(PauseScope.job("j"));
        pass(5_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(600), START.plusSeconds(600));
    }

    @Test
    @DisplayName("L52 M7: what users ask of an abandoned job is written later than every row before it")
    void askedWhileAbandoned() {
        Machine a = abandoned(job("j").schedulingSpecification(EVERY_TEN_MINUTES));
        pass(60_000);
        for (int i = 0; i < 3; i++) {
            a.scheduler().pause(PauseScope.job("j"), new Pause("audit " + i, "ops", null));
            assertThat(newest("j").detail()).contains("audit " + i);
        }
        assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        assertThat(rows("j")).extracting(row -> row.updatedTime()).doesNotHaveDuplicates();
        world.node("b");
        pass(60_000);
        assertFinished("j");
        assertThat(rows("j").get(rows("j").size() - 2).outcome()).isEqualTo(Outcome.ABANDONED);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CANCELED);
    }

    /** A node that runs j by hand, which must not run twice and is planned for that moment. */
    private Machine runningByHand(Instant planned) {
        world.work = call -> call.node().equals("a") ? endless() : good();
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(planned)
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        a.scheduler().runNow("j");
        pass(2_000);
        return a;
    }

    /** As {@link #abandoned}, of a job whose calendar only node a knows. */
    private Machine abandonedOfCalendar() {
        world.work = call -> endless();
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("c", OPEN));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .calendar("c")
                        .build());
        pass(601_000);
        assertThat(world.calls).hasSize(1);
        kill(a);
        return a;
    }

    /** The job has started on node a, which then dies. */
    private Machine abandoned(JobSpecificationBuilder spec) {
        world.work = call -> call.node().equals("a") ? endless() : good();
        Machine a = world.node("a");
        a.scheduler().scheduleJob(spec.build());
        pass(601_000);
        assertThat(world.calls).hasSize(1);
        kill(a);
        return a;
    }
}
