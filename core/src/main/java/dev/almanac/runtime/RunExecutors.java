package dev.almanac.runtime;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Executors for helpers, used unless the service supplies one (rule R10). */
public final class RunExecutors {
    private static final int MOST_THREADS = 256;

    /** How long a run waits for a virtual thread before all runs have platform threads. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private RunExecutors() {}

    /**
     * Virtual threads where the JVM has them, else a bounded pool of daemon threads. The first virtual thread of a process
     * is made here: if it was made later, at a moment when the system refuses a thread, no run of the process could ever have
     * one, since the JVM tries only once to set them up.
     */
    public static ExecutorService standard(int runs) {
        try {
            ExecutorService virtual = (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
            virtual.execute(() -> {});
            return new VirtualRuns(virtual, pool(runs), LONGEST_WAIT);
        } catch (ReflectiveOperationException | LinkageError | OutOfMemoryError noVirtualThreads) {
            return pool(runs);
        }
    }

    /**
     * As many threads as runs, and as many again to replace those whose helper does not return; beyond that the pool
     * refuses, and the run is left to another node. Above 256 runs, further runs wait instead.
     */
    private static ExecutorService pool(int runs) {
        boolean many = runs > MOST_THREADS;
        int threads = many ? MOST_THREADS : 2 * runs;
        BlockingQueue<Runnable> waiting = many ? new LinkedBlockingQueue<>() : new SynchronousQueue<>();
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(many ? threads : 0, threads, 30, TimeUnit.SECONDS, waiting, run -> {
                    Thread thread = new Thread(run, "almanac-run-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
