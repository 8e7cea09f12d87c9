package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule X8: what exceeds its executionTimeout is asked to end, and its job moves on when its code has ended. */
class TimeoutTest extends OverStores {
    private static final Instant FIRE = START.plusSeconds(1);

    /** Goes on when it is cancelled, as work does that looks at nothing. */
    private static JobSpecificationBuilder bounded(String key) {
        return job(key).singleSchedule(FIRE)
                .executionTimeout(Duration.ofSeconds(5))
                .retryPolicy(RetryPolicy.fixed(2, Duration.ofSeconds(2)));
    }

    @Test
    @DisplayName("L77 X8: code that goes on after its timeout keeps lease, group and attempt; the row says so at once")
    void goesOn() {
        Machine a = world.node("a");
        world.node("b");
        CompletableFuture<Void> code = World.deaf();
        world.work = call ->
                call.job().equals("deaf") && call.attempt() == 1 ? code : CompletableFuture.completedFuture(null);
        a.scheduler().scheduleJob(bounded("deaf").exclusiveGroup("g").build());
        world.pass(Duration.ofSeconds(2));
        a.scheduler()
                .scheduleJob(job("member")
                        .exclusiveGroup("g")
                        .singleSchedule(START.plusSeconds(3))
                        .build());
        world.pass(Duration.ofSeconds(5));
        assertThat(outcomes(a, "deaf")).containsExactly("SCHEDULED/NONE", "SCHEDULED/TIMED_OUT");
        assertThat(a.scheduler().findJobById("deaf").orElseThrow().lastStatus().outcome())
                .isEqualTo(Outcome.TIMED_OUT);
        world.pass(Duration.ofSeconds(45));
        assertThat(world.calls)
                .as("for two leases, neither a retry nor a member of its group")
                .hasSize(1);
        assertThat(a.scheduler().explainJob("deaf").headline()).contains("executionTimeout");
        world.later(Duration.ofSeconds(1), () -> code.complete(null));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.callsOf("deaf")).extracting(Call::attempt).containsExactly(1, 2);
        assertThat(world.callsOf("member")).hasSize(1);
        assertThat(outcomes(a, "deaf"))
                .containsExactly(
                        "SCHEDULED/NONE", "SCHEDULED/TIMED_OUT", "SCHEDULED/ATTEMPT_FAILED", "TRIGGERED/SUCCEEDED");
        assertThat(a.scheduler().history("deaf").get(1).error().message()).contains("executionTimeout of PT5S");
    }

    /** The code of a run without retries, which does not end when it is asked to. */
    private CompletableFuture<Void> deafRun(Machine a) {
        CompletableFuture<Void> code = World.deaf();
        world.work = call -> code;
        a.scheduler()
                .scheduleJob(bounded("deaf").retryPolicy(RetryPolicy.none()).build());
        return code;
    }

    @Test
    @DisplayName("X8: both rows of a run that has timed out name the timeout that was in force when it began")
    void changedTimeout() {
        Machine a = world.node("a");
        CompletableFuture<Void> code = deafRun(a);
        world.pass(Duration.ofSeconds(2));
        a.scheduler()
                .updateJob(a.scheduler().findJobById("deaf").orElseThrow().specification().toBuilder()
                        .executionTimeout(Duration.ofHours(1))
                        .build());
        world.pass(Duration.ofSeconds(10));
        assertThat(a.scheduler().stuckRuns())
                .singleElement()
                .satisfies(stuck -> assertThat(stuck.why()).contains("exceeded its executionTimeout of PT5S"));
        assertThat(a.scheduler().explainJob("deaf").headline()).contains("executionTimeout of PT5S");
        world.later(Duration.ofSeconds(1), () -> code.complete(null));
        world.pass(Duration.ofSeconds(10));
        assertThat(a.scheduler().history("deaf"))
                .filteredOn(row -> row.error() != null)
                .extracting(row -> row.error().message())
                .hasSize(2)
                .allSatisfy(message -> assertThat(message).contains("executionTimeout of PT5S"));
    }

    @Test
    @DisplayName("X8, O5: until its code has ended, stuckRuns and health name a run that exceeded its timeout")
    void isNamed() {
        Machine a = world.node("a");
        CompletableFuture<Void> code = deafRun(a);
        world.pass(Duration.ofSeconds(5));
        assertThat(a.scheduler().stuckRuns()).isEmpty();
        world.pass(Duration.ofSeconds(2));
        assertThat(a.scheduler().stuckRuns())
                .singleElement()
                .satisfies(
                        stuck -> assertThat(stuck.why()).contains("'deaf'", "exceeded its executionTimeout of PT5S"));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        world.pass(Duration.ofMinutes(1));
        assertThat(a.events()).noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
        code.completeExceptionally(new IllegalStateException("at last"));
        world.pass(Duration.ofSeconds(2));
        assertThat(outcomes(a, "deaf"))
                .containsExactly("SCHEDULED/NONE", "SCHEDULED/TIMED_OUT", "FAILED/RETRIES_EXHAUSTED");
        assertThat(a.scheduler().stuckRuns()).isEmpty();
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
    }

    @Test
    @DisplayName("X8: code that ends when it is asked to is retried at timeout + delay, and has the one row")
    void endsAtOnce() {
        Machine a = world.node("a");
        world.work = call -> call.attempt() == 1 ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
        a.scheduler().scheduleJob(bounded("j").build());
        world.pass(Duration.ofSeconds(20));
        assertThat(world.calls).extracting(Call::started).containsExactly(FIRE, FIRE.plusSeconds(7));
        assertThat(outcomes(a, "j"))
                .containsExactly("SCHEDULED/NONE", "SCHEDULED/ATTEMPT_FAILED", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("X8: code that ends well after its timeout has failed all the same")
    void lateSuccess() {
        Machine a = world.node("a");
        CompletableFuture<Void> code = World.deaf();
        world.work = call -> code;
        a.scheduler().scheduleJob(bounded("j").retryPolicy(RetryPolicy.none()).build());
        world.later(Duration.ofSeconds(30), () -> code.complete(null));
        world.pass(Duration.ofSeconds(40));
        assertThat(outcomes(a, "j")).endsWith("SCHEDULED/TIMED_OUT", "FAILED/RETRIES_EXHAUSTED");
        assertThat(a.scheduler().history("j").get(0).executionStatus()).isEqualTo(ExecutionStatus.FAILED);
    }

    @Test
    @DisplayName(
            "L77 M6, M7: a user's change that was decided before the row of a timeout does not hide it: it is decided again")
    void changedMeanwhile() {
        Machine a = world.node("a");
        CompletableFuture<Void> code = World.deaf();
        world.work = call -> world.calls.size() == 1 ? code : CompletableFuture.completedFuture(null);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .executionTimeout(Duration.ofSeconds(5))
                        .build());
        world.pass(Duration.ofSeconds(64));
        AtomicInteger writes = new AtomicInteger();
        JobStore slow = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write")) {
                writes.incrementAndGet();
                world.pass(Duration.ofSeconds(3));
            }
            return call.proceed();
        });
        client(slow).runNow("j");
        assertThat(writes).hasValue(2);
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "SCHEDULED/TIMED_OUT", "SCHEDULED/NONE");
        assertThat(a.scheduler().findJobById("j").orElseThrow().lastStatus().id())
                .isEqualTo(a.scheduler().history("j").get(0).id());
        code.complete(null);
        world.pass(Duration.ofMinutes(2));
        assertThat(a.scheduler().history("j"))
                .anyMatch(JobExecutionStatus::manual)
                .filteredOn(row -> row.outcome() == Outcome.TIMED_OUT)
                .singleElement()
                .satisfies(row -> assertThat(row.deleteTime()).isNotNull());
    }

    @Test
    @DisplayName(
            "N7, X8: one timeout has one row, though its reply was lost and the job was updated before the next try")
    void toldOnce() {
        AtomicInteger writes = new AtomicInteger();
        JobStore cut = StoreHook.over(world.store, (method, arguments, call) -> {
            Object answer = call.proceed();
            if (method.equals("write") && writes.incrementAndGet() == 1) {
                client(world.store).scheduleJob(bounded("deaf").priority(7).build());
                throw new StoreException("connection reset", new IOException("reset"));
            }
            return answer;
        });
        Machine a = world.node("a", cut, Duration.ZERO, builder -> builder);
        CompletableFuture<Void> code = World.deaf();
        world.work = call -> code;
        client(world.store)
                .scheduleJob(bounded("deaf").retryPolicy(RetryPolicy.none()).build());
        world.pass(Duration.ofSeconds(20));
        code.complete(null);
        world.pass(Duration.ofSeconds(10));
        assertThat(writes).hasValueGreaterThan(2);
        assertThat(a.scheduler().history("deaf"))
                .filteredOn(row -> row.outcome() == Outcome.TIMED_OUT)
                .hasSize(1);
        assertThat(world.callsOf("deaf")).hasSize(2);
    }

    @Test
    @DisplayName(
            "X8: a lost lease ends all of it: the run is abandoned, and another node runs it without an attempt used")
    void lostMeanwhile() {
        Machine a = world.node("a");
        world.work = call -> call.node().equals("a") ? World.deaf() : CompletableFuture.completedFuture(null);
        a.scheduler().scheduleJob(bounded("j").build());
        world.pass(Duration.ofSeconds(10));
        a.lanes().close();
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(40));
        assertThat(world.calls).extracting(Call::attempt).containsExactly(1, 1);
        assertThat(outcomes(b, "j"))
                .containsExactly("SCHEDULED/NONE", "SCHEDULED/TIMED_OUT", "SCHEDULED/ABANDONED", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "R14, X8: a drain whose patience ends asks runs to end, and leaves the lease of code that goes on to expire")
    void drained() {
        Machine a = world.node("a");
        List<Instant> ends = new ArrayList<>();
        world.work = call -> call.node().equals("a") ? World.deaf() : CompletableFuture.completedFuture(null);
        a.scheduler().scheduleJob(job("deaf").singleSchedule(FIRE).build());
        world.pass(Duration.ofSeconds(30));
        a.scheduler().beginDrain(Duration.ofSeconds(5)).whenComplete((nothing, error) -> ends.add(world.time.wall()));
        world.node("b");
        world.pass(Duration.ofSeconds(18));
        assertThat(world.calls).as("not before the lease is over").hasSize(1);
        world.pass(Duration.ofSeconds(30));
        assertThat(world.calls).extracting(Call::node).containsExactly("a", "b");
        assertThat(world.calls).extracting(Call::attempt).containsOnly(1);
        assertThat(ends).hasSize(1);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName(
            "L78 X8: released by force, a run that goes on after its timeout is abandoned; its group is free, its job runs again")
    void releasedByForce() {
        Machine a = world.node("a");
        CompletableFuture<Void> code = World.deaf();
        world.work = call -> world.calls.size() == 1 ? code : CompletableFuture.completedFuture(null);
        a.scheduler().scheduleJob(bounded("deaf").exclusiveGroup("g").build());
        world.pass(Duration.ofSeconds(30));
        assertThat(world.calls).hasSize(1);
        var report = a.scheduler().apply(JobAction.release(), JobSelection.keys("deaf"), false);
        assertThat(report.items())
                .singleElement()
                .satisfies(item -> assertThat(item.detail()).startsWith("released: the claim of node "));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.callsOf("deaf")).extracting(Call::attempt).containsExactly(1, 1);
        assertThat(outcomes(a, "deaf"))
                .containsExactly(
                        "SCHEDULED/NONE",
                        "SCHEDULED/TIMED_OUT",
                        "SCHEDULED/NONE",
                        "SCHEDULED/ABANDONED",
                        "TRIGGERED/SUCCEEDED");
        code.complete(null);
        world.pass(Duration.ofSeconds(10));
        assertThat(outcomes(a, "deaf"))
                .as("what the old code says is not heard")
                .endsWith("TRIGGERED/SUCCEEDED");
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(a.scheduler().stuckRuns()).isEmpty();
    }

    @Test
    @DisplayName("X8: a run is held until the stages that it names are completed, also when its own is cancelled")
    void heldUntil() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        List<Instant> starts = new ArrayList<>();
        SchedulingHelper helper = new SchedulingHelper() {
            @Override
            public boolean supports(SchedulingCommand command) {
                return true;
            }

            @Override
            public CompletionStage<Void> execute(String id, SchedulingCommand command) {
                throw new AssertionError("the overload with the execution is to be called");
            }

            @Override
            public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
                starts.add(world.time.wall());
                if (execution.attempt() == 1) {
                    execution.holdUntil(work);
                    return new CompletableFuture<>();
                }
                return CompletableFuture.completedFuture(null);
            }
        };
        var own = world.lanes.node();
        Scheduler scheduler = Scheduler.builder()
                .store(world.store)
                .time(world.time)
                .zone(ZoneOffset.UTC)
                .lanes(own)
                .executor(own::execute)
                .command("note", 1, World.Note.class)
                .helper(helper)
                .build()
                .start();
        scheduler.scheduleJob(bounded("j").build());
        world.pass(Duration.ofMinutes(1));
        assertThat(starts).containsExactly(FIRE);
        assertThat(work).isNotDone();
        work.complete(null);
        world.pass(Duration.ofSeconds(5));
        assertThat(starts).hasSize(2);
        assertThat(scheduler.history("j").get(0).outcome()).isEqualTo(Outcome.SUCCEEDED);
    }
}
