package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule X6: what one process cannot write, by what is neither a refusal nor an unknown outcome, blocks no job. */
class LeftToOthersTest extends LifecycleFixture {
    private static final Supplier<Throwable> EXCEPTION =
            () -> new IllegalArgumentException("of the driver, and nobody knows why");

    private final AtomicInteger thrown = new AtomicInteger();
    private int most = Integer.MAX_VALUE;
    private Machine a;

    private static JobSpecificationBuilder once() {
        return job("j").singleSchedule(START.plusSeconds(1));
    }

    private static boolean endsRun(JobChange change) {
        return change.after().lease() == null && change.rows().stream().anyMatch(row -> row.startedTime() != null);
    }

    private static boolean marksStart(JobChange change) {
        return change.after().sequences().startedSeq()
                > change.before().sequences().startedSeq();
    }

    /** A node on which such writes of the job throw, and which has nothing else to do. */
    private void failingAt(Predicate<JobChange> chosen, Supplier<Throwable> what) {
        failingAt(world.store, chosen, what);
    }

    private void failingAt(JobStore over, Predicate<JobChange> chosen, Supplier<Throwable> what) {
        JobStore store = StoreHook.over(over, (method, arguments, call) -> {
            boolean concerned = method.equals("write")
                    && ((List<?>) arguments[0])
                            .stream().map(JobChange.class::cast).anyMatch(chosen);
            if (!concerned || thrown.get() >= most) {
                return call.proceed();
            }
            thrown.incrementAndGet();
            try {
                return over == world.store ? throwing(what) : call.proceed();
            } catch (StoreException torn) {
                return throwing(what);
            }
        });
        a = world.node("a", store, Duration.ZERO, builder -> builder);
    }

    private static Object throwing(Supplier<Throwable> what) throws Throwable {
        throw what.get();
    }

    /** Errors end their thread, and the thread reports them; nothing else is to come of them. */
    private void passOver(long millis) {
        Instant end = world.time.wall().plusMillis(millis);
        while (world.time.wall().isBefore(end)) {
            try {
                world.lanes.runUntil(end);
            } catch (InternalError | NoClassDefFoundError e) {
                assertThat(e).hasMessageMatching("no heap|of another release");
            }
        }
    }

    private void assertLeft() {
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(document("j").blocked()).isNull();
        assertThat(a.events()).noneMatch(SchedulerEvent.JobBlocked.class::isInstance);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
    }

    /** Another node ends the job, without a further run. */
    private void assertEndsElsewhere() {
        world.node("b");
        pass(30_000);
        assertThat(world.calls).hasSize(1);
        assertFinished("j");
    }

    private void assertLost() {
        assertThat(a.events())
                .filteredOn(SchedulerEvent.LeaseLost.class::isInstance)
                .singleElement()
                .asString()
                .contains("cannot be written here");
    }

