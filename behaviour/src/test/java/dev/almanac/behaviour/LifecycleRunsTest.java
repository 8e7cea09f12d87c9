package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.NonRetryableException;
import dev.almanac.helper.PostponeException;
import dev.almanac.helper.SkipException;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.LogLine;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The edges L16 to L46 of contributing/lifecycle.md: what nodes do with a job while they are well. */
class LifecycleRunsTest extends LifecycleFixture {
    private static final String EVERY_TEN_MINUTES = "0 0/10 * * * ?";

    @Test
    @DisplayName("L16 P1: a job is claimed up to 250 ms before its fire, by one node; without a row")
    void claimed() {
        world.node("a");
        Machine b = world.node("b");
        b.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(60)).build());
        pass(59_700);
        assertThat(document("j").lease()).as("not earlier").isNull();
        pass(250);
        assertThat(document("j").lease()).isNotNull();
        assertThat(document("j").sequences().claimSeq()).isEqualTo(1);
        assertThat(document("j").due()).isAfter(document("j").lease().until());
        assertRows("j", "SCHEDULED/NONE");
        assertThat(world.calls).isEmpty();
    }

    @Test
    @DisplayName("L17 P2: a claimed job starts at its instant, not early, and not on a node whose lease is in doubt")
    void started() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(60)).build());
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(90)).build());
        pass(59_999);
        assertThat(world.calls).isEmpty();
        pass(1);
        assertThat(world.calls).extracting(Call::started).containsExactly(START.plusSeconds(60));
        pass(29_900);
        assertThat(document("k").lease()).isNotNull();
        a.lanes().freeze();
        pass(25_000);
        a.lanes().thaw();
        pass(30_000);
        assertThat(world.callsOf("k"))
                .as("only under a new claim, which recovers the old one")
                .singleElement()
                .satisfies(call -> assertThat(call.fencing()).isEqualTo(2));
        assertThat(a.events()).anyMatch(event -> event instanceof SchedulerEvent.LeaseLost);
    }

    @Test
    @DisplayName("L18 R7: with crashPolicy FAIL the start is on record before the helper is called; else nothing is")
    void startMarked() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("fail")
                        .singleSchedule(START.plusSeconds(60))
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        a.scheduler()
                .scheduleJob(job("rerun").singleSchedule(START.plusSeconds(60)).build());
        pass(59_950);
        assertThat(world.calls).isEmpty();
        assertThat(document("fail").sequences().startedSeq()).isEqualTo(1);
        assertThat(document("fail").lease()).isNotNull();
        assertThat(document("rerun").sequences().startedSeq()).isZero();
        assertRows("fail", "SCHEDULED/NONE");
    }

    @Test
    @DisplayName("L19 P6, R8: a claim that cannot be started here is released without a row or an attempt")
    void released() {
        Machine old = world.node("old");
        Machine all = world.node("all", world.store, Duration.ZERO, builder -> builder.calendar("c", open()));
        kill(all);
        all.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .calendar("c")
                        .build());
        pass(601_000);
        assertThat(old.events()).anyMatch(event -> event instanceof SchedulerEvent.ClaimReleased);
        assertThat(world.calls).isEmpty();
        assertRows("j", "SCHEDULED/NONE");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(600));
        world.node("new", world.store, Duration.ZERO, builder -> builder.calendar("c", open()));
        pass(5_000);
        assertThat(world.calls).extracting(Call::node).containsExactly("new");
        assertThat(world.calls).extracting(Call::attempt).containsExactly(1);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("L20 P3: a renewal lengthens the lease of a run and writes no row")
    void renewed() {
        Machine a = world.node("a");
        world.node("b");
        world.work = call -> endless();
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        Instant until = document("j").lease().until();
        pass(120_000);
        assertThat(document("j").lease().until()).isAfter(until.plusSeconds(100));
        assertThat(world.calls).hasSize(1);
        assertRows("j", "SCHEDULED/NONE");
    }

    @Test
    @DisplayName("L29 M7: the row of a run that outlasted its first lease records when it ended")
    void rowOfALongRun() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofMinutes(3));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(200_000);
        assertRows("j", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(newest("j").updatedTime()).isBetween(START.plusSeconds(181), START.plusSeconds(182));
    }

    @Test
    @DisplayName("L33 M4: a cancel that was noted leaves no failure command to be delivered")
    void canceledNotOwed() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(5)).thenCompose(nothing -> bad());
        a.scheduler().scheduleJob(guarded("j").build());
        pass(2_000);
        a.scheduler().cancelJob("j");
        pass(60_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.RETRIES_EXHAUSTED);
        assertFinished("j");
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L21 P3: a node that was cut off for longer than its lease writes nothing of its run")
    void leaseLost() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(5));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        a.lanes().freeze();
        pass(60_000);
        a.lanes().thaw();
        a.scheduler().beginDrain(Duration.ZERO);
        pass(100);
        assertThat(a.events()).anyMatch(event -> event instanceof SchedulerEvent.LeaseLost);
        assertRows("j", "SCHEDULED/NONE");
        assertThat(document("j").lease()).isNotNull();
    }

    @Test
    @DisplayName(
            "L22 R4: passed fires but the newest are recorded, and the claim goes on; one passed fire is not missed")
    void missedAndRun() {
        down(job("one").schedulingSpecification("0 0 * * * ?"), job("j").schedulingSpecification(EVERY_TEN_MINUTES));
        pass(3_700_000);
        world.node("b");
        pass(5_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/MISSED", "SCHEDULED/SUCCEEDED");
        assertThat(rows("j").get(1).missed().count()).isEqualTo(5);
        assertThat(world.callsOf("j")).extracting(Call::fire).containsExactly(START.plusSeconds(3_600));
        assertRows("one", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("L23 R4: SKIP records every passed fire and waits for the next")
    void missedAndSkipped() {
        down(job("j").schedulingSpecification(EVERY_TEN_MINUTES).missedFirePolicy(MissedFirePolicy.SKIP));
        pass(3_700_000);
        world.node("b");
        pass(5_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/MISSED");
        assertThat(newest("j").missed().count()).isEqualTo(6);
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(4_200));
        assertThat(world.calls).isEmpty();
    }

    @Test
    @DisplayName("L24 R4: with no further fire a skipped recurrence is over: TRIGGERED if it ever ran, else FAILED")
    void missedAndOver() {
        Machine a = world.node("a");
        var bounded = job("never")
                .schedulingSpecification(EVERY_TEN_MINUTES)
                .missedFirePolicy(MissedFirePolicy.SKIP)
                .endAt(START.plusSeconds(3_000));
        a.scheduler().scheduleJob(bounded.build());
        a.scheduler()
                .scheduleJob(bounded.jobSpecificationKey("once")
                        .schedulingSpecification("1 0/10 * * * ?")
                        .build());
        pass(1_500);
        kill(a);
        pass(3_700_000);
        world.node("b");
        pass(5_000);
        assertRows("never", "SCHEDULED/NONE", "FAILED/EXPIRED");
        assertRows("once", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "TRIGGERED/MISSED");
        assertFinished("never");
        assertFinished("once");
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L25 C4: a fire that a calendar excludes by now is recorded and not run; the plan goes on")
    void excluded() {
        closed(job("j").schedulingSpecification(EVERY_TEN_MINUTES), START.plusSeconds(700));
        pass(601_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/EXCLUDED");
        assertThat(newest("j").nextFireTime()).isEqualTo(START.plusSeconds(1_200));
        assertThat(world.calls).isEmpty();
        pass(600_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(1_200));
    }

    @Test
    @DisplayName("L26 C4: with no further fire an excluded recurrence is over")
    void excludedAndOver() {
        closed(
                job("j").schedulingSpecification(EVERY_TEN_MINUTES).endAt(START.plusSeconds(1_000)),
                START.plusSeconds(7_000));
        pass(601_000);
        assertRows("j", "SCHEDULED/NONE", "FAILED/EXPIRED");
        assertFinished("j");
        assertThat(world.calls).isEmpty();
    }

    @Test
    @DisplayName("L27 R4: a one-off whose endAt has passed expires; any other runs however late")
    void expired() {
        down(
                job("j").singleSchedule(START.plusSeconds(60)).endAt(START.plusSeconds(600)),
                job("k").singleSchedule(START.plusSeconds(60)));
        pass(3_600_000);
        world.node("b");
        pass(5_000);
        assertRows("j", "SCHEDULED/NONE", "FAILED/EXPIRED");
        assertFinished("j");
        assertThat(world.calls).extracting(Call::job).containsExactly("k");
    }

    @Test
    @DisplayName("L27 R6: the failure command of an expired one-off is delivered")
    void expiredAndDelivered() {
        down(job("j").singleSchedule(START.plusSeconds(60))
                .endAt(START.plusSeconds(600))
                .failureCommand(new World.Note("sorry"))
                .failureIdentifier("sorry"));
        pass(3_600_000);
        world.node("b");
        pass(5_000);
        assertRows("j", "SCHEDULED/NONE", "FAILED/EXPIRED", "FAILED/FAILURE_DELIVERED");
        assertFinished("j");
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L28 R2: a good run of a recurrence plans the next fire from the plan, however long it took")
    void goodAndOn() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(90));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(700_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(1_200));
    }

    @Test
    @DisplayName(
            "L29 M6: a good run without a further fire ends the job as TRIGGERED; maxFires counts fires that ended")
    void goodAndOver() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("one").singleSchedule(START.plusSeconds(1)).build());
        a.scheduler()
                .scheduleJob(job("two")
                        .schedulingSpecification(EVERY_TEN_MINUTES)
                        .maxFires(2)
                        .build());
        pass(605_000);
        assertRows("one", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertFinished("one");
        assertThat(document("two").isLive()).isTrue();
        pass(800_000);
        assertRows("two", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "TRIGGERED/SUCCEEDED");
        assertFinished("two");
        assertThat(world.callsOf("two")).hasSize(2);
    }

    @Test
    @DisplayName("L30 R5: a failed attempt is planned again after its delay; the next regular fire waits")
    void failedAndRetried() {
        Machine a = world.node("a");
        world.work = call -> bad();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .retryPolicy("R2/PT5M")
                        .build());
        pass(61_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ATTEMPT_FAILED");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(360));
        assertThat(document("j").plan().nextFireTime()).isEqualTo(START.plusSeconds(60));
        pass(290_000);
        assertThat(world.calls).as("not before").hasSize(1);
    }

    @Test
    @DisplayName("L31 R6: a fire of a recurrence that failed for good is FAILED, and the next fire follows")
    void failedAndOn() {
        Machine a = world.node("a");
        world.work = call -> call.fire().equals(START.plusSeconds(60)) ? bad() : good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        pass(61_000);
        assertRows("j", "SCHEDULED/NONE", "FAILED/RETRIES_EXHAUSTED");
        assertThat(document("j").isLive()).isTrue();
        pass(60_000);
        assertRows("j", "SCHEDULED/NONE", "FAILED/RETRIES_EXHAUSTED", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("L32 R6: a one-off that failed for good is finished, and never tried again")
    void failedAndOver() {
        Machine a = world.node("a");
        world.work = call -> bad();
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(300_000);
        assertRows("j", "SCHEDULED/NONE", "FAILED/RETRIES_EXHAUSTED");
        assertFinished("j");
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L33 P8: a failure command is owed from the moment of the FAILED row, and not after a failed attempt")
    void failureOwed() {
        Machine a = world.node("a");
        world.work = call -> bad();
        a.scheduler().scheduleJob(guarded("j").retryPolicy("R1/PT1M").build());
        pass(2_000);
        assertThat(document("j").phase()).hasToString("RUN");
        pass(60_000);
        assertThat(rows("j")).anyMatch(row -> row.outcome() == Outcome.RETRIES_EXHAUSTED);
        assertThat(document("j").phase()).hasToString("FAILURE");
        assertThat(document("j").isLive()).isTrue();
    }

    @Test
    @DisplayName("L34 P8: a delivered failure command ends the fire, and runs once")
    void failureDelivered() {
        Machine a = world.node("a");
        world.work = call -> call.fencing() == 1 ? bad() : good();
        a.scheduler().scheduleJob(guarded("j").build());
        pass(60_000);
        assertRows("j", "SCHEDULED/NONE", "FAILED/RETRIES_EXHAUSTED", "FAILED/FAILURE_DELIVERED");
        assertFinished("j");
        assertThat(world.calls).hasSize(2);
    }

    @Test
    @DisplayName("L35 P8: a failed delivery is tried again after ten seconds")
    void failureRetried() {
        Machine a = world.node("a");
        world.work = call -> call.fencing() < 3 ? bad() : good();
        a.scheduler().scheduleJob(guarded("j").build());
        pass(60_000);
        assertRows(
                "j",
                "SCHEDULED/NONE",
                "FAILED/RETRIES_EXHAUSTED",
                "SCHEDULED/ATTEMPT_FAILED",
                "FAILED/FAILURE_DELIVERED");
        assertThat(Duration.between(
                        world.calls.get(1).started(), world.calls.get(2).started()))
                .isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    @DisplayName("L36 R6 R7: a delivery that was abandoned, and must not happen twice, leaves one failure of its fire")
    void deliveryCrashed() {
        Machine a = world.node("a");
        world.work = call -> world.calls.size() == 1 ? bad() : endless();
        a.scheduler().scheduleJob(guarded("j").crashPolicy(CrashPolicy.FAIL).build());
        pass(10_000);
        assertThat(world.calls).hasSize(2);
        kill(a);
        world.node("b");
        pass(60_000);
        assertRows(
                "j", "SCHEDULED/NONE", "FAILED/RETRIES_EXHAUSTED", "SCHEDULED/ABANDONED", "FAILED/FAILURE_UNDELIVERED");
        assertFinished("j");
    }

    @Test
    @DisplayName("L36 R6: a failure command that fails four times is recorded, and loops no further")
    void failureUndelivered() {
        Machine a = world.node("a");
        world.work = call -> bad();
        a.scheduler().scheduleJob(guarded("j").build());
        pass(300_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.FAILURE_UNDELIVERED);
        assertThat(newest("j").executionStatus()).hasToString("FAILED");
        assertFinished("j");
        assertThat(world.calls).hasSize(5);
    }

    @Test
    @DisplayName("L37 R3: a manual run that succeeded is recorded and leaves the plan as it is; it is never late")
    void manualGood() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(600))
                        .lateExecutionThreshold(Duration.ZERO)
                        .build());
        a.scheduler().runNow("j");
        pass(5_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
        assertThat(newest("j").manual()).isTrue();
        assertThat(newest("j").late()).isFalse();
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(600));
        assertThat(world.calls)
                .as("17.4: row and helper name the same moment")
                .singleElement()
                .satisfies(call -> assertThat(call.fire()).isEqualTo(newest("j").fireTime()));
    }

    @Test
    @DisplayName("L38 R5: a manual run that failed is recorded, not retried, and does not fail the fire")
    void manualFailed() {
        Machine a = world.node("a");
        world.work = call -> bad();
        a.scheduler()
                .scheduleJob(guarded("j").singleSchedule(START.plusSeconds(600)).build());
        a.scheduler().runNow("j");
        pass(60_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/ATTEMPT_FAILED");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(600));
        assertThat(document("j").plan().attempts()).isZero();
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L39 R14: a run that a shutdown interrupts is given back, and costs no attempt")
    void shutDown() {
        Machine a = world.node("a");
        world.work = call -> call.node().equals("a") ? endless() : good();
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        pass(3_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED");
        assertThat(document("j").lease()).isNull();
        world.node("b");
        pass(3_000);
        assertThat(world.calls).extracting(Call::attempt).containsExactly(1, 1);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("L40 R7: a run with crashPolicy FAIL that a shutdown interrupts is CRASHED, and not run again")
    void shutDownOnce() {
        Machine a = world.node("a");
        world.work = call -> endless();
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        pass(2_000);
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        pass(3_000);
        world.node("b");
        pass(60_000);
        assertRows("j", "SCHEDULED/NONE", "FAILED/CRASHED");
        assertFinished("j");
        assertThat(world.calls).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(CrashPolicy.class)
    @DisplayName(
            "L39 L40 R5: what a helper says when a shutdown interrupts it stands: over for good, skipped, or put off")
    void answeredShutDown(CrashPolicy policy) {
        Instant later = START.plusSeconds(3_600);
        Map<String, RuntimeException> answers = Map.of(
                "closed", new NonRetryableException("account closed"),
                "empty", new SkipException("nothing to pay"),
                "waits", new PostponeException(later, "file not there"),
                "broken", new IllegalStateException("interrupted"));
        Machine a = world.node("a");
        world.work = call -> call.node().equals("a") ? answering(answers.get(call.job())) : good();
        answers.keySet()
                .forEach(key -> a.scheduler()
                        .scheduleJob(job(key).schedulingSpecification("0 10 8 * * ?")
                                .crashPolicy(policy)
                                .build()));
        pass(601_000);
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        pass(3_000);
        assertRows("closed", "SCHEDULED/NONE", "FAILED/NON_RETRYABLE");
        assertThat(newest("closed").error().message()).isEqualTo("account closed");
        assertRows("empty", "SCHEDULED/NONE", "SCHEDULED/SKIPPED");
        assertThat(newest("empty").detail()).isEqualTo("nothing to pay");
        assertRows("waits", "SCHEDULED/NONE", "SCHEDULED/POSTPONED");
        assertThat(newest("waits").detail()).isEqualTo("file not there");
        boolean again = policy != CrashPolicy.FAIL;
        assertRows("broken", "SCHEDULED/NONE", again ? "SCHEDULED/ABANDONED" : "FAILED/CRASHED");
        world.node("b");
        pass(60_000);
        assertThat(world.calls)
                .filteredOn(call -> call.node().equals("b"))
                .extracting(Call::job)
                .as("of these, only what said nothing runs again at once")
                .isEqualTo(again ? List.of("broken") : List.of());
        pass(3_600_000);
        assertThat(world.callsOf("waits"))
                .extracting(Call::started)
                .endsWith(later)
                .hasSize(2);
        assertThat(world.callsOf("closed")).hasSize(1);
        assertThat(world.callsOf("empty")).hasSize(1);
    }

    /** The stage of a run whose code answers a request to end in this way. */
    private static CompletableFuture<Void> answering(RuntimeException answer) {
        return new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return completeExceptionally(answer);
            }
        };
    }

    @Test
    @DisplayName("L40 S7: the row of a CRASHED run that a shutdown interrupts tells of the run, and its state is saved")
    void shutDownOnceTells() {
        Machine a = world.node("a");
        world.begun = run -> {
            run.log("half of it");
            run.progress("at line 7");
            run.setState(Map.of("line", 7));
        };
        world.work = call -> endless();
        a.scheduler().scheduleJob(recurringOnce("fire").build());
        a.scheduler()
                .scheduleJob(recurringOnce("followed")
                        .onFailure(JobSpecification.now("alarm", new World.Note("alarm")))
                        .build());
        a.scheduler()
                .scheduleJob(recurringOnce("byHand")
                        .schedulingSpecification("0 0 0 1 1 ?")
                        .build());
        a.scheduler().runNow("byHand");
        pass(601_000);
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        pass(3_000);
        assertRows("fire", "SCHEDULED/NONE", "FAILED/CRASHED");
        assertRows("followed", "SCHEDULED/NONE", "FAILED/CRASHED");
        assertRows("alarm", "SCHEDULED/NONE");
        assertRows("byHand", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/CRASHED");
        for (String key : List.of("fire", "followed", "byHand")) {
            JobExecutionStatus row = newest(key);
            assertThat(row.startedTime()).as(key).isNotNull();
            assertThat(row.attempt()).as(key).isEqualTo(1);
            assertThat(row.note()).as(key).isEqualTo("at line 7");
            assertThat(row.log()).as(key).extracting(LogLine::text).containsExactly("half of it");
            assertThat(row.detail()).as(key).contains("shut down", "crash policy");
            assertThat(row.manual()).as(key).isEqualTo(key.equals("byHand"));
            assertThat(document(key).state()).as(key).containsEntry("line", 7);
            assertThat(document(key).isLive()).as(key).isTrue();
        }
    }

    private static JobSpecificationBuilder recurringOnce(String key) {
        return job(key).schedulingSpecification(EVERY_TEN_MINUTES).crashPolicy(CrashPolicy.FAIL);
    }

    @Test
    @DisplayName(
            "L40 M4: a run with crashPolicy FAIL that a revoked cancel has interrupted is CRASHED, and says by what")
    void revokedOnce() {
        Machine a = world.node("a");
        CompletableFuture<Void> end = World.deaf();
        world.work = call -> end;
        JobSpecification once = recurringOnce("j").build();
        a.scheduler().scheduleJob(once);
        pass(601_000);
        a.scheduler().cancelJob("j", CancelMode.INTERRUPT);
        pass(2_000);
        a.scheduler().scheduleJob(once);
        end.completeExceptionally(new CancellationException("interrupted"));
        pass(2_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CRASHED);
        assertThat(newest("j").detail()).contains("a cancel that was revoked").doesNotContain("its node ended");
    }

    @Test
    @DisplayName("L41 M4: the end of a run whose job was cancelled ends the job; a last good run stays TRIGGERED")
    void canceledAtTheEnd() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(5));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(60)).build());
        pass(61_000);
        a.scheduler().cancelJob("j");
        a.scheduler().cancelJob("k");
        pass(200_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "CANCELED/CANCELED");
        assertRows("k", "SCHEDULED/NONE", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertFinished("j");
        assertThat(world.calls).hasSize(2);
    }

    @Test
    @DisplayName("L41 M4: a failed attempt of a cancelled job is not tried again")
    void canceledNotRetried() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(5)).thenCompose(nothing -> bad());
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R5/PT1M")
                        .build());
        pass(2_000);
        a.scheduler().cancelJob("j");
        pass(200_000);
        assertThat(rows("j"))
                .extracting(row -> row.outcome())
                .as("no row announces a retry")
                .containsExactly(Outcome.NONE, Outcome.NONE, Outcome.ATTEMPT_FAILED, Outcome.CANCELED);
        assertThat(newest("j").executionStatus()).hasToString("CANCELED");
        assertFinished("j");
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L42 P7: the end of a run whose job was paused holds the job back, with the row of the run")
    void pausedAtTheEnd() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(5));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        pass(61_000);
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        pass(200_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/PAUSED", "SCHEDULED/SUCCEEDED");
        assertThat(document("j").due()).isNull();
        assertThat(document("j").plan().nextFireTime()).isEqualTo(START.plusSeconds(120));
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L45 P7: a run asked for during a run follows it at once, and the plan goes on beside it")
    void runNowAtTheEnd() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(5));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(601_000);
        a.scheduler().runNow("j");
        pass(60_000);
        assertThat(world.calls)
                .extracting(Call::started)
                .containsExactly(START.plusSeconds(600), START.plusSeconds(605));
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(1_200));
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "L45 S4: a run asked for while a claim waits for its thread is made, although the planned fire is too late by then")
    void runNowBeforeTheEnd() {
        Machine a = nodeWithSlowThreads("a");
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .startDeadline(Duration.ofSeconds(2))
                        .build());
        pass(2_000);
        assertThat(document("j").lease()).isNotNull();
        a.scheduler().runNow("j");
        pass(60_000);
        assertThat(world.calls).hasSize(1);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "FAILED/EXPIRED");
        assertFinished("j");
    }

    @Test
    @DisplayName("L46 R8: a command that cannot be read sets its job aside; the others of the node go on")
    void block() {
        Machine a = nodeOfNewRelease("a");
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .triggerCommand(UNREADABLE)
                        .build());
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        pass(60_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/BLOCKED");
        assertThat(document("j").isLive()).isTrue();
        assertThat(document("j").due()).isNull();
        assertThat(document("j").blockedReason()).contains("cannot be read");
        assertThat(world.calls).extracting(Call::job).containsExactly("k");
    }

    private static JobSpecificationBuilder guarded(String key) {
        return job(key).singleSchedule(START.plusSeconds(1))
                .failureCommand(new World.Note("sorry"))
                .failureIdentifier("sorry");
    }

    /** Schedules on a node that is killed at once. */
    private void down(JobSpecificationBuilder... jobs) {
        Machine a = world.node("a");
        for (JobSpecificationBuilder job : jobs) {
            a.scheduler().scheduleJob(job.build());
        }
        kill(a);
    }

    /** Schedules with an open calendar on a node that dies; another one knows it as closed until an instant. */
    private void closed(JobSpecificationBuilder job, Instant until) {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("c", open()));
        a.scheduler().scheduleJob(job.calendar("c").build());
        kill(a);
        world.node("b", world.store, Duration.ZERO, builder -> builder.calendar("c", closedUntil(until)));
    }

    private static ExclusionCalendar open() {
        return closedUntil(Instant.EPOCH);
    }
}
