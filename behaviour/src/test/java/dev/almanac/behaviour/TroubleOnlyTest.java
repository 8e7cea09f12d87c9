package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ActionReport;
import dev.almanac.model.FindScope;
import dev.almanac.model.History;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Jobs that keep trouble only: the same over every kind of store. */
class TroubleOnlyTest extends OverStores {
    private static final Instant FIRE = START.plusSeconds(10);
    private static final Duration A_WHILE = Duration.ofMinutes(2);

    private static JobSpecificationBuilder trouble() {
        return job("j").history(History.TROUBLE);
    }

    private String schedule(Machine machine, JobSpecificationBuilder job) {
        machine.scheduler().scheduleJob(job.build());
        world.writeRows();
        return live().id();
    }

    private StoredJob live() {
        return world.store.find("j", FindScope.LIVE).orElseThrow();
    }

    private List<JobExecutionStatus> rows(String id) {
        return world.store.rows(RowQuery.ofDocument(id, 100));
    }

    private boolean isGone(String id) {
        return world.store.load(List.of(id)).isEmpty();
    }

    private static CompletionStage<Void> fails() {
        return CompletableFuture.failedFuture(new IllegalStateException("broken"));
    }

    private FaultyStore faulty() {
        return new FaultyStore(world.store, world.lanes.node().open("network", 1));
    }

    private Machine over(FaultyStore network) {
        return world.node("a", network, Duration.ZERO, builder -> builder);
    }

    private static long recorded(Machine machine) {
        return machine.events().stream()
                .filter(SchedulerEvent.RunRecorded.class::isInstance)
                .count();
    }

    private static boolean hasLost(Machine machine) {
        return machine.events().stream().anyMatch(SchedulerEvent.LeaseLost.class::isInstance);
    }

    private void assertClean(Machine machine) {
        world.pass(Duration.ofMinutes(20));
        assertThat(machine.scheduler().checkInvariants().findings()).isEmpty();
    }

    @Test
    @DisplayName(
            "15: a one-off that succeeded is deleted by its completion and leaves no row; its run is reported all the same")
    void goodOneOff() {
        Machine a = world.node("a");
        String id = schedule(a, trouble().singleSchedule(FIRE));
        assertThat(rows(id)).isEmpty();
        world.pass(A_WHILE);
        assertThat(world.calls).hasSize(1);
        assertThat(isGone(id)).isTrue();
        assertThat(rows(id)).isEmpty();
        assertThat(recorded(a)).isEqualTo(1);
        assertThat(hasLost(a)).isFalse();
        assertThat(schedule(a, trouble().singleSchedule(START.plusSeconds(600))))
                .as("the key is free")
                .isNotEqualTo(id);
        assertClean(a);
    }

