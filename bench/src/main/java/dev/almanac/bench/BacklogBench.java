package dev.almanac.bench;

import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same drain and lateness on an empty store and beside many jobs of the far future. */
final class BacklogBench {
    private static final int FAR = 20_000_000;
    private static final int CHUNK = 10_000;

    private BacklogBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) throws Exception {
        int backlog = options.number("backlog", 1_000_000);
        int n = options.number("n", 10_000);
        DrainBench.drain(nodes, 4_000, 1, 2_000, true);
        double before = DrainBench.drain(nodes, n, 1, 2_000, true).rate();
        nodes.reset();
        Map<String, Object> empty = new LinkedHashMap<>();
        LatenessBench.lateness(200, 10, nodes, empty);
        nodes.reset();
        long start = System.nanoTime();
        fill(nodes, backlog);
        line.put("fill_s", Options.round((System.nanoTime() - start) / 1e9));
        Map<String, Object> full = new LinkedHashMap<>();
        LatenessBench.lateness(200, 10, nodes, full);
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        line.put("heap_mb", (runtime.totalMemory() - runtime.freeMemory()) >> 20);
        double after = DrainBench.drain(nodes, n, 1, 2_000, false).rate();
        line.put("jobs_per_s_empty", Options.round(before));
        line.put("jobs_per_s", Options.round(after));
        line.put("ratio", Math.round(after / before * 100) / 100.0);
        line.put("p50_ms_empty", empty.get("p50_ms"));
        line.put("p50_ms", full.get("p50_ms"));
        line.put("p99_ms_empty", empty.get("p99_ms"));
        line.put("p99_ms", full.get("p99_ms"));
    }

    private static void fill(BenchNodes nodes, int backlog) {
        Scheduler scheduler = nodes.node(64, (number, execution) -> {});
        Instant far = Instant.now().plusSeconds(365L * 86_400);
        for (int from = 0; from < backlog; from += CHUNK) {
            List<JobSpecification> some = new ArrayList<>();
            for (int i = from; i < Math.min(backlog, from + CHUNK); i++) {
                some.add(BenchNodes.job(FAR + i)
                        .singleSchedule(far.plusSeconds(i % 1_000_000))
                        .build());
            }
            scheduler.scheduleJobs(some);
        }
        scheduler.close();
    }
}
