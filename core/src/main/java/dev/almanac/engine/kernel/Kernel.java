package dev.almanac.engine.kernel;

import dev.almanac.runtime.Lane;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread on which a running node decides. It owns what the node holds: claims, leases, the writes of their ends, what
 * is known of due jobs, slots and pauses of failing calls. Nothing else may touch these; {@link #run} is the door. No step
 * waits: calls of the store and code of the service run beside it, and bring their results back as steps.
 *
 * <p>What was passed in is kept until it was run: if a step or a timer cannot be planned, as without a thread, the next timer
 * that was planned makes up for it, such as the one of the leases, many times a lease. Steps run in the order in
 * which they came; timers go first. Thread-safe.
 *
 * <p>A step that throws ends this kernel's generation (rule N14): its timers and the answers to its calls are dropped, since
 * what they belong to may be half done; the next generation begins with what runs, writes and claims are under way.
 */
public final class Kernel implements Lane {
    /** How many steps go on before timers that are due, and for how long. */
    private static final int SLICE = 64;

    private static final long SLICE_NANOS = 1_000_000;

    private final Lane lane;
    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    private final Queue<Timer> unplanned = new ConcurrentLinkedQueue<>();
    private final LongSupplier nanos;
    private final Consumer<Throwable> begin;
    private volatile int generation;
    /** What has ended the last generation; absent = the present one has begun. */
    private @Nullable Throwable failure;
    /** Why a step could not be kept; the next timer takes it for what a step has thrown. */
    private volatile @Nullable Throwable lost;

    /** A step at its time, by the monotonic clock; it runs once, although a lane may keep what it has refused. */
    private static final class Timer {
        private final long at;
        private final Runnable step;
        private volatile boolean done;

        Timer(long at, Runnable step) {
            this.at = at;
            this.step = step;
        }

        void run() {
            if (!done) {
                done = true;
                step.run();
            }
        }
    }

    /**
     * @param lane of width one
     * @param nanos the monotonic clock
     * @param begin begins the next generation; receives what a step has thrown. If it throws, it is called again later
     */
    public Kernel(Lane lane, LongSupplier nanos, Consumer<Throwable> begin) {
        this.lane = lane;
        this.nanos = nanos;
        this.begin = begin;
    }

    /** Throws nothing: a step that cannot be kept, for want of memory, is a failure of the kernel. */
    @Override
    public void run(Runnable step) {
        try {
            inbox.add(step);
        } catch (Throwable noMemory) {
            lost = noMemory;
        }
        wake();
    }

    /** Dropped with this generation. Throws nothing but for want of memory; then the step does not run. */
    @Override
    public Alarm after(Duration delay, Runnable step) {
        Timer timer = new Timer(nanos.getAsLong() + TimeUnit.NANOSECONDS.convert(delay), ofThisGeneration(step));
        try {
            return lane.after(delay, () -> timer(timer::run));
        } catch (RuntimeException | Error e) {
            unplanned.add(timer);
            return () -> timer.done = true;
        }
    }

    @Override
    public Alarm every(Duration interval, Runnable step) {
        return lane.every(interval, () -> timer(step));
    }

    /**
     * Does work that may wait, such as a call of the store or code of the service, on a thread; what comes of it is a step
     * of the kernel, dropped with this generation. Any thread may call this. It throws nothing but for want of memory.
     *
     * @param failed receives what the work has thrown, or why there is no thread for it
     */
    <T> void call(Executor threads, Supplier<T> work, Consumer<T> answered, Consumer<Throwable> failed) {
        int own = generation;
        callLasting(
                threads,
                work,
                answer -> {
                    if (own == generation) {
                        answered.accept(answer);
                    }
                },
                e -> {
                    if (own == generation) {
                        failed.accept(e);
                    }
                });
    }

    /** As {@link #call}, but what comes of it belongs to the next generation as well. */
    <T> void callLasting(Executor threads, Supplier<T> work, Consumer<T> answered, Consumer<Throwable> failed) {
        // threads that refuse the work may keep it all the same
        AtomicBoolean begun = new AtomicBoolean();
        try {
            threads.execute(() -> {
                if (begun.compareAndSet(false, true)) {
                    pass(work, answered, failed);
                }
            });
        } catch (RuntimeException | Error noThread) {
            if (begun.compareAndSet(false, true)) {
                run(() -> failed.accept(noThread));
            }
        }
    }

    private <T> void pass(Supplier<T> work, Consumer<T> answered, Consumer<Throwable> failed) {
        try {
            run(outcome(work, answered, failed));
        } catch (Throwable noMemory) {
            lost = noMemory;
        }
    }

    private static <T> Runnable outcome(Supplier<T> work, Consumer<T> answered, Consumer<Throwable> failed) {
        try {
            T answer = work.get();
            return () -> answered.accept(answer);
        } catch (Throwable e) {
            return () -> failed.accept(e);
        }
    }

    private Runnable ofThisGeneration(Runnable step) {
        int own = generation;
        return () -> {
            if (own == generation) {
                step.run();
            }
        };
    }

    private void timer(Runnable step) {
        Throwable unpassed = lost;
        if (unpassed != null) {
            lost = null;
            fail(unpassed);
        }
        supervised(step);
        planAgain();
        if (!inbox.isEmpty()) {
            // also if that step was lost which was to take them
            awake.set(false);
            wake();
        }
    }

    /** Runs the step, unless the next generation cannot begin: then a later step or timer tries again. */
    private void supervised(Runnable step) {
        if (failure != null && !hasBegun()) {
            return;
        }
        try {
            step.run();
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void fail(Throwable e) {
        failure = e;
        generation++;
        hasBegun();
    }

    private boolean hasBegun() {
        try {
            begin.accept(failure);
            failure = null;
            return true;
        } catch (Throwable again) {
            // what it has planned meanwhile belongs to no generation
            generation++;
            return false;
        }
    }

    private void planAgain() {
        for (Timer timer = unplanned.peek(); timer != null; timer = unplanned.peek()) {
            Timer late = timer;
            try {
                lane.after(Duration.ofNanos(Math.max(0, late.at - nanos.getAsLong())), () -> timer(late::run));
            } catch (RuntimeException | Error e) {
                return;
            }
            unplanned.remove();
        }
    }

    private void wake() {
        if (awake.compareAndSet(false, true)) {
            try {
                lane.run(this::turn);
            } catch (RuntimeException | Error e) {
                // the next timer plans it again
                awake.set(false);
            }
        }
    }

    private void turn() {
        awake.set(false);
        supervised(this::slice);
        if (failure == null && !inbox.isEmpty()) {
            wake();
        }
    }

    private void slice() {
        long end = nanos.getAsLong() + SLICE_NANOS;
        boolean over = false;
        for (int i = 0; i < SLICE && !over; i++) {
            Runnable step = inbox.poll();
            if (step == null) {
                return;
            }
            over = nanos.getAsLong() - end >= 0;
            step.run();
        }
    }
}
