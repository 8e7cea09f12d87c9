package dev.almanac.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.engine.kernel.HeldJob.State;
import dev.almanac.engine.port.CalendarBook;
import dev.almanac.engine.port.CalendarCalls;
import dev.almanac.engine.port.EventStream;
import dev.almanac.engine.port.HistoryWriter;
import dev.almanac.engine.port.Identity;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Pipeline;
import dev.almanac.engine.port.ServerClock;
import dev.almanac.engine.rules.Jobs;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.model.Retention;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.ThreadLanes;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarReader;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a node knows of a claim of its own: state, start and trust window. */
class HeldJobTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long TRUST = 18 * SECOND;

    private static final Lane AT_ONCE = new Lane() {
        @Override
        public void run(Runnable step) {
            step.run();
        }

        @Override
        public Alarm after(Duration delay, Runnable step) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Alarm every(Duration interval, Runnable step) {
            throw new UnsupportedOperationException();
        }
    };

    private final Time time = new Time();
    private final List<SchedulerEvent> told = new ArrayList<>();
    private final EventStream events = new EventStream(List.of(told::add), time, Runnable::run);
    private final ServerClock clock = new ServerClock(time, events);
    private final CalendarBook calendars = new CalendarBook(Map.of(), CalendarReader.NONE);
    private final Node node = new Node(
            new Identity("a"),
            clockOf(time),
            clock,
            new SplittableRandom(1),
            SchedulerSettings.defaults(),
            Retention.DEFAULT,
            events,
            calendars,
            new CalendarCalls(clock, calendars, Duration.ofSeconds(20), new ThreadLanes("test")),
            new Pipeline(new ThreadLanes("test")),
            new HistoryWriter(clockOf(time), time, events.failures(), new ThreadLanes("test").open("rows", 1)));

    private long tokens;

    /** Both clocks, set by the test. */
    private static final class Time implements TimeSource {
        private Instant wall = Jobs.NOW;
        private long nanos;
        private boolean unsteady;

        @Override
        public Instant wall() {
            wall = unsteady ? wall.plusSeconds(1) : wall;
            return wall;
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public ZoneId zone() {
            return ZoneOffset.UTC;
        }
    }

    /** A store that is asked for its time only. */
    private static JobStore clockOf(TimeSource time) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (store, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("serverTime");
                    return time.wall();
                });
    }

    /** Passes on the keys of jobs whose slots are free; all else is not of interest. */
    private static Signals freeing(Consumer<String> freed) {
        return (Signals) Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {Signals.class}, (signals, method, arguments) -> {
                    if (method.getName().equals("slotFreed")) {
                        freed.accept(((StoredJob) arguments[0]).key());
                    }
                    return null;
                });
    }

    /** A run that learns that its lease is lost. */
    private static HeldJob.Run losing(Runnable lost) {
        return (HeldJob.Run) Proxy.newProxyInstance(
                HeldJob.Run.class.getClassLoader(), new Class<?>[] {HeldJob.Run.class}, (run, method, arguments) -> {
                    assertThat(method.getName()).isIn("lose", "isOver");
                    if (method.getName().equals("isOver")) {
                        return false;
                    }
                    lost.run();
                    return null;
                });
    }

    /** Each claim draws a token, and has the next number. */
    private HeldJob claimed() {
        Lease lease = new Lease("a", ++tokens, Jobs.NOW.plus(node.settings().leaseLength()));
        StoredJob job =
                Jobs.oneOff("k", Jobs.NOW).with(edit -> edit.lease(lease).sequences(new Sequences(0, tokens, 0, 0)));
        return new HeldJob(node, job, time.nanos());
    }

    @Test
    @DisplayName("X3: trust only grows: the late reply of an older renewal changes nothing")
    void olderRenewal() {
        HeldJob held = claimed();
        held.renewed(6 * SECOND, Jobs.NOW.plusSeconds(26));
        held.renewed(3 * SECOND, Jobs.NOW.plusSeconds(23));
        time.nanos = 6 * SECOND + TRUST - 1;
        assertThat(held.checkWindow()).isTrue();
        assertThat(held.job().lease().until()).isEqualTo(Jobs.NOW.plusSeconds(26));
        time.nanos = 6 * SECOND + TRUST;
        assertThat(held.checkWindow()).isFalse();
    }

    private static StoredJob interrupted(StoredJob job) {
        return job.with(edit -> edit.requests(job.requests().cancel(true))
                .specification(job.specification().toBuilder()
                        .version(job.specification().version() + 1)
                        .build()));
    }

    @Test
    @DisplayName(
            "P7, X2: a user's change is taken over, unless it was decided before what this claim has written since")
    void usersChange() {
        HeldJob held = claimed();
        StoredJob read = held.job();
        held.changed(interrupted(read));
        assertThat(held.job().requests().interruptRequested()).isTrue();
        held.changed(read);
        assertThat(held.job().requests().interruptRequested()).isTrue();
        HeldJob marked = claimed();
        StoredJob before = marked.job();
        marked.update(before.with(edit -> edit.sequences(before.sequences().started())));
        marked.changed(interrupted(before));
        assertThat(marked.job().sequences().startedSeq()).isEqualTo(2);
        assertThat(marked.job().requests().interruptRequested()).isFalse();
    }

    @Test
    @DisplayName("X3: a lease that was once seen lost stays lost, whatever renewal is acknowledged later")
    void staysLost() {
        HeldJob held = claimed();
        time.nanos = TRUST;
        assertThatThrownBy(held::assertOwned).isInstanceOf(LeaseLostException.class);
        held.renewed(TRUST - SECOND, Jobs.NOW.plusSeconds(37));
        assertThat(held.checkWindow()).isFalse();
        assertThat(held.remaining()).isZero();
        assertThat(held.begin(Instant.MAX)).isNull();
    }

    /** Asks while the wall clock does not stand still, so that the server's time cannot be measured. */
    private void askInVain(HeldJob held) {
        node.clock().measure(node.store());
        time.unsteady = true;
        assertThatThrownBy(held::assertOwned).isInstanceOf(LeaseLostException.class);
        time.unsteady = false;
        time.wall = Jobs.NOW;
        assertThat(node.clock().isTrusted()).isTrue();
    }

    @Test
    @DisplayName("X5: a lease that could not be confirmed within its window stays lost, also when its run has ended")
    void notConfirmed() {
        HeldJob held = claimed();
        held.begin(Instant.MAX);
        askInVain(held);
        assertThat(held.remaining()).as("although the window is open").isZero();
        assertThat(held.move(State.RUNNING, State.ENDING)).isTrue();
        assertThat(held.checkWindow()).isFalse();
        assertThatThrownBy(held::assertOwned).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("X4, X5: a helper that finds the lease lost while it is asked for its support is not called")
    void notConfirmedBeforeStart() {
        HeldJob held = claimed();
        askInVain(held);
        assertThat(held.begin(Instant.MAX)).isNull();
        assertThat(held.state()).isEqualTo(State.WAITING);
    }

    @Test
    @DisplayName("P4: a document read before the last renewal shortens no lease, nor does the reply of an older one")
    void olderDocument() {
        HeldJob held = claimed();
        StoredJob old = held.job();
        held.renewed(6 * SECOND, Jobs.NOW.plusSeconds(26));
        held.renewed(3 * SECOND, Jobs.NOW.plusSeconds(23));
        held.update(old);
        assertThat(held.job().lease().until()).isEqualTo(Jobs.NOW.plusSeconds(26));
    }

    @Test
    @DisplayName("P3: a window that nobody saw closed is opened by a renewal that was sent within it")
    void unseen() {
        HeldJob held = claimed();
        time.nanos = TRUST + SECOND;
        held.renewed(TRUST - SECOND, Jobs.NOW.plusSeconds(37));
        assertThat(held.checkWindow()).isTrue();
    }

    @Test
    @DisplayName(
            "X4: a waiting run is started once; one that was released, is over or has lost its lease is never started")
    void started() {
        HeldJob held = claimed();
        time.nanos = 2 * SECOND;
        HeldJob.Start start = held.begin(Instant.MAX);
        assertThat(start.at()).isEqualTo(Jobs.NOW.plusSeconds(2));
        assertThat(held.begin(Instant.MAX)).isNull();
        assertThat(held.start()).isEqualTo(start);
        assertThat(held.move(State.WAITING, State.ENDING))
                .as("a running one is not released")
                .isFalse();
        HeldJob back = claimed();
        assertThat(back.move(State.WAITING, State.ENDING)).isTrue();
        assertThat(back.begin(Instant.MAX)).isNull();
        HeldJob over = claimed();
        over.end();
        assertThat(over.begin(Instant.MAX)).isNull();
        HeldJob late = claimed();
        time.nanos += TRUST;
        assertThat(late.begin(Instant.MAX)).isNull();
        assertThat(late.state()).isEqualTo(State.WAITING);
    }

    @Test
    @DisplayName("X5: its clock goes by the monotonic one from the claim on, whatever the wall clock is set to")
    void clock() {
        HeldJob held = claimed();
        time.wall = Jobs.NOW.minusSeconds(3_600);
        time.nanos = 5 * SECOND;
        assertThat(held.now()).isEqualTo(Jobs.NOW.plusSeconds(5));
    }

    @Test
    @DisplayName(
            "R9: a new claim of a job takes the place of an old one, which is lost; slots and types are counted once")
    void claimedAnew() {
        List<String> freed = new ArrayList<>();
        HeldJobs jobs = new HeldJobs(2, time::nanos, events, AT_ONCE, freeing(freed::add));
        HeldJob old = claimed();
        jobs.begin(old);
        HeldJob anew = claimed();
        jobs.begin(anew);
        assertThat(old.state()).isEqualTo(State.OVER);
        assertThat(told).hasSize(1).allMatch(SchedulerEvent.LeaseLost.class::isInstance);
        assertThat(jobs.size()).isEqualTo(1);
        assertThat(jobs.ofType("note")).isEqualTo(1);
        jobs.end(old);
        assertThat(jobs.ofType("note")).as("the old one's end changes nothing").isEqualTo(1);
        jobs.end(anew);
        jobs.end(anew);
        assertThat(jobs.size()).isZero();
        assertThat(jobs.ofType("note")).isZero();
        assertThat(freed).hasSize(2);
        assertThat(jobs.fullFor()).isEqualTo(Duration.ZERO);
    }

    @Test
    @DisplayName("P2: a claim that is confirmed although this node holds it is not begun anew; its run goes on")
    void confirmedTwice() {
        HeldJobs jobs = new HeldJobs(2, time::nanos, events, AT_ONCE, freeing(key -> {}));
        HeldJob held = claimed();
        jobs.begin(held);
        held.begin(Instant.MAX);
        HeldJob confirmed = new HeldJob(node, held.job(), time.nanos());
        jobs.begin(confirmed);
        assertThat(held.state()).isEqualTo(State.RUNNING);
        assertThat(told).isEmpty();
        assertThat(jobs.all()).containsExactly(held);
        assertThat(jobs.ofType("note")).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "X3: the answer to a claim that comes after a later claim of the job begins nothing; the later run goes on")
    void lateAnswer() {
        HeldJobs jobs = new HeldJobs(2, time::nanos, events, AT_ONCE, freeing(key -> {}));
        HeldJob early = claimed();
        HeldJob running = claimed();
        jobs.begin(running);
        running.begin(Instant.MAX);
        assertThat(jobs.begin(early)).isFalse();
        assertThat(running.state()).isEqualTo(State.RUNNING);
        assertThat(told).isEmpty();
        assertThat(jobs.all()).containsExactly(running);
        assertThat(jobs.ofType("note")).isEqualTo(1);
    }

    @Test
    @DisplayName("R9: a claim that is over is counted out of its type, even if a new claim of the job comes first")
    void countedOnce() {
        HeldJobs jobs = new HeldJobs(2, time::nanos, events, AT_ONCE, freeing(key -> {}));
        HeldJob old = claimed();
        HeldJob anew = claimed();
        jobs.begin(old);
        old.handedTo(losing(() -> jobs.begin(anew)));
        jobs.lose(old, "another node has taken the job over");
        assertThat(jobs.all()).containsExactly(anew);
        assertThat(jobs.ofType("note")).isEqualTo(1);
        jobs.end(anew);
        assertThat(jobs.ofType("note")).isZero();
        assertThat(jobs.size()).isZero();
    }

    @Test
    @DisplayName(
            "N14: a lease that was being lost when the kernel failed is lost, its slot is free, and its run learns it")
    void notTold() {
        HeldJobs jobs = new HeldJobs(1, time::nanos, events, AT_ONCE, freeing(key -> {}));
        HeldJob held = claimed();
        jobs.begin(held);
        List<String> learnt = new ArrayList<>();
        held.handedTo(losing(() -> {
            learnt.add("lost");
            if (learnt.size() == 1) {
                throw new InternalError("unable to create native thread");
            }
        }));
        assertThatThrownBy(() -> jobs.lose(held, "it could not be renewed in time"))
                .isInstanceOf(InternalError.class);
        jobs.beginAgain();
        assertThat(learnt).hasSize(2);
        assertThat(jobs.size()).isZero();
        assertThat(jobs.ofType("note")).isZero();
        assertThat(jobs.fullFor()).isEqualTo(Duration.ZERO);
    }

    @Test
    @DisplayName("N14: what is held goes on when the kernel begins again, counted once")
    void heldStill() {
        HeldJobs jobs = new HeldJobs(1, time::nanos, events, AT_ONCE, freeing(key -> {}));
        HeldJob held = claimed();
        jobs.begin(held);
        held.handedTo(losing(() -> assertThat(held).as("lost").isNull()));
        jobs.beginAgain();
        assertThat(jobs.all()).containsExactly(held);
        assertThat(jobs.ofType("note")).isEqualTo(1);
        assertThat(held.checkWindow()).isTrue();
    }
}
