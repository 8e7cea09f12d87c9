package dev.almanac.runtime;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Where helpers run unless the service supplies an executor (rule R10). */
public final class RunExecutors {
    private static final int MOST_THREADS = 256;

    private RunExecutors() {}

    /** Virtual threads where the JVM has them, else daemon threads, at most as many as runs and at most 256. */
    public static Executor standard(int runs) {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException olderJvm) {
            return pool(Math.min(runs, MOST_THREADS));
        }
    }

    private static Executor pool(int threads) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), run -> {
                    Thread thread = new Thread(run, "almanac-run-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
