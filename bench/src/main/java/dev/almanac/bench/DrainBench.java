package dev.almanac.bench;

import dev.almanac.Scheduler;
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
    private static final Duration SETTLED = Duration.ofMillis(500);

    private static final Duration RUNNING = Duration.ofMillis(5);
    private static final Duration ENDING = Duration.ofMillis(20);

    private DrainBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) throws Exception {
        int n = options.number("n", 20_000);
        int count = options.number("nodes", 1);
        int slots = options.number("slots", 2_000);
        int warmup = options.number("warmup", 60_000);
        line.put("warmup", warmup);
        drain(nodes, warmup, 1, slots, true);
        double limit = RawLimits.measure(options, nodes, line);
        Result result = drain(nodes, n, count, slots, true);
        line.put("jobs_per_s", Options.round(result.rate()));
        line.put("server_us_per_job", Options.round(result.serverMicros() / (double) n));
        line.put("client_us_per_job", Options.round(result.ownMicros() / (double) n));
        line.put("efficiency", Math.round(result.rate() / limit * 100) / 100.0);
        line.put("lost", result.lost());
        line.put("duplicated", result.duplicated());
    }

    /** What a drain brought, and the processor time that server and client used for it, in microseconds. */
    record Result(double rate, int lost, int duplicated, long serverMicros, long ownMicros) {}

    static Result drain(BenchNodes nodes, int n, int count, int slots, boolean fresh) {
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
        preload(all.get(0), n);
        Instant horizon = Instant.now().plusSeconds(86_400);
        pause(SETTLED); // what storing them has set off is not part of the drain
        long serverBefore = nodes.serverMicros();
        long ownBefore = BenchNodes.ownMicros();
        long start = System.nanoTime();
        all.forEach(Scheduler::start);
        while (distinct.get() < n || nodes.open(horizon) > 0) {
            pause(distinct.get() < n ? RUNNING : ENDING);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long serverMicros = nodes.serverMicros() - serverBefore;
        long ownMicros = BenchNodes.ownMicros() - ownBefore;
        all.forEach(Scheduler::close);
        int duplicated =
                IntStream.range(0, n).map(i -> Math.max(0, runs.get(i) - 1)).sum();
        return new Result(n / seconds, n - distinct.get(), duplicated, serverMicros, ownMicros);
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

    static void preload(Scheduler scheduler, int n) {
        Instant due = Instant.now().minusSeconds(1);
        List<JobSpecification> some = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            some.add(BenchNodes.job(i).singleSchedule(due.plusMillis(i % 1_000)).build());
        }
        scheduler.scheduleJobs(some);
    }
}
