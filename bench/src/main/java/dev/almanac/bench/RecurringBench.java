package dev.almanac.bench;

import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;

/** Jobs that fire every five seconds, spread evenly over the seconds of it. */
final class RecurringBench {
    private static final int PERIOD = 5;

    private RecurringBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) {
        int n = options.number("n", 2_000);
        int seconds = options.number("seconds", 30);
        nodes.reset();
        ConcurrentHistogram micros = new ConcurrentHistogram(3);
        AtomicBoolean recording = new AtomicBoolean();
        Scheduler scheduler = nodes.node(2_000, (number, execution) -> {
            if (recording.get()) {
                long late =
                        Duration.between(execution.fireTime(), Instant.now()).toNanos() / 1_000;
                micros.recordValue(Math.max(0, late));
            }
        });
        List<JobSpecification> jobs = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            jobs.add(BenchNodes.job(i)
                    .schedulingSpecification(i % PERIOD + "/" + PERIOD + " * * * * ?")
                    .build());
        }
        scheduler.start();
        scheduler.scheduleJobs(jobs);
        LockSupport.parkNanos(15_000_000_000L);
        recording.set(true);
        LockSupport.parkNanos(seconds * 1_000_000_000L);
        recording.set(false);
        scheduler.close();
        long expected = (long) n * seconds / PERIOD;
        line.put("expected", expected);
        line.put("fires", micros.getTotalCount());
        line.put("missed", Math.max(0, expected - micros.getTotalCount()));
        line.put("p50_ms", micros.getValueAtPercentile(50) / 1_000.0);
        line.put("p99_ms", micros.getValueAtPercentile(99) / 1_000.0);
    }
}
