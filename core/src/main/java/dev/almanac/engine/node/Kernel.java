package dev.almanac.engine.node;

import dev.almanac.runtime.Lane;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The thread on which a running node decides. It owns what the node holds: claims, leases, the writes of their ends, what
 * is known of due jobs, slots and pauses of failing calls. Nothing else may touch these; {@link #run} is the door. No step
 * waits: calls of the store and code of the service run beside it, and bring their results back as steps.
 *
 * <p>What is passed in is kept until it was run: if the step that would take it cannot be planned, as with too little
 * memory, the next timer takes it. Steps run in the order in which they came; timers go first. Thread-safe.
 */
public final class Kernel implements Lane {
    /** How many steps go on before timers that are due. */
    private static final int SLICE = 64;

    private final Lane lane;
    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean awake = new AtomicBoolean();

    /** @param lane of width one */
    public Kernel(Lane lane) {
        this.lane = lane;
    }

    /** Throws nothing but for want of memory; then the step does not run. */
    @Override
    public void run(Runnable step) {
        inbox.add(step);
        wake();
    }

    @Override
    public Alarm after(Duration delay, Runnable step) {
        return lane.after(delay, () -> timer(step));
    }

    @Override
    public Alarm every(Duration interval, Runnable step) {
        return lane.every(interval, () -> timer(step));
    }

    /**
     * Does work that may wait, such as a call of the store or code of the service, on a thread; what comes of it is a step
     * of the kernel. Any thread may call this. It throws nothing but for want of memory.
     *
     * @param failed receives what the work has thrown, or why there is no thread for it
     */
    public <T> void call(Executor threads, Supplier<T> work, Consumer<T> answered, Consumer<Throwable> failed) {
        try {
            threads.execute(() -> run(outcome(work, answered, failed)));
        } catch (RuntimeException | Error noThread) {
            run(() -> failed.accept(noThread));
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

    private void timer(Runnable step) {
        try {
            step.run();
        } finally {
            if (!inbox.isEmpty()) {
                wake();
            }
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
        try {
            for (int i = 0; i < SLICE; i++) {
                Runnable step = inbox.poll();
                if (step == null) {
                    return;
                }
                step.run();
            }
        } finally {
            if (!inbox.isEmpty()) {
                wake();
            }
        }
    }
}
