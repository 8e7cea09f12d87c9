package dev.almanac.bench;

import dev.almanac.Scheduler;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;

/** How many operations per second an idle node causes on the server. */
final class IdleBench {
    private IdleBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) {
        int seconds = options.number("seconds", 20);
        nodes.reset();
        Scheduler scheduler = nodes.node(64, (number, execution) -> {});
        scheduler.scheduleJob(BenchNodes.job(1)
                .singleSchedule(Instant.now().plusSeconds(86_400))
                .build());
        scheduler.start();
        LockSupport.parkNanos(3_000_000_000L);
        long before = operations(nodes);
        LockSupport.parkNanos(seconds * 1_000_000_000L);
        long after = operations(nodes);
        scheduler.close();
        line.put("operations_per_s", Math.round((after - before) * 100.0 / seconds) / 100.0);
    }

    /** Reads and writes of documents; the server's own heartbeats and this question are commands. */
    private static long operations(BenchNodes nodes) {
        Document counters = nodes.client()
                .getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .get("opcounters", Document.class);
        return List.of("insert", "query", "update", "delete", "getmore").stream()
                .mapToLong(name -> ((Number) counters.get(name)).longValue())
                .sum();
    }
}
