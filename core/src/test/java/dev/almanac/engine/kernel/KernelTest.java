package dev.almanac.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.runtime.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The thread that decides: what is passed in is run, in order, once. */
class KernelTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Executor NO_THREAD = step -> {
        throw new InternalError("unable to create native thread");
    };

    private final Steps lane = new Steps();
    private final Kernel kernel = new Kernel(lane, () -> lane.now, this::begin);
    private final List<String> done = new ArrayList<>();
    private int beginnings = -1;

    /** Runs what is due when the test says so. */
    private static final class Steps implements Lane {
        private record Planned(long at, Runnable step, boolean[] canceled) {}

        private final List<Planned> planned = new ArrayList<>();
        private long now;
        private int refusals;

        @Override
        public void run(Runnable step) {
            after(Duration.ZERO, step);
        }

        @Override
        public Alarm after(Duration delay, Runnable step) {
            if (refusals > 0) {
                refusals--;
                throw new OutOfMemoryError("no heap");
            }
            boolean[] canceled = new boolean[1];
            planned.add(new Planned(now + delay.toNanos(), step, canceled));
            return () -> canceled[0] = true;
        }

        @Override
        public Alarm every(Duration interval, Runnable step) {
            return after(interval, step);
        }

        /** The oldest step that is due; false if there is none. */
        private boolean next() {
            Planned first = null;
            for (Planned some : planned) {
                if (some.at <= now && !some.canceled[0] && (first == null || some.at < first.at)) {
                    first = some;
                }
            }
            if (first == null) {
                return false;
            }
            planned.remove(first);
            first.step.run();
            return true;
        }

        private void pass(Duration time) {
            now += time.toNanos();
            while (next()) {
                continue;
            }
        }
    }

    private Runnable step(String name) {
        return () -> done.add(name);
    }

    @Test
    @DisplayName("N10: steps run in the order in which they came, none before the lane runs them")
    void order() {
        kernel.run(step("a"));
        kernel.run(() -> {
            done.add("b");
            kernel.run(step("d"));
        });
        kernel.run(step("c"));
        assertThat(done).isEmpty();
        lane.pass(Duration.ZERO);
        assertThat(done).containsExactly("a", "b", "c", "d");
    }

    @Test
    @DisplayName("N10: a timer that is due does not wait for all steps that have come")
    void timersFirst() {
        kernel.after(SECOND, step("timer"));
        lane.now = SECOND.toNanos();
        for (int i = 0; i < 1_000; i++) {
            kernel.run(step("step"));
        }
        lane.pass(Duration.ZERO);
        assertThat(done).hasSize(1_001);
        assertThat(done.indexOf("timer")).isLessThan(200);
    }

    @Test
    @DisplayName(
            "N10: steps that take long are cut into slices of a millisecond, so that a timer waits for few of them")
    void slices() {
        kernel.after(SECOND, step("timer"));
        for (int i = 0; i < 20; i++) {
            kernel.run(() -> {
                lane.now += Duration.ofMillis(300).toNanos();
                done.add("step");
            });
        }
        lane.pass(Duration.ZERO);
        assertThat(done).hasSize(21);
        assertThat(done.indexOf("timer")).as("it is due after the fourth").isLessThan(6);
    }

    private void begin(Throwable thrown) {
        done.add("begins after " + thrown.getMessage());
        if (beginnings-- == 0) {
            throw new OutOfMemoryError("no heap");
        }
    }

    private Runnable failing() {
        return () -> {
            throw new IllegalStateException("planned");
        };
    }

    @Test
    @DisplayName("N14: after a step that throws the kernel begins again, before any other step")
    void throwing() {
        kernel.run(failing());
        kernel.run(step("other"));
        lane.pass(Duration.ZERO);
        assertThat(done).containsExactly("begins after planned", "other");
    }

    @Test
    @DisplayName(
            "N14: timers and answers end with what they belong to, but not repetitions, and not what comes from outside")
    void generations() {
        List<Runnable> threads = new ArrayList<>();
        kernel.after(SECOND, step("former timer"));
        kernel.call(threads::add, () -> "former answer", done::add, e -> done.add("failed"));
        kernel.callLasting(threads::add, () -> "lasting answer", done::add, e -> done.add("failed"));
        kernel.every(SECOND.multipliedBy(3), step("repetition"));
        kernel.run(failing());
        kernel.run(step("from outside"));
        lane.pass(Duration.ZERO);
        kernel.after(SECOND, step("timer"));
        threads.forEach(Runnable::run);
        lane.pass(SECOND.multipliedBy(3));
        assertThat(done)
                .containsExactly("begins after planned", "from outside", "lasting answer", "timer", "repetition");
    }

    @Test
    @DisplayName(
            "N14: a beginning that fails is made again by the next timer, and nothing runs before it has succeeded")
    void beginningFails() {
        kernel.every(SECOND, step("repetition"));
        kernel.run(failing());
        kernel.run(step("other"));
        beginnings = 0;
        lane.pass(Duration.ZERO);
        assertThat(done).containsExactly("begins after planned");
        lane.pass(SECOND);
        assertThat(done).containsExactly("begins after planned", "begins after planned", "repetition", "other");
    }

    @Test
    @DisplayName(
            "N14: a step that cannot be kept, as for want of memory, is a failure of the kernel: the next timer begins again")
    void unkept() {
        kernel.every(SECOND, step("repetition"));
        // a queue takes no null, as it takes nothing without memory
        kernel.run(new ArrayList<>(Collections.<Runnable>singletonList(null)).get(0));
        kernel.run(step("other"));
        lane.pass(Duration.ZERO);
        assertThat(done).containsExactly("other");
        lane.pass(SECOND);
        assertThat(done).hasSize(3).contains("repetition").element(1).asString().startsWith("begins after");
    }

    @Test
    @DisplayName("X2: a step for which there was no memory is run by the next timer, once")
    void stepWithoutMemory() {
        kernel.after(SECOND, step("timer"));
        lane.refusals = 1;
        kernel.run(step("a"));
        lane.pass(Duration.ZERO);
        assertThat(done).isEmpty();
        lane.pass(SECOND);
        lane.pass(SECOND);
        assertThat(done).containsExactly("timer", "a");
    }

    @Test
    @DisplayName(
            "X2: a timer for which there was no memory is planned by the next one, runs once, and can be cancelled")
    void timerWithoutMemory() {
        kernel.after(SECOND, step("timer"));
        lane.refusals = 2;
        kernel.after(SECOND.multipliedBy(3), step("late"));
        kernel.after(SECOND.multipliedBy(3), step("cancelled")).cancel();
        lane.pass(SECOND);
        assertThat(done).containsExactly("timer");
        lane.pass(SECOND);
        assertThat(done).as("not early").containsExactly("timer");
        lane.pass(SECOND);
        lane.pass(SECOND);
        assertThat(done).containsExactly("timer", "late");
    }

    @Test
    @DisplayName(
            "N11: what comes of work on a thread is one step: its answer, what it has thrown, or that there is no thread")
    void calls() {
        kernel.call(Runnable::run, () -> "answer", done::add, e -> done.add("failed"));
        kernel.<String>call(
                Runnable::run,
                () -> {
                    throw new StackOverflowError("deep");
                },
                done::add,
                e -> done.add(e.getMessage()));
        kernel.call(NO_THREAD, () -> "never", done::add, e -> done.add(e.getMessage()));
        assertThat(done).as("not on the threads").isEmpty();
        lane.pass(Duration.ZERO);
        assertThat(done).containsExactly("answer", "deep", "unable to create native thread");
    }

    @Test
    @DisplayName("P2: threads that refuse work and do it all the same end it once")
    void refusedAndDone() {
        List<Runnable> kept = new ArrayList<>();
        Executor both = step -> {
            kept.add(step);
            throw new InternalError("unable to create native thread");
        };
        kernel.call(both, () -> "answer", done::add, e -> done.add("failed"));
        kept.get(0).run();
        lane.pass(Duration.ZERO);
        assertThat(done).containsExactly("failed");
    }

    @Test
    @DisplayName("X2: a step that was lost between its plan and its turn is made up for by the next timer")
    void lostTurn() {
        kernel.after(SECOND, step("timer"));
        kernel.run(step("a"));
        lane.planned.remove(1);
        kernel.run(step("b"));
        lane.pass(Duration.ZERO);
        assertThat(done).isEmpty();
        lane.pass(SECOND);
        assertThat(done).containsExactly("timer", "a", "b");
    }
}
