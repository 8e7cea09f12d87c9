package dev.almanac.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lanes of daemon threads, for a real engine. */
public final class ThreadLanes implements Lanes {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadLanes.class);

    private final String prefix;
    private static final long IDLE_SECONDS = 20;

    private final List<ExecutorService> pools = new CopyOnWriteArrayList<>();
    private final List<ScheduledThreadPoolExecutor> lanes = new CopyOnWriteArrayList<>();

    /** @param prefix of the names of all threads */
    public ThreadLanes(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Lane open(String name, int width) {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(width, daemons(name));
        pool.setRemoveOnCancelPolicy(true);
        pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        pools.add(pool);
        lanes.add(pool);
        return new ThreadLane(pool, catching(this::revive));
    }

    /** With too little memory, a lane may lose its last thread and get no other, while steps wait that start none. */
    private void revive() {
        lanes.stream()
                .filter(lane -> lane.getPoolSize() == 0 && !lane.getQueue().isEmpty())
                .forEach(ThreadPoolExecutor::prestartCoreThread);
    }

    @Override
    public Executor threads(String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons(name));
        pools.add(pool);
        return step -> {
            try {
                pool.execute(catching(step));
            } catch (RejectedExecutionException closed) {
                LOG.debug("a step came after its threads were closed");
            }
        };
    }

    private ThreadFactory daemons(String name) {
        AtomicInteger number = new AtomicInteger();
        return step -> {
            Thread thread = new Thread(step, prefix + "-" + name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    private static Runnable catching(Runnable step) {
        return () -> {
            try {
                step.run();
            } catch (Throwable e) {
                report(e);
            }
        };
    }

    /** What is thrown here as well, as with too little memory, would end the repetition of a step. */
    private static void report(Throwable e) {
        try {
            LOG.error("a step of the engine failed; the node continues", e);
        } catch (Throwable unreported) {
            // there is nothing left to report it with
        }
    }

    @Override
    public void close() {
        pools.forEach(ExecutorService::shutdownNow);
    }

    /** @param revive gives each lane without a thread another one; each repetition of any lane does that */
    record ThreadLane(ScheduledThreadPoolExecutor pool, Runnable revive) implements Lane {
        @Override
        public void run(Runnable step) {
            after(Duration.ZERO, step);
        }

        @Override
        public Alarm after(Duration delay, Runnable step) {
            // of more than 292 years, it is the longest delay there is
            long nanos = Math.max(0, TimeUnit.NANOSECONDS.convert(delay));
            return unlessClosed(() -> pool.schedule(catching(step), nanos, TimeUnit.NANOSECONDS));
        }

        @Override
        public Alarm every(Duration interval, Runnable step) {
            long nanos = TimeUnit.NANOSECONDS.convert(interval);
            Runnable contained = catching(step);
            Runnable turn = () -> {
                revive.run();
                contained.run();
            };
            return unlessClosed(() -> pool.scheduleWithFixedDelay(turn, nanos, nanos, TimeUnit.NANOSECONDS));
        }

        private static Alarm unlessClosed(Supplier<ScheduledFuture<?>> scheduled) {
            try {
                ScheduledFuture<?> future = scheduled.get();
                return () -> future.cancel(false);
            } catch (RejectedExecutionException closed) {
                LOG.debug("a step came after its lane was closed");
                return () -> {};
            }
        }
    }
}
