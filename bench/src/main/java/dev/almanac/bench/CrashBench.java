package dev.almanac.bench;

import dev.almanac.Scheduler;
import dev.almanac.runtime.SchedulerSettings;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;

/** A process is killed that runs jobs; how long until another node runs them. */
final class CrashBench {
    private static final String LEASE = "20000";
    private static final String SKEW = "1750";

    private CrashBench() {}

    /** With a lease and an allowance in milliseconds, the defaults if they are not given. */
    static SchedulerSettings settings(Map<String, String> given) {
        return SchedulerSettings.builder()
                .leaseLength(Duration.ofMillis(Long.parseLong(given.getOrDefault("lease", LEASE))))
                .skewAllowance(Duration.ofMillis(Long.parseLong(given.getOrDefault("skew", SKEW))))
                .build();
    }

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) throws Exception {
        int n = options.number("n", 50);
        nodes.reset();
        Scheduler scheduler = nodes.node(64, (number, execution) -> {});
        for (int i = 0; i < n; i++) {
            scheduler.scheduleJob(BenchNodes.job(i)
                    .singleSchedule(Instant.now().plusMillis(500))
                    .build());
        }
        Process child = child(nodes, options);
        Map<Integer, Long> again = new ConcurrentHashMap<>();
        Scheduler heir =
                nodes.node(settings(options.given()), (number, execution) -> again.put(number, System.nanoTime()));
        while (leased(nodes) < n) {
            LockSupport.parkNanos(20_000_000);
        }
        heir.start();
        LockSupport.parkNanos(4_000_000_000L);
        child.destroyForcibly().waitFor();
        long killed = System.nanoTime();
        while (again.size() < n && System.nanoTime() - killed < 90_000_000_000L) {
            LockSupport.parkNanos(10_000_000);
        }
        long first = again.values().stream().mapToLong(t -> t).min().orElse(killed);
        long last = again.values().stream().mapToLong(t -> t).max().orElse(killed);
        line.put("rerun", again.size());
        line.put("first_s", Options.round((first - killed) / 1e9));
        line.put("last_s", Options.round((last - killed) / 1e9));
        heir.close();
    }

    private static Process child(BenchNodes nodes, Options options) throws IOException {
        return new ProcessBuilder(
                        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Bench.class.getName(),
                        "hold",
                        nodes.uri(),
                        options.given().getOrDefault("lease", LEASE),
                        options.given().getOrDefault("skew", SKEW))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static long leased(BenchNodes nodes) {
        return nodes.client()
                .getDatabase(BenchNodes.DATABASE)
                .getCollection("jobSpecification")
                .countDocuments(new Document("lease", new Document("$exists", true)));
    }

    /** The process that is killed: its jobs never end. */
    static void hold(String[] arguments) {
        new BenchNodes(arguments[1])
                .node(
                        settings(Map.of("lease", arguments[2], "skew", arguments[3])),
                        (number, execution) -> LockSupport.parkNanos(600_000_000_000L))
                .start();
        LockSupport.parkNanos(600_000_000_000L);
    }
}