    @Test
    @DisplayName(
            "X6, R7: a run whose end one node cannot write blocks nothing: the next claim, on another node, runs it")
    void runsAgain() {
        failingAt(LeftToOthersTest::endsRun, EXCEPTION);
        a.scheduler().scheduleJob(once().build());
        pass(10_000);
        assertThat(thrown).hasValue(6);
        assertLeft();
        assertLost();
        assertThat(document("j").lease()).as("it is left to expire").isNotNull();
        pass(30_000);
        assertThat(world.calls).as("this node leaves it to others first").hasSize(1);
        world.node("b");
        pass(5_000);
        assertThat(world.calls).extracting(Call::node).containsExactly("a", "b");
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "TRIGGERED/SUCCEEDED");
        assertFinished("j");
    }

    @Test
    @DisplayName("X6, R7: with crash policy FAIL such a run is not run again, and its fire ends as CRASHED")
    void notTwice() {
        failingAt(LeftToOthersTest::endsRun, EXCEPTION);
        a.scheduler().scheduleJob(once().crashPolicy(CrashPolicy.FAIL).build());
        pass(10_000);
        assertLeft();
        assertEndsElsewhere();
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "FAILED/CRASHED");
    }

    @Test
    @DisplayName("X6, P6: a claim that one node cannot prepare is released before its start, and costs no attempt")
    void unstarted() {
        failingAt(LeftToOthersTest::marksStart, EXCEPTION);
        a.scheduler().scheduleJob(once().crashPolicy(CrashPolicy.FAIL).build());
        pass(10_000);
        assertThat(world.calls).isEmpty();
        assertLeft();
        assertThat(document("j").lease()).isNull();
        assertThat(a.events())
                .noneMatch(SchedulerEvent.LeaseLost.class::isInstance)
                .anyMatch(SchedulerEvent.ClaimReleased.class::isInstance);
        world.node("b");
        pass(5_000);
        assertThat(world.calls).singleElement().satisfies(call -> {
            assertThat(call.node()).isEqualTo("b");
            assertThat(call.attempt()).isEqualTo(1);
        });
        assertRows("j", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("X6: a run by hand that is left to others is as late as it is, and runs at once where it can")
    void byHand() {
        failingAt(LeftToOthersTest::marksStart, EXCEPTION);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 0 1 1 ?")
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        a.scheduler().runNow("j");
        Instant asked = document("j").due();
        pass(300_000);
        for (int i = 0; i < 30 && document("j").lease() != null; i++) {
            pass(1_000);
        }
        assertThat(world.calls).isEmpty();
        assertThat(document("j").due()).isEqualTo(asked);
        assertThat(document("j").sequences().claimSeq())
                .as("it is left alone for a while after each claim")
                .isLessThan(15);
        world.node("b");
        pass(5_000);
        assertThat(world.calls).extracting(Call::node).containsExactly("b");
        assertThat(document("j").due()).isAfter(world.time.wall());
    }

    @Test
    @DisplayName(
            "X6, R7: a run whose end no node can write is run again as often as one that ends its nodes, then fails")
    void nowhere() {
        failingAt(change -> change.rows().stream().anyMatch(row -> row.startedTime() != null), EXCEPTION);
        a.scheduler().scheduleJob(once().build());
        pass(600_000);
        assertThat(world.calls).hasSize(5);
        assertThat(newest("j").executionStatus() + "/" + newest("j").outcome()).isEqualTo("FAILED/ABANDONED");
        assertFinished("j");
    }

    @Test
    @DisplayName(
            "X6, M4: a cancel that comes while the end cannot be written is carried out by the next claim, without a run")
    void cancelled() {
        failingAt(LeftToOthersTest::endsRun, EXCEPTION);
        a.scheduler().scheduleJob(once().build());
        pass(2_000);
        assertThat(a.scheduler().cancelJob("j", CancelMode.INTERRUPT)).isEqualTo(CancelResult.ALREADY_RUNNING);
        pass(8_000);
        assertLeft();
        assertEndsElsewhere();
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CANCELED);
    }

    @Test
    @DisplayName("X6, X10: a pause that comes while the end cannot be written holds for the next claim, too")
    void paused() {
        failingAt(LeftToOthersTest::endsRun, EXCEPTION);
        a.scheduler().scheduleJob(once().build());
        pass(2_000);
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        pass(8_000);
        assertLeft();
        Machine b = world.node("b");
        pass(60_000);
        assertThat(world.calls).hasSize(1);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.ABANDONED);
        assertThat(document("j").lease()).isNull();
        b.scheduler().resume(PauseScope.job("j"));
        pass(5_000);
        assertThat(world.calls).extracting(Call::node).containsExactly("a", "b");
        assertFinished("j");
    }

    @Test
    @DisplayName("X2: an Error of a write that passes costs nothing; meanwhile the run is named as stuck")
    void errorPasses() {
        most = 9;
        failingAt(LeftToOthersTest::endsRun, () -> new InternalError("no heap"));
        a.scheduler().scheduleJob(once().build());
        passOver(22_500);
        assertThat(a.scheduler().stuckRuns()).hasSize(1);
        passOver(10_000);
        assertThat(thrown).hasValue(9);
        assertThat(world.calls).hasSize(1);
        assertRows("j", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.events()).noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
        assertThat(a.scheduler().stuckRuns()).isEmpty();
    }

    @Test
    @DisplayName("X2, X6: a run whose end meets the same Error for half a minute is left to other nodes")
    void errorStays() {
        failingAt(LeftToOthersTest::endsRun, () -> new NoClassDefFoundError("of another release"));
        a.scheduler().scheduleJob(once().build());
        passOver(45_000);
        assertThat(thrown).as("after growing pauses").hasValue(11);
        assertLeft();
        assertLost();
        world.node("b");
        passOver(30_000);
        assertThat(world.calls).extracting(Call::node).containsExactly("a", "b");
        assertFinished("j");
    }
}
