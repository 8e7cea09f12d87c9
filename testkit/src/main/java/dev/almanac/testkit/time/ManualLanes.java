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
 * which they came, or shuffled by a seed. Not thread-safe.
 */
public final class ManualLanes {
    private final ManualTime time;
    private final @Nullable SplittableRandom shuffle;
    private final PriorityQueue<Step> queue =
            new PriorityQueue<>(Comparator.comparing(Step::at).thenComparing(Step::order));
    private long count;

    private record Step(Instant at, long order, Node node, Runnable action, boolean[] canceled) {}

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

    /** Runs every step that is due until the given time has passed. */
    public void advance(Duration by) {
        Instant end = time.exact().plus(by);
        Step next = queue.peek();
        while (next != null && !next.at().isAfter(end)) {
            queue.poll();
            if (next.at().isAfter(time.exact())) {
                time.advanceTo(next.at());
            }
            run(next);
            next = queue.peek();
        }
        time.advanceTo(end);
    }

    private void run(Step step) {
        if (step.canceled()[0] || step.node().closed) {
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
