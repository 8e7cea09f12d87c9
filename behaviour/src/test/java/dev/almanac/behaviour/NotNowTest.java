package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.PostponeException;
import dev.almanac.helper.SkipException;
import dev.almanac.model.Explanation;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.SchedulerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A helper that finds that it must not run now, and a job that keeps failing. */
class NotNowTest extends LifecycleFixture {
    private static final String EVERY_MINUTE = "0 * * * * ?";
    private static final Instant FIRST = START.plusSeconds(60);

    private static CompletionStage<Void> failed(RuntimeException error) {
        return CompletableFuture.<Void>failedFuture(error).thenApply(nothing -> nothing);
    }

    @Test
    @DisplayName("L93 8: a skipped fire is over, neither failed nor good, and uses no attempt; a one-off is finished")
    void skipped() {
        Machine a = world.node("a");
        world.work = call -> {
            if (call.fire().equals(FIRST)) {
                throw new SkipException("a holiday");
            }
            return good();
        };
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE)
                        .retryPolicy("R5/PT5S")
                        .build());
        a.scheduler()
                .scheduleJob(job("k").singleSchedule(FIRST)
                        .failureCommand(new World.Note("sorry"))
                        .failureIdentifier("sorry")
                        .build());
        pass(61_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/SKIPPED");
        assertThat(newest("j").detail()).isEqualTo("a holiday");
        assertThat(newest("j").error()).isNull();
        assertThat(document("j").plan().attempts()).isZero();
        assertThat(document("j").plan().previousGoodRun()).as("no good run").isNull();
        assertThat(a.scheduler().explainJob("j").reasons())
                .anyMatch(reason -> reason.text().contains("since its helper skipped it (a holiday)"));
        pass(60_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/SKIPPED", "SCHEDULED/SUCCEEDED");
        assertRows("k", "SCHEDULED/NONE", "TRIGGERED/SKIPPED");
        assertFinished("k");
        assertThat(world.callsOf("k")).as("no failure command").hasSize(1);
    }

    @Test
    @DisplayName("O2: a job is paused since a user has paused it, whatever words its helper gives for a skipped fire")
    void skippedInWordsOfPause() {
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(20))
                .thenCompose(done -> failed(new SkipException("paused by ops: audit")));
        a.scheduler().scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE).build());
        pass(65_000);
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        Instant paused = newest("j").updatedTime();
        pass(30_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/PAUSED", "SCHEDULED/SKIPPED");
        assertThat(a.scheduler().explainJob("j").reasons().get(0))
                .returns(Explanation.Kind.PAUSED, Explanation.Reason::kind)
                .returns(paused, Explanation.Reason::since);
    }

    @Test
    @DisplayName("L94 8: a fire that is put off runs again at its moment, out of a failed stage, too, and is counted")
    void postponed() {
        Machine a = world.node("a");
        Instant later = FIRST.plusSeconds(150);
        world.work = call -> call.started().isBefore(later) && call.fire().equals(FIRST)
                ? failed(new PostponeException(
                        call.started().isBefore(FIRST.plusSeconds(30)) ? FIRST.plusSeconds(30) : later, "no file yet"))
                : good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE)
                        .lateExecutionThreshold(Duration.ofSeconds(5))
                        .build());
        pass(61_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/POSTPONED");
        assertThat(document("j").due()).isEqualTo(FIRST.plusSeconds(30));
        assertThat(document("j").plan().nextFireTime()).isEqualTo(FIRST);
        Explanation why = a.scheduler().explainJob("j");
        assertThat(why.headline()).contains("was postponed by its helper until 2099-03-02T08:01:30Z", "(no file yet)");
        pass(180_000);
        assertThat(world.calls.subList(0, 3))
                .extracting(Call::started)
                .containsExactly(FIRST, FIRST.plusSeconds(30), later);
        assertThat(world.calls.subList(0, 3)).allSatisfy(call -> {
            assertThat(call.fire()).isEqualTo(FIRST);
            assertThat(call.attempt()).isEqualTo(1);
            assertThat(call.over()).as("the verdict of the first call").isZero();
        });
        assertThat(rows("j"))
                .extracting(row -> row.outcome())
                .startsWith(Outcome.NONE, Outcome.POSTPONED, Outcome.POSTPONED, Outcome.SUCCEEDED, Outcome.MISSED);
        assertThat(document("j").plan().postponed()).isZero();
    }

    @Test
    @DisplayName(
            "L94 8: putting off is bounded: at the limit it counts as a failed attempt, and retries have their turn")
    void postponedTooOften() {
        SchedulerSettings twice = SchedulerSettings.builder().postponeLimit(2).build();
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.settings(twice));
        world.work = call -> failed(new PostponeException(call.started(), "never"));
        a.scheduler()
                .scheduleJob(
                        job("j").singleSchedule(FIRST).retryPolicy("R1/PT5S").build());
        pass(120_000);
        assertRows(
                "j",
                "SCHEDULED/NONE",
                "SCHEDULED/POSTPONED",
                "SCHEDULED/POSTPONED",
                "SCHEDULED/ATTEMPT_FAILED",
                "FAILED/RETRIES_EXHAUSTED");
        assertFinished("j");
        assertThat(newest("j").error().message())
                .isEqualTo("it was postponed 2 times, as often as postponeLimit allows: never");
        assertThat(world.calls)
                .as("a past moment is a second away")
                .extracting(Call::started)
                .containsExactly(FIRST, FIRST.plusSeconds(1), FIRST.plusSeconds(2), FIRST.plusSeconds(7));
    }

    @Test
    @DisplayName("8: a manual run that is skipped or put off is recorded, and the plan stays")
    void byHand() {
        Machine a = world.node("a");
        world.work = call -> {
            throw call.job().equals("j") ? new SkipException("no") : new PostponeException(FIRST, "later");
        };
        for (String key : new String[] {"j", "k"}) {
            a.scheduler()
                    .scheduleJob(job(key).singleSchedule(START.plusSeconds(600)).build());
            a.scheduler().runNow(key);
        }
        pass(120_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/SKIPPED");
        assertRows("k", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/POSTPONED");
        assertThat(document("k").due()).isEqualTo(START.plusSeconds(600));
        assertThat(document("k").plan().postponed()).isZero();
        assertThat(world.calls).hasSize(2);
    }

    @Test
    @DisplayName(
            "L95 9: after so many failed fires in a row the job is paused, with row and event; a resume counts anew")
    void pausedAfterFailures() {
        Machine a = world.node("a");
        Instant goodFire = START.plusSeconds(120);
        world.work = call -> call.fire().equals(goodFire) ? good() : bad();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE)
                        .retryPolicy("R1/PT5S")
                        .pauseAfterFailures(2)
                        .build());
        pass(230_000);
        assertThat(document("j").requests().pause())
                .as("one, a good one, one: none in a row yet")
                .isNull();
        assertThat(document("j").plan().failuresInARow()).isEqualTo(1);
        pass(20_000);
        assertThat(document("j").requests().pause().reason()).isEqualTo("2 fires in a row have failed");
        assertThat(document("j").due()).isNull();
        assertThat(newest("j").detail()).isEqualTo("paused by pauseAfterFailures: 2 fires in a row have failed");
        assertThat(rows("j").get(rows("j").size() - 2).outcome()).isEqualTo(Outcome.RETRIES_EXHAUSTED);
        assertThat(a.scheduler().explainJob("j").headline())
                .contains("is paused by pauseAfterFailures since", "2 fires in a row have failed");
        world.pass(Duration.ZERO);
        assertThat(a.events())
                .filteredOn(event -> event instanceof SchedulerEvent.JobPaused)
                .hasSize(1);
        int calls = world.calls.size();
        pass(300_000);
        assertThat(world.calls).hasSize(calls);
        a.scheduler().resume(PauseScope.job("j"));
        assertThat(document("j").plan().failuresInARow()).isZero();
        pass(50_000);
        assertThat(document("j").plan().failuresInARow()).isEqualTo(1);
        assertThat(document("j").requests().pause()).isNull();
        pass(60_000);
        assertThat(document("j").requests().pause()).isNotNull();
    }

    @Test
    @DisplayName("L95 9, S19: a resume during a run counts anew, from the failure of that run; a pause alone does not")
    void resumedDuringRun() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(20)).thenCompose(nothing -> bad());
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE)
                        .pauseAfterFailures(2)
                        .build());
        pass(125_000);
        assertThat(document("j").isInProgress()).isTrue();
        a.scheduler().pause(PauseScope.job("j"), Pause.because("a look at it"));
        assertThat(document("j").plan().failuresInARow()).isEqualTo(1);
        a.scheduler().resume(PauseScope.job("j"));
        assertThat(document("j").isInProgress()).isTrue();
        assertThat(document("j").plan().failuresInARow()).isZero();
        pass(20_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.RETRIES_EXHAUSTED);
        assertThat(document("j").plan().failuresInARow()).isEqualTo(1);
        assertThat(document("j").requests().pause()).isNull();
        pass(60_000);
        assertThat(document("j").requests().pause().reason()).isEqualTo("2 fires in a row have failed");
    }

    @Test
    @DisplayName("L95 9, P8: a failure command is delivered before the job is paused; a manual run does not count")
    void deliveredFirst() {
        Machine a = world.node("a");
        world.work = call -> call.fencing() % 2 == 1 ? bad() : good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE)
                        .pauseAfterFailures(1)
                        .failureCommand(new World.Note("sorry"))
                        .failureIdentifier("sorry")
                        .build());
        a.scheduler().runNow("j");
        pass(10_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.ATTEMPT_FAILED);
        assertThat(document("j").requests().pause()).isNull();
        world.work = call -> call.fencing() == 2 ? bad() : good();
        pass(60_000);
        assertThat(rows("j"))
                .extracting(row -> row.executionStatus() + "/" + row.outcome())
                .endsWith("FAILED/RETRIES_EXHAUSTED", "FAILED/FAILURE_DELIVERED", "SCHEDULED/PAUSED");
        assertThat(document("j").requests().pause()).isNotNull();
    }

    @Test
    @DisplayName("L08 X2: a run that is asked for while a failure command waits for its retry follows its delivery")
    void runNowWhileOwing() {
        Machine a = world.node("a");
        world.work = call -> call.fencing() < 3 ? bad() : good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE)
                        .failureCommand(new World.Note("sorry"))
                        .failureIdentifier("sorry")
                        .build());
        pass(62_000);
        a.scheduler().runNow("j");
        Instant retry = document("j").plan().retryTime();
        assertThat(document("j").due()).isEqualTo(retry);
        pass(5_000);
        assertThat(document("j").sequences().claimSeq())
                .as("no claim is in vain")
                .isEqualTo(2);
        pass(10_000);
        assertThat(world.calls).extracting(Call::fencing).containsExactly(1L, 2L, 3L, 4L);
        assertThat(world.calls.get(2).started()).isEqualTo(retry);
        assertThat(world.calls.get(3).started()).isBefore(retry.plusSeconds(1));
        assertThat(rows("j").get(5).manual()).isTrue();
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(120));
    }
}
