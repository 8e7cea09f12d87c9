package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StaleJobException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The edges L01 to L15 of contributing/lifecycle.md: what users ask for. */
class LifecycleRequestsTest extends LifecycleFixture {
    private static final String EVERY_TEN_MINUTES = "0 0/10 * * * ?";

    @Test
    @DisplayName("L01 M3: a scheduled job waits for its fire; one that is refused leaves nothing")
    void scheduled() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(60)).build());
        assertRows("j", "SCHEDULED/NONE");
        assertThat(newest("j").detail()).isEqualTo("scheduled");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(60));
        assertThat(document("j").lease()).isNull();
        assertThatThrownBy(() -> a.scheduler()
                        .scheduleJob(job("past")
                                .singleSchedule(START.minusSeconds(120))
                                .build()))
                .isInstanceOf(InvalidJobException.class);
        assertThat(rows("past")).isEmpty();
        assertThat(a.scheduler().findJobById("past")).isEmpty();
    }

    @Test
    @DisplayName("L01 M3: a second job of a live key is not made: equal contents and KEEP change nothing")
    void scheduledTwice() {
        Machine a = world.node("a");
        Machine b = world.node("b");
        var spec = job("j").singleSchedule(START.plusSeconds(60)).build();
        a.scheduler().scheduleJob(spec);
        b.scheduler().scheduleJob(spec);
        var other = spec.toBuilder().singleSchedule(START.plusSeconds(90)).build();
        b.scheduler().scheduleJob(other, IfExists.KEEP);
        assertRows("j", "SCHEDULED/NONE");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(60));
    }

    @Test
    @DisplayName("L02 M3: an update of a waiting job leaves a row; only a changed schedule moves the fire")
    void updated() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(1_000);
        var spec = job("j").schedulingSpecification(EVERY_TEN_MINUTES).priority(2);
        a.scheduler().updateJob(spec.build());
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE");
        assertThat(newest("j").detail()).isEqualTo("updated");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(600));
        a.scheduler().updateJob(spec.schedulingSpecification("0 0 * * * ?").build());
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(3_600));
        assertThat(document("j").specification().version()).isEqualTo(3);
    }

    @Test
    @DisplayName("L02 M3: a stale version, an unknown key and equal contents write nothing")
    void notUpdated() {
        Machine a = world.node("a");
        var spec = job("j").singleSchedule(START.plusSeconds(60)).build();
        a.scheduler().scheduleJob(spec);
        assertThatThrownBy(() -> a.scheduler()
                        .updateJob(spec.toBuilder().version(7).priority(1).build()))
                .isInstanceOf(StaleJobException.class);
        assertThatThrownBy(() -> a.scheduler()
                        .updateJob(
                                job("k").singleSchedule(START.plusSeconds(60)).build()))
                .isInstanceOf(JobNotFoundException.class);
        a.scheduler().updateJob(spec);
        assertRows("j", "SCHEDULED/NONE");
        assertThat(document("j").specification().version()).isEqualTo(1);
    }

    @Test
    @DisplayName("L03 M3, R5: a new schedule ends the retries of the old fire; other contents leave them")
    void updatedWhileRetrying() {
        Machine a = world.node("a");
        world.work = call -> call.started().isBefore(START.plusSeconds(100)) ? bad() : good();
        var spec = job("j").singleSchedule(START.plusSeconds(1)).retryPolicy("R5/PT5M");
        a.scheduler().scheduleJob(spec.build());
        pass(2_000);
        a.scheduler().updateJob(spec.priority(2).build());
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(301));
        a.scheduler().updateJob(spec.singleSchedule(START.plusSeconds(200)).build());
        assertThat(document("j").plan().attempts()).isZero();
        pass(600_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(1), START.plusSeconds(200));
        assertThat(world.calls).extracting(Call::attempt).containsExactly(1, 1);
        assertRows(
                "j",
                "SCHEDULED/NONE",
                "SCHEDULED/ATTEMPT_FAILED",
                "SCHEDULED/NONE",
                "SCHEDULED/NONE",
                "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("L03 R6: a new schedule does not lose the failure command that is still owed")
    void updatedWhileDelivering() {
        Machine a = world.node("a");
        world.work = call -> call.fencing() < 3 ? bad() : good();
        var spec = job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                .failureCommand(new World.Note("sorry"))
                .failureIdentifier("sorry");
        a.scheduler().scheduleJob(spec.build());
        pass(605_000);
        assertThat(newest("j").outcome()).hasToString("ATTEMPT_FAILED");
        a.scheduler().updateJob(spec.schedulingSpecification("0 0 * * * ?").build());
        pass(60_000);
        assertThat(newest("j").outcome()).hasToString("FAILURE_DELIVERED");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(3_600));
    }

    @Test
    @DisplayName("L03 R6: a failure command that is taken away is not replaced by the trigger command")
    void failureCommandTakenAway() {
        Machine a = world.node("a");
        world.work = call -> bad();
        var spec = job("j").singleSchedule(START.plusSeconds(1));
        a.scheduler()
                .scheduleJob(spec.failureCommand(new World.Note("sorry"))
                        .failureIdentifier("sorry")
                        .build());
        pass(5_000);
        assertThat(world.calls).hasSize(2);
        a.scheduler()
                .updateJob(spec.failureCommand(null).failureIdentifier(null).build());
        pass(60_000);
        assertThat(world.calls).hasSize(2);
        assertThat(newest("j").outcome()).hasToString("FAILURE_UNDELIVERED");
        assertFinished("j");
    }

    @Test
    @DisplayName("L04 M4: a cancelled job is finished at once, keeps its rows for a while, and never starts")
    void canceled() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(60)).build());
        assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        assertRows("j", "SCHEDULED/NONE", "CANCELED/CANCELED");
        assertFinished("j");
        assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.NOT_FOUND);
        pass(120_000);
        assertThat(world.calls).isEmpty();
        assertThat(rows("j")).hasSize(2);
    }

    @Test
    @DisplayName("L05 P7: a paused job is not due and does not fire; its row says who paused it, and why")
    void paused() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/PAUSED");
        assertThat(newest("j").detail()).isEqualTo("paused by ops: audit");
        assertThat(document("j").due()).isNull();
        pass(900_000);
        assertThat(world.calls).isEmpty();
    }

    @Test
    @DisplayName("L06 R1, R4: a resumed job goes on; the fires that passed meanwhile are missed, not run one by one")
    void resumed() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .missedFirePolicy(MissedFirePolicy.SKIP)
                        .build());
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        pass(1_861_000);
        a.scheduler().resume(PauseScope.job("j"));
        assertThat(newest("j").detail()).isEqualTo("resumed");
        pass(60_000);
        assertThat(world.calls).isEmpty();
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/PAUSED", "SCHEDULED/NONE", "SCHEDULED/MISSED");
        pass(600_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(2_400));
    }

    @Test
    @DisplayName("L07 P7: a pause with an end is over by itself, without a row, and not before")
    void pauseOver() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(60)).build());
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", START.plusSeconds(300)));
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(300));
        pass(299_900);
        assertThat(world.calls).isEmpty();
        pass(1_000);
        assertThat(world.calls).extracting(Call::started).containsExactly(START.plusSeconds(300));
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/PAUSED", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("L08 P7: a run that is asked for happens at once and leaves the plan; not while the job is paused")
    void runNow() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(600)).build());
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        a.scheduler().runNow("j");
        assertThat(newest("j").detail()).isEqualTo("a run now was requested");
        pass(60_000);
        assertThat(world.calls).isEmpty();
        a.scheduler().resume(PauseScope.job("j"));
        pass(1_000);
        assertThat(world.calls).hasSize(1);
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(600));
        pass(600_000);
        assertThat(world.calls).hasSize(2);
    }

    @Test
    @DisplayName("L09 P7: a job that was blocked goes on after an update, and after nothing less")
    void mended() {
        Machine a = nodeOfNewRelease("a");
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .triggerCommand(UNREADABLE)
                        .build());
        pass(60_000);
        assertThat(document("j").blocked()).isNotNull();
        a.scheduler().pause(PauseScope.job("j"), new Pause("look", "ops", null));
        a.scheduler().resume(PauseScope.job("j"));
        a.scheduler().runNow("j");
        assertThat(document("j").due()).isNull();
        a.scheduler().updateJob(job("j").singleSchedule(START.plusSeconds(90)).build());
        assertThat(document("j").blocked()).isNull();
        assertThat(newest("j").detail()).startsWith("updated; its fire moves from");
        pass(60_000);
        assertThat(world.callsOf("j")).isNotEmpty();
    }

    @Test
    @DisplayName("L10 M5: a finished key can be scheduled again, as another document with rows of its own")
    void scheduledAgain() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(10_000);
        String first = document("j").id();
        assertFinished("j");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(60)).build());
        assertThat(document("j").id()).isNotEqualTo(first);
        assertThat(document("j").isLive()).isTrue();
        assertThat(document("j").specification().version()).isEqualTo(1);
        assertThat(rows("j"))
                .filteredOn(row -> row.jobSpecificationId().equals(first))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.deleteTime()).isNotNull());
    }

    @Test
    @DisplayName("L11 M4: a cancel of a running job is noted; lease and due are left alone, and the run goes on")
    void cancelNoted() {
        Machine a = running(() -> slow(Duration.ofSeconds(30)));
        var before = document("j");
        assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.ALREADY_RUNNING);
        assertThat(newest("j").detail()).isEqualTo("cancel requested");
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE");
        assertUntouched(before);
        assertThat(document("j").isLive()).isTrue();
    }

    @Test
    @DisplayName("L12 M4: a cancel with INTERRUPT stops the run on whichever node runs it; a plain cancel does not")
    void interruptNoted() {
        CompletableFuture<Void> stage = new CompletableFuture<>();
        running(() -> stage);
        Machine b = world.node("b");
        b.scheduler().cancelJob("j");
        pass(10_000);
        assertThat(stage).isNotDone();
        assertThat(b.scheduler().cancelJob("j", CancelMode.INTERRUPT)).isEqualTo(CancelResult.ALREADY_RUNNING);
        assertThat(newest("j").detail()).isEqualTo("cancel and interrupt requested");
        pass(1_000);
        assertThat(stage).isCancelled();
        pass(700_000);
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L12 L71: INTERRUPT between claim and start, on the holder's node, prevents that start and no other")
    void interruptBeforeStart() {
        Machine a = world.node("a");
        Stream.of("j", "k")
                .map(key -> job(key).schedulingSpecification("0 * * * * ?").build())
                .forEach(a.scheduler()::scheduleJob);
        pass(59_950);
        assertThat(document("j").lease()).isNotNull();
        assertThat(a.scheduler().cancelJob("j", CancelMode.INTERRUPT)).isEqualTo(CancelResult.ALREADY_RUNNING);
        pass(1_000);
        assertThat(world.calls).extracting(Call::job).containsExactly("k");
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "CANCELED/CANCELED");
        assertFinished("j");
    }

    @Test
    @DisplayName(
            "L12 L19: an INTERRUPT before the start whose cancel is taken back uses no attempt: the next claim runs the fire")
    void interruptBeforeStartTakenBack() {
        Machine a = world.node("a");
        JobSpecification every = job("j").schedulingSpecification("0 * * * * ?").build();
        a.scheduler().scheduleJob(every);
        pass(59_950);
        a.scheduler().cancelJob("j", CancelMode.INTERRUPT);
        a.scheduler().scheduleJob(every);
        pass(2_000);
        assertThat(world.calls).singleElement().satisfies(call -> {
            assertThat(call.fire()).isEqualTo(START.plusSeconds(60));
            assertThat(call.attempt()).isEqualTo(1);
            assertThat(call.fencing()).isEqualTo(2);
        });
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    @DisplayName(
            "L12 L71: INTERRUPT elsewhere reaches within a second a run that waits in the executor, and no other run")
    void interruptInExecutor() {
        List<Runnable> queued = new ArrayList<>();
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.executor(queued::add));
        Stream.of("j", "k")
                .map(key -> job(key).singleSchedule(START.plusSeconds(1)).build())
                .forEach(a.scheduler()::scheduleJob);
        pass(2_000);
        assertThat(queued).hasSize(2);
        CancelResult answer = world.client(builder -> builder).cancelJob("j", CancelMode.INTERRUPT);
        assertThat(answer).isEqualTo(CancelResult.ALREADY_RUNNING);
        pass(1_000);
        assertFinished("j");
        queued.forEach(Runnable::run);
        assertThat(world.calls).extracting(Call::job).containsExactly("k");
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "CANCELED/CANCELED");
    }

    @Test
    @DisplayName("L13 P7: a pause of a running job is noted, and the run goes on")
    void pauseNoted() {
        Machine a = running(() -> slow(Duration.ofSeconds(30)));
        var before = document("j");
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/PAUSED");
        assertUntouched(before);
    }

    @Test
    @DisplayName("L14 P7: an update of a running job is stored, and the run, its lease and its fire are left alone")
    void updateNoted() {
        Machine a = running(() -> slow(Duration.ofSeconds(30)));
        var before = document("j");
        a.scheduler().updateJob(job("j").schedulingSpecification("0 0 * * * ?").build());
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE");
        assertThat(document("j").specification().version()).isEqualTo(2);
        assertUntouched(before);
    }

    @Test
    @DisplayName("L15 P7: a run asked for while one goes on is noted, and does not overlap it")
    void runNowNoted() {
        Machine a = running(() -> slow(Duration.ofSeconds(30)));
        var before = document("j");
        a.scheduler().runNow("j");
        pass(5_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE");
        assertUntouched(before);
        assertThat(world.calls).hasSize(1);
    }

    /** A recurring job {@code j} that has just started on node a. */
    private Machine running(Supplier<CompletionStage<Void>> stage) {
        Machine a = world.node("a");
        world.work = call -> stage.get();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(601_000);
        assertThat(world.calls).hasSize(1);
        return a;
    }

    private void assertUntouched(dev.almanac.store.StoredJob before) {
        assertThat(document("j").lease()).isEqualTo(before.lease());
        assertThat(document("j").due()).isEqualTo(before.due());
        assertThat(document("j").plan()).isEqualTo(before.plan());
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("L73 M4: a job whose node is dead can be cancelled when its lease is over, though no node can run it")
    void cancelAfterTheLease() {
        Machine a = world.node("a");
        world.work = call -> endless();
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        kill(a);
        Machine b = world.idleNode("b");
        pass(18_000);
        assertThat(b.scheduler().cancelJob("j")).isEqualTo(CancelResult.ALREADY_RUNNING);
        pass(60_000);
        assertThat(document("j").isLive()).isTrue();
        assertThat(b.scheduler().cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        assertFinished("j");
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CANCELED);
        assertThat(b.scheduler().cancelJob("j")).isEqualTo(CancelResult.NOT_FOUND);
        assertThat(b.scheduler().checkInvariants().isClean()).isTrue();
    }

    @Test
    @DisplayName("O4: the events of the beginning and the end of a run name the same fire, also of a run by hand")
    void eventsOfOneFire() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(1_000);
        a.scheduler().runNow("j");
        pass(600_000);
        List<Instant> ended = a.events().stream()
                .flatMap(event -> event instanceof SchedulerEvent.RunEnded end ? Stream.of(end.fireTime()) : null)
                .toList();
        assertThat(ended).containsExactly(START.plusSeconds(1), START.plusSeconds(600));
        assertThat(a.events())
                .filteredOn(SchedulerEvent.RunStarted.class::isInstance)
                .extracting(event -> ((SchedulerEvent.RunStarted) event).fireTime())
                .isEqualTo(ended);
    }
}
