package dev.almanac.bench;

import dev.almanac.Scheduler;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;

/** By how much runs start after their planned instant, with free slots. */
final class LatenessBench {
    private static final int CLIENTS = 8;

    private LatenessBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) throws Exception {
        nodes.reset();
        lateness(options.number("rate", 500), options.number("seconds", 30), nodes, line);
    }

    static void lateness(int rate, int seconds, BenchNodes nodes, Map<String, Object> line) throws Exception {
        int n = rate * seconds;
        ConcurrentHistogram micros = new ConcurrentHistogram(3);
        AtomicInteger early = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger recording = new AtomicInteger();
        Map<Integer, Boolean> seen = new ConcurrentHashMap<>();
        Scheduler scheduler = nodes.node(512, (number, execution) -> {
            Instant now = Instant.now();
            long late = java.time.Duration.between(execution.fireTime(), now).toNanos() / 1_000;
            if (recording.get() == 1 && number < n && seen.putIfAbsent(number, true) == null) {
                if (late < 0) {
                    early.incrementAndGet();
                }
                micros.recordValue(Math.max(0, late));
                ran.incrementAndGet();
            }
        });
        scheduler.start();
        for (int i = 0; i < 300; i++) {
            scheduler.scheduleJob(BenchNodes.job(10_000_000 + i)
                    .singleSchedule(Instant.now().plusMillis(1_000 + i * 5L))
                    .build());
        }
        LockSupport.parkNanos(3_000_000_000L);
        recording.set(1);
        schedule(scheduler, rate, n);
        long end = System.nanoTime() + 30_000_000_000L;
        while (ran.get() < n && System.nanoTime() < end) {
            LockSupport.parkNanos(20_000_000);
        }
        scheduler.close();
        line.put("n", n);
        line.put("p50_ms", micros.getValueAtPercentile(50) / 1_000.0);
        line.put("p99_ms", micros.getValueAtPercentile(99) / 1_000.0);
        line.put("max_ms", micros.getMaxValue() / 1_000.0);
        line.put("early", early.get());
        line.put("lost", n - ran.get());
    }

    private static void schedule(Scheduler scheduler, int rate, int n) throws InterruptedException {
        long begin = System.currentTimeMillis() + 200;
        AtomicInteger next = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(CLIENTS);
        for (int c = 0; c < CLIENTS; c++) {
            new Thread(() -> {
                        for (int i = next.getAndIncrement(); i < n; i = next.getAndIncrement()) {
                            long at = begin + (long) i * 1_000 / rate;
                            while (System.currentTimeMillis() < at) {
                                LockSupport.parkNanos(200_000);
                            }
                            scheduler.scheduleJob(BenchNodes.job(i)
                                    .singleSchedule(Instant.ofEpochMilli(at + 5_000))
                                    .build());
                        }
                        done.countDown();
                    })
                    .start();
        }
        done.await();
    }
}
