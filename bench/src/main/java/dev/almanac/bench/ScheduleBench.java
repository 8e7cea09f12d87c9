package dev.almanac.bench;

import dev.almanac.Scheduler;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** How many schedule calls a second; nothing runs. */
final class ScheduleBench {
    private ScheduleBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) throws Exception {
        int seconds = options.number("seconds", 5);
        nodes.reset();
        Scheduler scheduler = nodes.node(64, (number, execution) -> {});
        AtomicInteger next = new AtomicInteger();
        calls(scheduler, 4, 3, next);
        line.put("per_s_1_thread", Options.round(calls(scheduler, 1, seconds, next)));
        line.put("per_s_8_threads", Options.round(calls(scheduler, 8, seconds, next)));
        scheduler.close();
    }

    private static double calls(Scheduler scheduler, int threads, int seconds, AtomicInteger next)
            throws InterruptedException {
        Instant far = Instant.now().plusSeconds(365L * 86_400);
        long start = System.nanoTime();
        long end = start + seconds * 1_000_000_000L;
        LongAdder done = new LongAdder();
        CountDownLatch over = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            new Thread(() -> {
                        while (System.nanoTime() < end) {
                            scheduler.scheduleJob(BenchNodes.job(next.getAndIncrement())
                                    .singleSchedule(far)
                                    .build());
                            done.increment();
                        }
                        over.countDown();
                    })
                    .start();
        }
        over.await();
        return done.sum() * 1e9 / (System.nanoTime() - start);
    }
}
