package dev.almanac.bench;

import dev.almanac.Scheduler;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Work that is due again at once: retries 50 ms apart, a recurrence that catches up, a second {@code runNow} right after
 * the run of the first.
 */
final class AgainBench {
    private static final long DELAY_MICROS = 50_000;
    private static final int RETRIES = 3;
    private static final int BEHIND = 60;

    private AgainBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) {
        int n = options.number("n", 200);
        for (int round = 0; round < 3; round++) {
            // the last one counts: in the first the code is not compiled yet
            retries(n, nodes, line);
        }
        catchUp(nodes, line);
        runNow(options.number("rounds", 100), nodes, line);
    }

    /** From the end of an attempt, as the helper sees it, to the beginning of the next, less the delay. */
    private static void retries(int n, BenchNodes nodes, Map<String, Object> line) {
        nodes.reset();
        ConcurrentHistogram micros = new ConcurrentHistogram(3);
        Map<Integer, Long> failed = new ConcurrentHashMap<>();
        AtomicInteger ended = new AtomicInteger();
        Scheduler scheduler = nodes.node(256, (number, execution) -> {
            Long before = failed.get(number);
            if (before != null) {
                micros.recordValue(Math.max(0, (System.nanoTime() - before) / 1_000 - DELAY_MICROS));
            }
            if (execution.attempt() > RETRIES) {
                ended.incrementAndGet();
                return;
            }
            failed.put(number, System.nanoTime());
            throw new IllegalStateException("again");
        });
        scheduler.start();
        scheduleFailing(scheduler, n);
        await(() -> ended.get() >= n);
        scheduler.close();
        put(line, "retry", micros);
    }

    private static void put(Map<String, Object> line, String what, ConcurrentHistogram micros) {
        line.put(what + "_count", micros.getTotalCount());
        line.put(what + "_p50_ms", micros.getValueAtPercentile(50) / 1_000.0);
        line.put(what + "_p99_ms", micros.getValueAtPercentile(99) / 1_000.0);
    }

    private static void scheduleFailing(Scheduler scheduler, int n) {
        for (int i = 0; i < n; i++) {
            scheduler.scheduleJob(BenchNodes.job(i)
                    .singleSchedule(Instant.now().plusMillis(1_000))
                    .retryPolicy(RetryPolicy.fixed(RETRIES, Duration.ofMillis(50)))
                    .build());
        }
    }

    /** Fires of a second each, all of them passed: how long from one to the next. */
    private static void catchUp(BenchNodes nodes, Map<String, Object> line) {
        nodes.reset();
        try (Scheduler client = nodes.node(1, (number, execution) -> {})) {
            client.scheduleJob(BenchNodes.job(1)
                    .schedulingSpecification("* * * * * ?")
                    .missedFirePolicy(MissedFirePolicy.runAll(1_000))
                    .build());
        }
        LockSupport.parkNanos(BEHIND * 1_000_000_000L);
        List<Long> fires = new CopyOnWriteArrayList<>();
        Scheduler scheduler = nodes.node(4, (number, execution) -> fires.add(System.nanoTime()));
        scheduler.start();
        await(() -> fires.size() >= BEHIND);
        scheduler.close();
        line.put("caught_up", BEHIND);
        line.put("catch_up_ms_per_fire", (fires.get(BEHIND - 1) - fires.get(0)) / 1_000_000.0 / (BEHIND - 1));
    }

    /** From the request to the call of the helper. */
    private static void runNow(int rounds, BenchNodes nodes, Map<String, Object> line) {
        nodes.reset();
        ConcurrentHistogram firsts = new ConcurrentHistogram(3);
        ConcurrentHistogram seconds = new ConcurrentHistogram(3);
        AtomicInteger runs = new AtomicInteger();
        AtomicLong called = new AtomicLong();
        Scheduler scheduler = nodes.node(4, (number, execution) -> {
            called.set(System.nanoTime());
            runs.incrementAndGet();
        });
        scheduler.start();
        scheduler.scheduleJob(
                BenchNodes.job(1).schedulingSpecification("0 0 0 1 1 ?").build());
        for (int i = 0; i < rounds; i++) {
            LockSupport.parkNanos(37_000_000L);
            firsts.recordValue(runNow(scheduler, runs, called));
            seconds.recordValue(runNow(scheduler, runs, called));
        }
        scheduler.close();
        put(line, "run_now", firsts);
        put(line, "second_run_now", seconds);
    }

    private static long runNow(Scheduler scheduler, AtomicInteger runs, AtomicLong called) {
        int before = runs.get();
        long asked = System.nanoTime();
        scheduler.runNow("job-1");
        await(() -> runs.get() > before);
        return Math.max(0, (called.get() - asked) / 1_000);
    }

    private static void await(BooleanSupplier done) {
        long end = System.nanoTime() + 120_000_000_000L;
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("not done within two minutes");
            }
            LockSupport.parkNanos(50_000);
        }
    }
}
