package dev.almanac.testkit.time;

import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One queue of steps for all nodes of a test, in the order of their times. Steps of equal time run in the order in
 * which they came, or shuffled by a seed. A step runs on the thread of the test that moves time on, at the very
 * moment it was planned for; what it throws comes out there, so that a test cannot miss it. Not thread-safe.
 */
public final class ManualLanes {
    private final ManualTime time;
    private final @Nullable SplittableRandom shuffle;
    private final PriorityQueue<Step> queue =
            new PriorityQueue<>(Comparator.comparing(Step::at).thenComparing(Step::order));
    private long count;

    private record Step(Instant at, long order, Node node, Runnable action, boolean[] canceled) {
        boolean isOff() {
            return canceled[0] || node.closed;
        }
    }

    /** Steps of equal time run in the order in which they came. */
    public ManualLanes(ManualTime time) {
        this.time = time;
        this.shuffle = null;
    }

    /** Steps of equal time run in an order drawn from the seed. */
    public ManualLanes(ManualTime time, long seed) {
        this.time = time;
        this.shuffle = new SplittableRandom(seed);
    }

    /** The lanes of one node. */
    public Node node() {
        return new Node();
    }

    /** Moves time on by {@code by}, zero or more, and runs every step that falls due on the way, the last moment's too. */
    public void advance(Duration by) {
        runUntil(time.exact().plus(by));
    }

    /**
     * Moves time on to a moment, and runs every step that falls due on the way, those of the moment itself too.
     *
     * @throws IllegalArgumentException if it lies before the present time
     */
    public void runUntil(Instant end) {
        Step next = queue.peek();
        while (next != null && !next.at().isAfter(end)) {
            run(queue.remove());
            next = queue.peek();
        }
        time.advanceTo(end);
    }

    /**
     * Runs steps, moving time on to each, until none is left that could run. What waits on a frozen node goes on
     * waiting; a step that was taken back, or whose node is gone, does not move time.
     *
     * @param mostSteps how many steps may run; nodes that look again and again never become idle
     * @throws IllegalStateException if there are steps left after so many
     */
    public void runUntilIdle(int mostSteps) {
        for (int ran = 0; !queue.isEmpty(); ) {
            Step step = queue.remove();
            if (step.isOff()) {
                continue;
            }
            if (ran++ == mostSteps) {
                queue.add(step);
                throw new IllegalStateException("not idle after " + mostSteps + " steps");
            }
            run(step);
        }
    }

    private void run(Step step) {
        if (step.at().isAfter(time.exact())) {
            time.advanceTo(step.at());
        }
        if (step.isOff()) {
            return;
        }
        if (step.node().frozen) {
            step.node().waiting.add(step);
        } else {
            step.action().run();
        }
    }

    private Lane.Alarm add(Node node, Duration delay, Runnable action) {
        long order = shuffle == null ? count++ : shuffle.nextLong();
        Duration wait = delay.isNegative() ? Duration.ZERO : delay;
        Step step = new Step(time.exact().plus(wait), order, node, action, new boolean[1]);
        queue.add(step);
        return () -> step.canceled()[0] = true;
    }

    /** The lanes of one node: they can stand still, and end. */
    public final class Node implements Lanes {
        private final List<Step> waiting = new ArrayList<>();
        private boolean frozen;
        private boolean closed;

        private Node() {}

        @Override
        public Lane open(String name, int width) {
            return new Lane() {
                @Override
                public void run(Runnable step) {
                    add(Node.this, Duration.ZERO, step);
                }

                @Override
                public Alarm after(Duration delay, Runnable step) {
                    return add(Node.this, delay, step);
                }
            };
        }

        /** As an executor for helpers. */
        public void execute(Runnable action) {
            add(this, Duration.ZERO, action);
        }

        /** The process stands still, as after SIGSTOP: its steps wait. */
        public void freeze() {
            frozen = true;
        }

        /** The process goes on: what has waited runs now, late. */
        public void thaw() {
            frozen = false;
            List<Step> late = new ArrayList<>(waiting);
            waiting.clear();
            late.forEach(step -> add(this, Duration.ZERO, () -> {
                if (!step.canceled()[0]) {
                    step.action().run();
                }
            }));
        }

        /** The process is gone, as after SIGKILL: no step of it runs any more. */
        @Override
        public void close() {
            closed = true;
        }
    }
}
