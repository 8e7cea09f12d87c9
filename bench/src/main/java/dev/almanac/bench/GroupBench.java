package dev.almanac.bench;

import dev.almanac.Scheduler;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Rate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same lateness on an empty store and beside many due jobs of a group with five slots and a rate (rule X7). */
final class GroupBench {
    private static final int WAITING = 30_000_000;
    private static final int CHUNK = 10_000;

    private GroupBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) throws Exception {
        int waiting = options.number("waiting", 100_000);
        int rate = options.number("rate", 200);
        int seconds = options.number("seconds", 15);
        LatenessBench.lateness(rate, seconds, nodes, new LinkedHashMap<>());
        nodes.reset();
        Map<String, Object> empty = new LinkedHashMap<>();
        LatenessBench.lateness(rate, seconds, nodes, empty);
        nodes.reset();
        fill(nodes, waiting);
        long server = nodes.serverMicros();
        Map<String, Object> beside = new LinkedHashMap<>();
        LatenessBench.lateness(rate, seconds, nodes, beside);
        line.put("server_s", Options.round((nodes.serverMicros() - server) / 1e6));
        for (String figure : List.of("p50_ms", "p99_ms", "max_ms", "lost")) {
            line.put(figure + "_empty", empty.get(figure));
            line.put(figure, beside.get(figure));
        }
    }

    private static void fill(BenchNodes nodes, int waiting) {
        Scheduler scheduler = nodes.node(64, (number, execution) -> {});
        scheduler.groups().put("bank-api", new GroupLimits(5, Rate.parse("10/s")));
        for (int from = 0; from < waiting; from += CHUNK) {
            List<JobSpecification> some = new ArrayList<>();
            for (int i = from; i < Math.min(waiting, from + CHUNK); i++) {
                some.add(BenchNodes.job(WAITING + i)
                        .exclusiveGroup("bank-api")
                        .singleSchedule(Instant.now())
                        .build());
            }
            scheduler.scheduleJobs(some);
        }
        scheduler.close();
    }
}
