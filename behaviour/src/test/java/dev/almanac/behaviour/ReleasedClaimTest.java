package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelResult;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoreException;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule P6: a claim that is released unstarted, by a node that does not know the job's calendar. */
class ReleasedClaimTest extends LifecycleFixture {
    private static final ExclusionCalendar OPEN = closedUntil(START);
    private static final Instant FIRE = START.plusSeconds(600);

    private Runnable meanwhile = () -> {};

    private static JobSpecificationBuilder ofCalendar() {
        return job("j").schedulingSpecification("0 0/10 * * * ?").calendar("c");
    }

    private Machine knowing(String name) {
        return world.node(name, world.store, Duration.ZERO, builder -> builder.calendar("c", OPEN));
    }

    /** A node that claims nothing any more, through which users ask. */
    private Machine desk() {
        Machine desk = knowing("desk");
        kill(desk);
        return desk;
    }

    /** A node without the calendar; {@code meanwhile} happens once, between its claim and its release. */
    private Machine unknowing() {
        JobStore hooked = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("write") && isRelease((List<?>) arguments[0])) {
                Runnable now = meanwhile;
                meanwhile = () -> {};
                now.run();
            }
            return call.proceed();
        });
        return world.node("old", hooked, Duration.ZERO, builder -> builder);
    }

    private static boolean isRelease(List<?> changes) {
        return changes.stream()
                .map(JobChange.class::cast)
                .anyMatch(change -> change.before().lease() != null
                        && change.after().lease() == null
                        && change.rows().isEmpty());
    }

    private void assertReleased(Machine old) {
        assertThat(old.events()).anyMatch(SchedulerEvent.ClaimReleased.class::isInstance);
        assertThat(document("j").lease()).isNull();
    }

    @Test
    @DisplayName("P6: a released job is due at its fire, and the release is a recorded outcome of its claim")
    void back() {
        Machine desk = desk();
        desk.scheduler().scheduleJob(ofCalendar().build());
        Machine old = unknowing();
        pass(601_000);
        assertReleased(old);
        assertThat(document("j").due()).isEqualTo(FIRE);
        assertThat(document("j").sequences()).isEqualTo(new Sequences(0, 1, 1, 0));
        assertRows("j", "SCHEDULED/NONE");
        knowing("new");
        pass(5_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(FIRE);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("P6, P7: a pause in between is kept: the released job is not due, and runs after the resume")
    void pausedMeanwhile() {
        Machine desk = desk();
        desk.scheduler().scheduleJob(ofCalendar().build());
        Machine old = unknowing();
        meanwhile = () -> desk.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        pass(601_000);
        assertReleased(old);
        assertThat(document("j").due()).isNull();
        assertThat(document("j").requests().pause()).isNotNull();
        assertThat(document("j").sequences()).isEqualTo(new Sequences(0, 1, 1, 0));
        knowing("new");
        pass(60_000);
        assertThat(world.calls).isEmpty();
        desk.scheduler().resume(PauseScope.job("j"));
        pass(5_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(FIRE);
    }

    @Test
    @DisplayName("P6, M4: a cancel that came between is kept: no run starts, and the job ends with its next claim")
    void canceledMeanwhile() {
        Machine desk = desk();
        desk.scheduler().scheduleJob(ofCalendar().build());
        Machine old = unknowing();
        meanwhile = () -> assertThat(desk.scheduler().cancelJob("j")).isEqualTo(CancelResult.ALREADY_RUNNING);
        pass(601_000);
        assertReleased(old);
        knowing("new");
        pass(60_000);
        assertThat(world.calls).isEmpty();
        assertFinished("j");
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CANCELED);
    }

    @Test
    @DisplayName("L66 P6, M3: a schedule changed between holds: the old fire, of which nothing ran, is not run")
    void rescheduledMeanwhile() {
        Machine desk = desk();
        desk.scheduler().scheduleJob(job("j").singleSchedule(FIRE).calendar("c").build());
        Machine old = unknowing();
        Instant moved = FIRE.plusSeconds(300);
        meanwhile = () -> desk.scheduler()
                .updateJob(job("j").singleSchedule(moved).calendar("c").build());
        pass(601_000);
        assertReleased(old);
        knowing("new");
        pass(60_000);
        assertThat(world.calls).isEmpty();
        assertThat(document("j").due()).isEqualTo(moved);
        assertThat(document("j").requests().scheduleChanged()).isNull();
        pass(300_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(moved);
        assertFinished("j");
    }

    @Test
    @DisplayName("P6, M3: other contents that came between are kept, and the fire stays")
    void changedMeanwhile() {
        Machine desk = desk();
        desk.scheduler().scheduleJob(ofCalendar().build());
        Machine old = unknowing();
        meanwhile = () -> desk.scheduler()
                .updateJob(ofCalendar().triggerIdentifier("other").build());
        pass(601_000);
        assertReleased(old);
        assertThat(document("j").due()).isEqualTo(FIRE);
        assertThat(document("j").specification().triggerIdentifier()).isEqualTo("other");
        knowing("new");
        pass(5_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(FIRE);
    }

    @Test
    @DisplayName("P6, P5: a claim that found an abandoned one and cannot recover it leaves that to the next one")
    void recoveryLeft() {
        Machine old = abandonedBeside(ofCalendar());
        pass(30_000);
        assertReleased(old);
        assertThat(document("j").sequences()).isEqualTo(new Sequences(0, 2, 0, 0));
        assertThat(document("j").due()).isEqualTo(FIRE);
        assertRows("j", "SCHEDULED/NONE");
        world.work = call -> good();
        knowing("new");
        pass(5_000);
        assertThat(world.calls).extracting(Call::fencing).containsExactly(1L, 3L);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "SCHEDULED/SUCCEEDED");
        assertThat(document("j").sequences().doneSeq()).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "P6, R7: what crashPolicy FAIL forbids to run twice is not run again after a claim between that was released")
    void crashLeft() {
        Machine old = abandonedBeside(ofCalendar().crashPolicy(CrashPolicy.FAIL));
        pass(30_000);
        assertReleased(old);
        assertThat(document("j").sequences()).isEqualTo(new Sequences(0, 2, 0, 1));
        world.work = call -> good();
        knowing("new");
        pass(5_000);
        assertThat(world.calls).hasSize(1);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "FAILED/CRASHED");
    }

    @Test
    @DisplayName("P6, R7: released claims are not counted as ends of nodes, however many they are")
    void notCounted() {
        abandonedBeside(ofCalendar());
        pass(400_000);
        assertThat(document("j").sequences().claimSeq())
                .isGreaterThan(SchedulerSettings.defaults().abandonedLimit() + 2);
        assertThat(document("j").sequences().doneSeq()).isZero();
        world.work = call -> good();
        knowing("new");
        pass(60_000);
        assertThat(world.calls).hasSize(2);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("O4, P6: that a claim was released is reported once the write is acknowledged, and not before")
    void reportedWhenDurable() {
        AtomicBoolean silent = new AtomicBoolean();
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write") && silent.get()) {
                throw new StoreException("no answer", new IllegalStateException());
            }
            return call.proceed();
        });
        Machine full = world.node(
                "full",
                store,
                Duration.ZERO,
                builder -> builder.executor(run -> {
                    throw new RejectedExecutionException("no thread is free");
                }));
        full.scheduler()
                .scheduleJob(job("k").singleSchedule(START.plusSeconds(2)).build());
        silent.set(true);
        pass(6_000);
        assertThat(full.scheduler().node().runs()).as("the write is pending").isEqualTo(1);
        assertThat(full.events()).noneMatch(SchedulerEvent.ClaimReleased.class::isInstance);
        silent.set(false);
        pass(6_000);
        assertThat(full.events()).anyMatch(SchedulerEvent.ClaimReleased.class::isInstance);
    }

    /** The job runs on a node that dies; beside it there is one that cannot recover it. */
    private Machine abandonedBeside(JobSpecificationBuilder spec) {
        world.work = call -> endless();
        Machine a = knowing("a");
        a.scheduler().scheduleJob(spec.build());
        pass(601_000);
        assertThat(world.calls).hasSize(1);
        kill(a);
        return unknowing();
    }
}
