package dev.almanac.bench;

import dev.almanac.Scheduler;
import dev.almanac.model.History;
import dev.almanac.model.JobSpecification;
import dev.almanac.runtime.SchedulerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** How many due one-off no-op jobs a second. */
final class DrainBench {
    /** The pauses that the peers' bench makes: before a drain, while jobs run, and while the last are written. */
    private static final Duration QUIET = Duration.ofMillis(500);

    private static final Duration RUNNING = Duration.ofMillis(5);
    private static final Duration ENDING = Duration.ofMillis(20);

    private DrainBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) throws Exception {
        int n = options.number("n", 20_000);
        int count = options.number("nodes", 1);
        int slots = options.number("slots", 2_000);
        int warmup = options.number("warmup", 60_000);
        line.put("warmup", warmup);
        History history = History.valueOf(options.given().getOrDefault("history", "ALL"));
        if (warmup > 0) {
            drain(nodes, warmup, 1, slots, true, history);
        }
        // without it only what a job costs is measured, which other load does not change
        boolean raw = options.number("raw", 1) == 1;
        double limit = raw ? RawLimits.measure(options, nodes, line) : 0;
        Result result = drain(nodes, n, count, slots, true, history);
        put(line, result, n);
        if (raw) {
            line.put("efficiency", Math.round(result.rate() / limit * 100) / 100.0);
        }
    }

    private static void put(Map<String, Object> line, Result result, int n) {
        line.put("jobs_per_s", Options.round(result.rate()));
        line.put("commands_per_1000_jobs", Options.round(result.commands() * 1_000.0 / n));
        line.put("allocated_bytes_per_job", Math.round(result.allocated() / (double) n));
        line.put("server_us_per_job", Options.round(result.serverMicros() / (double) n));
        line.put("client_us_per_job", Options.round(result.ownMicros() / (double) n));
        line.put("threads_us_per_job", Options.round(result.threadMicros() / (double) n));
        line.put("lost", result.lost());
        line.put("duplicated", result.duplicated());
    }

    /**
     * What a drain brought, the processor time that server and client used for it, in microseconds, what of that the
     * client's threads used, without its compilers and its collector, what they have allocated, in bytes, and how many
     * commands the server was sent.
     */
    record Result(
            double rate,
            int lost,
            int duplicated,
            long serverMicros,
            long ownMicros,
            long threadMicros,
            long allocated,
            long commands) {}

    static Result drain(BenchNodes nodes, int n, int count, int slots, boolean fresh) {
        return drain(nodes, n, count, slots, fresh, History.ALL);
    }

    static Result drain(BenchNodes nodes, int n, int count, int slots, boolean fresh, History history) {
        if (fresh) {
            nodes.reset();
        }
        AtomicIntegerArray runs = new AtomicIntegerArray(n);
        AtomicInteger distinct = new AtomicInteger();
        List<Scheduler> all = nodes(nodes, count, slots, number -> {
            if (runs.incrementAndGet(number) == 1) {
                distinct.incrementAndGet();
            }
        });
        preload(all.get(0), n, history);
        Instant horizon = Instant.now().plusSeconds(86_400);
        pause(QUIET); // what storing them has set off is not part of the drain
        long serverBefore = nodes.serverMicros();
        long ownBefore = BenchNodes.ownMicros();
        Map<Long, Long> threadsBefore = BenchNodes.threadNanos();
        long commandsBefore = nodes.commands();
        Map<Long, Long> allocatedBefore = BenchNodes.allocated();
        long start = System.nanoTime();
        all.forEach(Scheduler::start);
        while (distinct.get() < n || nodes.open(horizon) > 0) {
            pause(distinct.get() < n ? RUNNING : ENDING);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long serverMicros = nodes.serverMicros() - serverBefore;
        long ownMicros = BenchNodes.ownMicros() - ownBefore;
        long threadMicros = BenchNodes.since(threadsBefore, BenchNodes.threadNanos()) / 1_000;
        long commands = nodes.commands() - commandsBefore;
        long allocated = BenchNodes.since(allocatedBefore, BenchNodes.allocated());
        all.forEach(Scheduler::close);
        int duplicated =
                IntStream.range(0, n).map(i -> Math.max(0, runs.get(i) - 1)).sum();
        return new Result(
                n / seconds,
                n - distinct.get(),
                duplicated,
                serverMicros,
                ownMicros,
                threadMicros,
                allocated,
                commands);
    }

    private static void pause(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
    }

    /** Nodes that are not started. */
    private static List<Scheduler> nodes(BenchNodes nodes, int count, int slots, IntConsumer run) {
        SchedulerSettings settings = SchedulerSettings.builder()
                .maxConcurrentRuns(slots)
                .pastAcceptanceWindow(Duration.ofMinutes(10))
                .build();
        List<Scheduler> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(nodes.node(settings, (number, execution) -> run.accept(number)));
        }
        return all;
    }

    private static void preload(Scheduler scheduler, int n, History history) {
        Instant due = Instant.now().minusSeconds(1);
        List<JobSpecification> some = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            some.add(BenchNodes.job(i)
                    .history(history)
                    .singleSchedule(due.plusMillis(i % 1_000))
                    .build());
        }
        scheduler.scheduleJobs(some);
        scheduler.history(""); // their rows are written
    }
}
