package dev.almanac.bench;

import dev.almanac.Scheduler;
import dev.almanac.testkit.server.MongoServer;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The primary of three members is killed while jobs run: how many of them lose their leases and run again, and when. */
final class ElectionBench {
    private ElectionBench() {}

    static void measure(Options options, MongoServer server, BenchNodes nodes, Map<String, Object> line) {
        int n = options.number("n", 50);
        Map<Integer, Integer> starts = new ConcurrentHashMap<>();
        AtomicInteger again = new AtomicInteger();
        AtomicLong lastAgain = new AtomicLong();
        try (Scheduler node = nodes.node(CrashBench.settings(options.given()), (number, execution) -> {
            if (starts.merge(number, 1, Integer::sum) > 1) {
                again.incrementAndGet();
                lastAgain.set(System.nanoTime());
            }
            // until its lease is lost, which interrupts it
            LockSupport.parkNanos(600_000_000_000L);
        })) {
            schedule(node, n);
            node.start();
            while (starts.size() < n) {
                LockSupport.parkNanos(10_000_000);
            }
            LockSupport.parkNanos(5_000_000_000L);
            long killed = kill(server, line);
            line.put("ran_again", again.get());
            line.put("last_again_s", again.get() == 0 ? null : Options.round((lastAgain.get() - killed) / 1e9));
        }
    }

    private static void schedule(Scheduler node, int n) {
        Instant due = Instant.now().plusSeconds(2);
        for (int i = 0; i < n; i++) {
            node.scheduleJob(BenchNodes.job(i).singleSchedule(due).build());
        }
    }

    /** Returns half a minute after the kill: by then what runs again has begun. */
    private static long kill(MongoServer server, Map<String, Object> line) {
        server.primary().kill9();
        long killed = System.nanoTime();
        server.awaitPrimary();
        line.put("election_s", Options.round((System.nanoTime() - killed) / 1e9));
        LockSupport.parkNanos(30_000_000_000L);
        return killed;
    }
}
