package dev.almanac.bench;

import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;

/** What nodes under load do, and what they say of themselves. */
final class LoadSeen implements SchedulerListener {
    private final LongAdder runs = new LongAdder();
    private final LongAdder missed = new LongAdder();
    private final LongAdder blocked = new LongAdder();
    private final ConcurrentHistogram lateMillis = new ConcurrentHistogram(3);

    @Override
    public void on(SchedulerEvent event) {
        if (event instanceof SchedulerEvent.RunStarted started) {
            runs.increment();
            if (started.lateness() != null) {
                lateMillis.recordValue(started.lateness().toMillis());
            }
        } else if (event instanceof SchedulerEvent.FiresMissed fires) {
            missed.add(fires.missed().count());
        } else if (event instanceof SchedulerEvent.JobBlocked) {
            blocked.increment();
        }
    }

    /** Lets the nodes work, and tells; the heap is that after a collection, while they are at work still. */
    void watch(List<Scheduler> nodes, int seconds, Map<String, Object> line) {
        long begin = System.nanoTime();
        LockSupport.parkNanos(seconds * 1_000_000_000L);
        double took = (System.nanoTime() - begin) / 1e9;
        line.put("runs", runs.sum());
        line.put("runs_per_s", Options.round(runs.sum() / took));
        line.put("missed_fires", missed.sum());
        line.put("blocked", blocked.sum());
        line.put("late_p50_ms", lateMillis.getValueAtPercentile(50));
        line.put("late_p99_ms", lateMillis.getValueAtPercentile(99));
        System.gc();
        line.put(
                "heap_mb",
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20);
        line.put("threads_peak", ManagementFactory.getThreadMXBean().getPeakThreadCount());
        line.put("overdue", nodes.get(0).backlog().overdueJobs());
        line.put(
                "health",
                nodes.stream()
                        .limit(2)
                        .map(node -> node.health().state() + " " + node.health().reasons())
                        .toList());
    }
}
