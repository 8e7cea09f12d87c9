package dev.almanac.testkit.time;

import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * One queue of steps for all nodes of a test, in the order of their times. Steps of equal time run in the order in
 * which they came, or shuffled by a seed. A step runs while the test moves time on, at the very moment it was planned
 * for; what it throws comes out there, so that a test cannot miss it.
 *
 * <p>A step takes no time, unless it says so by {@link Node#takeTime}: then others run meanwhile, and its lane is
 * taken. Only one step goes on at any moment, each on some thread of these lanes. To be used by one thread.
 */
public final class ManualLanes implements AutoCloseable {
    private final ManualTime time;
    private final @Nullable Long seed;
    private final PriorityQueue<Step> queue = new PriorityQueue<>();
    private final Set<Stop> stops = new LinkedHashSet<>();
    /** Read by the test's thread while it waits; written by one thread at a time. */
    private volatile int stepsLeft;

    private final Baton baton = new Baton(this::runSteps, () -> stepsLeft);
    private int nodes;
    private long count;
    private Instant end = Instant.MIN;
    private @Nullable Throwable failure;

    /** @param stop set for the step that wakes a step which stands still */
    private record Step(
            Instant at,
            long order,
            Track track,
            Runnable action,
            boolean[] canceled,
            @Nullable Stop stop) implements Comparable<Step> {
        @Override
        public int compareTo(Step other) {
            int earlier = at.compareTo(other.at);
            return earlier != 0 ? earlier : Long.compare(order, other.order);
        }

        Step later(Instant moment) {
            return new Step(moment, order, track, action, canceled, stop);
        }

        boolean isOff() {
            return stop == null && (canceled[0] || track.node().closed);
        }
    }

    /** A step that stands still in the middle. */
    private record Stop(Node node, Semaphore turn) {}

    /** Unwinds a step of a node that is gone. */
    private static final class Gone extends Error {
        private static final long serialVersionUID = 1;

        Gone() {
            super("the node of this step is gone", null, false, false);
        }
    }

    /** Steps of equal time run in the order in which they came. */
    public ManualLanes(ManualTime time) {
        this.time = time;
        this.seed = null;
    }

    /**
     * Steps of equal time run in an order drawn from the seed. Each lane draws for itself, so that what one lane does more
     * or less leaves the draws of the others as they were.
     */
    public ManualLanes(ManualTime time, long seed) {
        this.time = time;
        this.seed = seed;
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
    public void runUntil(Instant moment) {
        run(moment, Integer.MAX_VALUE);
        time.advanceTo(moment);
    }

    /**
     * Runs steps, moving time on to each, until none is left that could run. What waits on a frozen node goes on
     * waiting; a step that was taken back, or whose node is gone, does not move time.
     *
     * @param mostSteps how many steps may run; nodes that look again and again never become idle
     * @throws IllegalStateException if there are steps left after so many
     */
    public void runUntilIdle(int mostSteps) {
        run(Instant.MAX, mostSteps);
        if (next() != null) {
            throw new IllegalStateException("not idle after " + mostSteps + " steps");
        }
    }

    /** Ends all nodes, and what stands still. Needed only where steps take time. */
    @Override
    public void close() {
        end = Instant.MIN;
        for (Stop stop : List.copyOf(stops)) {
            stop.node().close();
            baton.send(stop.turn());
        }
    }

    private void run(Instant until, int mostSteps) {
        end = until;
        stepsLeft = mostSteps;
        baton.send();
        Throwable thrown = failure;
        failure = null;
        if (thrown instanceof RuntimeException e) {
            throw e;
        } else if (thrown instanceof Error e) {
            throw e;
        }
    }

    /** The next step that can run; absent = none. */
    private @Nullable Step next() {
        Step step = queue.peek();
        while (step != null && step.isOff()) {
            queue.remove();
            step = queue.peek();
        }
        return step;
    }

    /** Whether the baton is to go home; else a step that stood still has it. */
    private boolean runSteps() {
        try {
            Step step = next();
            while (step != null && !step.at().isAfter(end) && stepsLeft > 0) {
                stepsLeft = stepsLeft - 1;
                queue.remove();
                if (step.at().isAfter(time.exact())) {
                    time.advanceTo(step.at());
                }
                if (!begin(step)) {
                    return false;
                }
                step = next();
            }
        } catch (Throwable thrown) {
            failure = thrown;
        }
        return true;
    }

    /** Runs or blocks the step; false if the baton was passed to a step that stood still. */
    private boolean begin(Step step) {
        Stop stop = step.stop();
        if (step.track().node().frozen && !step.track().node().closed) {
            step.track().node().waiting.add(step);
        } else if (stop != null) {
            stop.turn().release();
            return false;
        } else {
            step.track().run(step);
        }
        return true;
    }

    private Lane.Alarm add(Track track, Duration delay, Runnable action, @Nullable Stop stop) {
        long order = track.draws == null ? count++ : track.draws.nextLong();
        Duration wait = delay.isNegative() ? Duration.ZERO : delay;
        Step step = new Step(time.exact().plus(wait), order, track, action, new boolean[1], stop);
        queue.add(step);
        return () -> step.canceled()[0] = true;
    }

    /** One lane: how many of its steps may be under way at a time, and what waits for that. */
    private final class Track implements Lane {
        private final Node node;
        private final int width;
        private final @Nullable SplittableRandom draws;
        private final Deque<Step> backlog = new ArrayDeque<>();
        private int busy;

        Track(Node node, String name, int width) {
            this.node = node;
            this.width = width;
            this.draws = seed == null
                    ? null
                    : new SplittableRandom(
                            ((seed * 31 + node.number) * 31 + name.hashCode()) ^ (long) node.again(name) << 32);
        }

        Node node() {
            return node;
        }

        @Override
        public void run(Runnable step) {
            add(this, Duration.ZERO, step, null);
        }

        @Override
        public Alarm after(Duration delay, Runnable step) {
            return add(this, delay, step, null);
        }

        @Override
        public Alarm every(Duration interval, Runnable step) {
            Repetition repetition = new Repetition(this, interval, step);
            repetition.await();
            return repetition;
        }

        private void run(Step step) {
            if (busy >= width) {
                backlog.add(step);
                return;
            }
            busy++;
            try {
                step.action().run();
            } catch (Gone gone) {
                // there is no listener left
            } finally {
                busy--;
                if (!backlog.isEmpty()) {
                    queue.add(backlog.remove().later(time.exact()));
                }
            }
        }
    }

    /** One step at a time is planned, so that a lane that stands still keeps one. */
    private final class Repetition implements Lane.Alarm {
        private final Track track;
        private final Duration interval;
        private final Runnable step;
        private Lane.@Nullable Alarm next;
        private boolean canceled;

        Repetition(Track track, Duration interval, Runnable step) {
            this.track = track;
            this.interval = interval;
            this.step = step;
        }

        void await() {
            next = add(track, interval, this::run, null);
        }

        private void run() {
            try {
                step.run();
            } finally {
                if (!canceled) {
                    await();
                }
            }
        }

        @Override
        public void cancel() {
            canceled = true;
            if (next != null) {
                next.cancel();
            }
        }
    }

    /** The lanes of one node: they can stand still, and end. */
    public final class Node implements Lanes {
        private final List<Step> waiting = new ArrayList<>();
        private final int number = nodes++;
        private final Map<String, Integer> names = new HashMap<>();
        private final Track executor = new Track(this, "executor", Integer.MAX_VALUE);
        private boolean frozen;
        private boolean closed;

        private Node() {}

        /** How many lanes of that name this node had before. */
        private int again(String name) {
            return names.merge(name, 1, Integer::sum) - 1;
        }

        @Override
        public Lane open(String name, int width) {
            return new Track(this, name, width);
        }

        @Override
        public Executor threads(String name) {
            return new Track(this, name, Integer.MAX_VALUE)::run;
        }

        /** As an executor for helpers, with room for any number of them. */
        public void execute(Runnable action) {
            executor.run(action);
        }

        /**
         * The step that calls this takes so long, as if it waited for a reply: other steps run meanwhile, its lane is
         * taken. It goes on later if the node is frozen by then, and never if the node is gone. Only from a step of
         * this node, and with no monitor held that another step may need.
         *
         * @param by zero or more
         */
        public void takeTime(Duration by) {
            if (!closed) {
                Stop stop = new Stop(this, new Semaphore(0));
                stops.add(stop);
                add(executor, by, () -> {}, stop);
                baton.stop(stop.turn());
                stops.remove(stop);
            }
            if (closed) {
                throw new Gone();
            }
        }

        /**
         * Moves time on, from step to step of all nodes, until {@code end} has ended; a step of these lanes takes that
         * time. So {@code drain}, {@code stop} and {@code close} of a scheduler return by themselves.
         *
         * @return false if it has not ended after {@code atMost}, or cannot since this node is gone or stands still
         */
        @Override
        public boolean await(Future<?> end, Duration atMost) throws InterruptedException, ExecutionException {
            Instant latest = time.exact().plus(atMost);
            while (!end.isDone() && !closed && !frozen && time.exact().isBefore(latest)) {
                moveOn(latest);
            }
            if (end.isDone()) {
                end.get();
            }
            return end.isDone();
        }

        private void moveOn(Instant latest) {
            if (Baton.isStep()) {
                takeTime(Duration.ofMillis(1));
                return;
            }
            Step step = next();
            if (step == null || step.at().isAfter(latest)) {
                time.advanceTo(latest);
            } else {
                ManualLanes.this.run(step.at(), 1);
            }
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
            late.forEach(step -> queue.add(step.later(time.exact())));
        }

        /** The process is gone, as after SIGKILL: no step of it runs any more, and none goes on. */
        @Override
        public void close() {
            closed = true;
        }
    }
}