    @Test
    @DisplayName("15: the neighbour that keeps all has its rows and its document, in the same batch")
    void neighbour() {
        Machine a = world.node("a");
        String id = schedule(a, trouble().singleSchedule(FIRE));
        a.scheduler().scheduleJob(job("all").singleSchedule(FIRE).build());
        world.pass(A_WHILE);
        assertThat(isGone(id)).isTrue();
        assertThat(World.outcomes(a, "all")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "15: a one-off that was changed finishes as usual; its good end leaves no row, its changes do, with their end")
    void changed() {
        Machine a = world.node("a");
        String id = schedule(a, trouble().singleSchedule(FIRE));
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        a.scheduler().resume(PauseScope.job("j"));
        world.pass(A_WHILE);
        StoredJob job = world.store.find("j", FindScope.INCLUDING_FINISHED).orElseThrow();
        assertThat(job.isLive()).isFalse();
        assertThat(job.lastStatus().outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(rows(id)).extracting(JobExecutionStatus::outcome).containsExactly(Outcome.NONE, Outcome.PAUSED);
        assertThat(rows(id)).allSatisfy(row -> assertThat(row.deleteTime()).isAfter(START.plus(Duration.ofDays(7))));
        assertClean(a);
    }

    @Test
    @DisplayName("15, R13: a one-off of an application finishes as usual, so that its next reconcile knows it")
    void ofApplication() {
        Machine a = world.node("a");
        String id = schedule(a, trouble().singleSchedule(FIRE).applicationTag("app"));
        world.pass(A_WHILE);
        assertThat(world.store.load(List.of(id))).singleElement().matches(job -> !job.isLive());
        assertThat(rows(id)).isEmpty();
        assertClean(a);
    }

    @Test
    @DisplayName("15: failed attempts of a one-off that succeeds in the end stay, with their end, when it is deleted")
    void failedAttempts() {
        world.work = call -> call.attempt() < 3 ? fails() : CompletableFuture.completedFuture(null);
        Machine a = world.node("a");
        String id =
                schedule(a, trouble().singleSchedule(FIRE).retryPolicy(RetryPolicy.fixed(3, Duration.ofSeconds(5))));
        world.pass(A_WHILE);
        assertThat(isGone(id)).isTrue();
        assertThat(rows(id))
                .extracting(JobExecutionStatus::outcome)
                .containsExactly(Outcome.ATTEMPT_FAILED, Outcome.ATTEMPT_FAILED);
        assertThat(rows(id)).allSatisfy(row -> assertThat(row.deleteTime()).isAfter(START.plus(Duration.ofDays(30))));
        assertClean(a);
    }

    @Test
    @DisplayName(
            "15, A2: a one-off that fails for good keeps document and row; run again, it is kept as the proof of that")
    void failedForGood() {
        world.work = call -> fails();
        Machine a = world.node("a");
        String id = schedule(a, trouble().singleSchedule(FIRE));
        world.pass(A_WHILE);
        assertThat(isGone(id)).isFalse();
        assertThat(rows(id))
                .singleElement()
                .matches(row -> row.outcome() == Outcome.RETRIES_EXHAUSTED && row.deleteTime() != null);
        world.work = call -> CompletableFuture.completedFuture(null);
        assertThat(rerun(a)).isEqualTo(ActionReport.Result.DONE);
        world.pass(A_WHILE);
        assertThat(world.calls).hasSize(2);
        StoredJob again = world.store.find("j", FindScope.INCLUDING_FINISHED).orElseThrow();
        assertThat(again.id()).isNotEqualTo(id);
        assertThat(again.lastStatus().outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(rerun(a)).isEqualTo(ActionReport.Result.UNCHANGED);
    }

    private static ActionReport.Result rerun(Machine machine) {
        return machine.scheduler()
                .apply(JobAction.rerun(), JobSelection.keys("j"), false)
                .items()
                .get(0)
                .result();
    }

    @Test
    @DisplayName("15: a recurring job writes rows of trouble only, with their end, and keeps lastStatus")
    void recurring() {
        Machine a = world.node("a");
        String id = schedule(a, trouble().schedulingSpecification("0/30 * * * * ?"));
        world.work = call -> world.calls.size() == 2 ? fails() : CompletableFuture.completedFuture(null);
        world.pass(A_WHILE.plusSeconds(5));
        assertThat(world.calls).hasSizeGreaterThanOrEqualTo(4);
        assertThat(live().lastStatus().outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(rows(id))
                .singleElement()
                .matches(row -> row.outcome() == Outcome.RETRIES_EXHAUSTED && row.deleteTime() != null);
        assertThat(rerun(a))
                .as("its newest run, which has no row, has gone well")
                .isEqualTo(ActionReport.Result.UNCHANGED);
        assertThat(a.scheduler().checkInvariants(Duration.ofSeconds(1)).findings())
                .isEmpty();
    }

    @Test
    @DisplayName(
            "15: a job whose history is changed writes what it keeps from then on, and no row is left without an end")
    void changedHistory() {
        Machine a = world.node("a");
        String id = schedule(a, job("j").schedulingSpecification("0/30 * * * * ?"));
        world.pass(Duration.ofSeconds(65));
        a.scheduler()
                .updateJob(live().specification().toBuilder()
                        .history(History.TROUBLE)
                        .build());
        world.pass(Duration.ofSeconds(1));
        int before = rows(id).size();
        world.pass(Duration.ofSeconds(59));
        assertThat(world.callsOf("j")).hasSize(4);
        assertThat(rows(id))
                .as("no row of a success under TROUBLE")
                .hasSize(before)
                .allSatisfy(row -> assertThat(row.deleteTime()).isNotNull());
        a.scheduler()
                .updateJob(
                        live().specification().toBuilder().history(History.ALL).build());
        world.pass(Duration.ofSeconds(60));
        assertThat(rows(id)).hasSizeBetween(before + 2, before + 3);
        assertThat(rows(id).get(0).id()).isEqualTo(live().lastStatus().id());
        assertThat(rows(id)).allSatisfy(row -> assertThat(row.deleteTime()).isNotNull());
    }

    @Test
    @DisplayName("15: a cancelled one-off keeps its document and the row of the cancel; no row of its creation follows")
    void cancelled() {
        Machine a = world.node("a");
        String id = schedule(a, trouble().singleSchedule(FIRE));
        a.scheduler().cancelJob("j");
        world.pass(A_WHILE);
        assertThat(isGone(id)).isFalse();
        assertThat(rows(id))
                .singleElement()
                .matches(row -> row.outcome() == Outcome.CANCELED && row.deleteTime() != null);
        assertThat(world.calls).isEmpty();
        assertClean(a);
    }

    @Test
    @DisplayName(
            "15, P4: the reply to the deletion is lost: the document is gone, so it was applied; nothing runs again")
    void lostReply() {
        Machine a = over(faulty().fail(StoreCall.WRITE, 1, Fault.LOSE_REPLY));
        String id = schedule(a, trouble().singleSchedule(FIRE));
        world.pass(A_WHILE);
        assertThat(isGone(id)).isTrue();
        assertThat(world.calls).hasSize(1);
        assertThat(recorded(a)).isEqualTo(1);
        assertThat(hasLost(a)).isFalse();
        assertThat(a.scheduler().health().reasons()).isEmpty();
    }

    @Test
    @DisplayName("15, P4: the deletion is lost on its way: it is sent again")
    void lostRequest() {
        Machine a = over(faulty().fail(StoreCall.WRITE, 1, Fault.LOSE_REQUEST));
        String id = schedule(a, trouble().singleSchedule(FIRE));
        world.pass(A_WHILE);
        assertThat(isGone(id)).isTrue();
        assertThat(world.calls).hasSize(1);
        assertThat(recorded(a)).isEqualTo(1);
    }

    @Test
    @DisplayName("15: a deletion that arrives when its key was scheduled again leaves the new document alone")
    void scheduledAgain() {
        Machine a = over(faulty().fail(StoreCall.WRITE, 1, Fault.twice(Duration.ofSeconds(30))));
        String id = schedule(a, trouble().singleSchedule(FIRE));
        world.pass(Duration.ofSeconds(15));
        assertThat(isGone(id)).isTrue();
        String next = schedule(a, trouble().singleSchedule(START.plusSeconds(300)));
        world.pass(A_WHILE);
        assertThat(live().id()).isEqualTo(next);
        world.pass(Duration.ofMinutes(5));
        assertThat(world.calls).hasSize(2);
    }

    @Test
    @DisplayName("15, P3: a deletion that hangs until another node runs the job again does not take it from that node")
    void afterTakeover() {
        Machine b = takenOver(world.store);
        String id = live().id();
        assertThat(hasLost(b)).isFalse();
        world.pass(A_WHILE);
        assertThat(isGone(id)).isTrue();
        assertThat(hasLost(b)).isFalse();
        assertThat(rows(id)).extracting(JobExecutionStatus::outcome).containsExactly(Outcome.ABANDONED);
        assertThat(rows(id).get(0).deleteTime()).isNotNull();
        assertThat(world.calls).hasSize(2);
    }

    @Test
    @DisplayName(
            "15, P3: the same with a store that deletes without checking the lease: the job is gone while its new holder runs it")
    void afterTakeoverWithoutToken() {
        takenOver(StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write")) {
                arguments[0] = ((List<?>) arguments[0])
                        .stream()
                                .map(change -> withoutToken((JobChange) change))
                                .toList();
            }
            return call.proceed();
        }));
        assertThat(world.store.find("j", FindScope.INCLUDING_FINISHED)).isEmpty();
    }

    private JobChange withoutToken(JobChange change) {
        Optional<StoredJob> stored = world.store.load(List.of(change.before().id())).stream()
                .filter(job -> change.removes())
                .findFirst();
        return stored.map(job -> new JobChange(
                        change.before().with(edit -> edit.lease(job.lease()).revision(job.revision())),
                        change.after(),
                        change.rows(),
                        change.limit(),
                        change.by(),
                        true))
                .orElse(change);
    }

    /** The deletion of the first holder has come late; the second one runs the job. */
    private Machine takenOver(JobStore store) {
        FaultyStore network = new FaultyStore(store, world.lanes.node().open("network", 1))
                .fail(StoreCall.WRITE, 1, Fault.late(Duration.ofSeconds(40)));
        Machine a = over(network);
        world.work = call -> {
            if (call.fencing() == 1) {
                world.later(Duration.ofMillis(1), network::disconnect);
                return CompletableFuture.completedFuture(null);
            }
            return world.after(Duration.ofSeconds(60));
        };
        schedule(a, trouble().singleSchedule(FIRE));
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(75));
        assertThat(world.calls).extracting(World.Call::node).containsExactly("a", "b");
        assertThat(hasLost(a)).isTrue();
        return b;
    }

