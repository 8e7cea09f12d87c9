package dev.almanac.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs on virtual threads, as long as these begin what they are given. Once the JVM has lost the threads that carry them, which
 * it does when the system refuses new threads for a moment, it may begin none ever again; code that keeps the carriers
 * holds up all other runs. So if runs have waited too long, they move to a pool of platform threads, and all later ones
 * begin there. Each run begins once. Thread-safe.
 */
final class VirtualRuns extends AbstractExecutorService {
    private static final Logger LOG = LoggerFactory.getLogger(VirtualRuns.class);

    /** The machine's: threads are late by no other clock. */
    private static final TimeSource TIME = TimeSource.system();

    private final ExecutorService virtual;
    private final ExecutorService pool;
    private final Duration patience;
    private final Set<Run> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stalled;
    private volatile boolean watched;

    private final class Run implements Runnable {
        private final Runnable code;
        private final long givenNanos = TIME.nanos();
        private final AtomicBoolean begun = new AtomicBoolean();

        private Run(Runnable code) {
            this.code = code;
        }

        @Override
        public void run() {
            if (begin()) {
                code.run();
            }
        }

        /** Whether it has not begun before, and was not refused. */
        private boolean begin() {
            waiting.remove(this);
            return begun.compareAndSet(false, true);
        }

        private boolean waitsTooLong() {
            return TIME.nanos() - givenNanos > patience.toNanos();
        }
    }

    /** @param patience how long a run may wait for a virtual thread */
    VirtualRuns(ExecutorService virtual, ExecutorService pool, Duration patience) {
        this.virtual = virtual;
        this.pool = pool;
        this.patience = patience;
    }

    /** A scheduler that never runs anything has no thread. Without a thread to watch, no run is taken. */
    private synchronized void beginWatch() {
        if (!watched) {
            Thread watch = new Thread(this::watch, "almanac-run-watch");
            watch.setDaemon(true);
            watch.start();
            watched = true;
        }
    }

    private void watch() {
        while (!isShutdown()) {
            LockSupport.parkNanos(patience.dividedBy(10).toNanos());
            if (stalled || waiting.stream().anyMatch(Run::waitsTooLong)) {
                moveToPool();
            }
        }
    }

    private void moveToPool() {
        if (!stalled) {
            stalled = true;
            LOG.warn(
                    "a run has waited {} for a virtual thread; platform threads begin the {} that wait, and all later ones",
                    patience,
                    waiting.size());
        }
        for (Run run : waiting) {
            try {
                pool.execute(run);
                waiting.remove(run);
            } catch (RejectedExecutionException | OutOfMemoryError noThreadNow) {
                return;
            }
        }
    }

    @Override
    public void execute(Runnable code) {
        if (stalled) {
            pool.execute(code);
            return;
        }
        if (!watched) {
            beginWatch();
        }
        Run run = new Run(code);
        waiting.add(run);
        try {
            virtual.execute(run);
        } catch (RuntimeException | Error e) {
            // what was refused does not begin later
            run.begin();
            throw e;
        }
    }

    @Override
    public void shutdown() {
        virtual.shutdown();
        pool.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        virtual.shutdownNow();
        pool.shutdownNow();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return virtual.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return virtual.isTerminated() && pool.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        long end = TIME.nanos() + unit.toNanos(timeout);
        return virtual.awaitTermination(timeout, unit)
                && pool.awaitTermination(end - TIME.nanos(), TimeUnit.NANOSECONDS);
    }
}
