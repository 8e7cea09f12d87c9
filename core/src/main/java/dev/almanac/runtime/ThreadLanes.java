package dev.almanac.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lanes of daemon threads, for a real engine. */
public final class ThreadLanes implements Lanes {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadLanes.class);

    private final String prefix;
    private final List<ScheduledThreadPoolExecutor> pools = new CopyOnWriteArrayList<>();

    /** @param prefix of the names of all threads */
    public ThreadLanes(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Lane open(String name, int width) {
        AtomicInteger number = new AtomicInteger();
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(width, step -> {
            Thread thread = new Thread(step, prefix + "-" + name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        pool.setRemoveOnCancelPolicy(true);
        pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        pools.add(pool);
        return new ThreadLane(pool);
    }

    @Override
    public void close() {
        pools.forEach(ScheduledThreadPoolExecutor::shutdownNow);
    }

    private record ThreadLane(ScheduledThreadPoolExecutor pool) implements Lane {
        @Override
        public void run(Runnable step) {
            after(Duration.ZERO, step);
        }

        @Override
        public Alarm after(Duration delay, Runnable step) {
            try {
                ScheduledFuture<?> future =
                        pool.schedule(contained(step), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
                return () -> future.cancel(false);
            } catch (RejectedExecutionException closed) {
                LOG.debug("a step came after its lane was closed");
                return () -> {};
            }
        }

        private static Runnable contained(Runnable step) {
            return () -> {
                try {
                    step.run();
                } catch (Throwable e) {
                    LOG.error("a step of the engine failed; its lane goes on", e);
                }
            };
        }
    }
}