    @Test
    @DisplayName(
            "15, X6: a job that was changed during its run and that nobody can read since does not count as deleted")
    void unreadable() {
        boolean[] damaged = {false};
        Machine a = world.node(
                "a",
                StoreHook.over(
                        world.store,
                        (method, arguments, call) -> damaged[0] && method.equals("load") ? List.of() : call.proceed()),
                Duration.ZERO,
                builder -> builder);
        world.work = call -> world.after(Duration.ofSeconds(5));
        String id = schedule(a, trouble().singleSchedule(FIRE));
        world.pass(Duration.ofSeconds(12));
        a.scheduler().updateJob(live().specification().toBuilder().priority(1).build());
        damaged[0] = true;
        world.pass(Duration.ofSeconds(10));
        assertThat(recorded(a)).isZero();
        assertThat(hasLost(a)).isTrue();
        assertThat(isGone(id)).isFalse();
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName(
            "15, P7: a job that a user pauses while its deletion is on its way is not deleted, but finishes as changed")
    void changedUnderLease() {
        world.work = call -> world.after(Duration.ofSeconds(5));
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().retentionSpread(0).build()));
        String id = schedule(a, trouble().singleSchedule(FIRE));
        world.pass(Duration.ofSeconds(12));
        a.scheduler().updateJob(live().specification().toBuilder().priority(1).build());
        world.pass(A_WHILE);
        assertThat(isGone(id)).isFalse();
        assertThat(world.store.load(List.of(id)).get(0).isLive()).isFalse();
        assertThat(rows(id)).extracting(JobExecutionStatus::outcome).containsExactly(Outcome.NONE);
    }
}
