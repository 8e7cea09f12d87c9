package dev.almanac.bench;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.FireReports;
import dev.almanac.Scheduler;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.model.FireAccount;
import dev.almanac.model.JobQuery;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobList;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.read.Forecast;
import dev.almanac.web.read.ForecastRun;
import dev.almanac.web.read.Forecaster;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** What became of all fires of a day, and which fires to come are not ordinary, over the jobs of the console's workload. */
final class AheadBench {
    private static final int PAGE = 200;
    private static final int WINDOW = 25_000;

    private final MongoJobStore store;
    private final AtomicLong asked;

    private AheadBench(MongoJobStore store, AtomicLong asked) {
        this.store = store;
        this.asked = asked;
    }

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) {
        nodes.reset();
        CountDownLatch end = new CountDownLatch(1);
        ConsoleJobs jobs = new ConsoleJobs(nodes, end, true);
        try (Scheduler node = nodes.builder(SchedulerSettings.defaults(), (number, execution) -> jobs.run(number))
                .calendarReader(AheadBench::read)
                .build()) {
            node.start();
            long begin = System.nanoTime();
            jobs.fill(node, options.number("n", 1_000_000));
            end.countDown();
            line.put("fill_s", Options.round((System.nanoTime() - begin) / 1e9));
            line.put("rows", nodes.rows().estimatedDocumentCount());
        }
        AtomicLong asked = new AtomicLong();
        try (MongoClient client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(nodes.uri()))
                .addCommandListener(ConsoleBench.counting(asked, new AtomicLong()))
                .build())) {
            AheadBench bench = new AheadBench(
                    MongoJobStore.create(client, MongoStoreSettings.ofDatabase(BenchNodes.DATABASE)), asked);
            line.put("fires", bench.measured(bench::fires));
            line.put("forecast", bench.measured(() -> bench.forecast(options.number("days", 180))));
        }
    }

    private static ExclusionCalendar read(Map<String, Object> definition) {
        return CalendarDefinition.of(definition).calendar();
    }

    private Map<String, Object> measured(Supplier<Map<String, Object>> work) {
        System.gc();
        var pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
        pools.forEach(MemoryPoolMXBean::resetPeakUsage);
        asked.set(0);
        long begin = System.nanoTime();
        Map<String, Object> line = new LinkedHashMap<>(work.get());
        line.put("seconds", Options.round((System.nanoTime() - begin) / 1e9));
        line.put("statements", asked.get());
        line.put(
                "peak_heap_mb",
                pools.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() >> 20);
        return line;
    }

    private Map<String, Object> fires() {
        FireReports reports = Scheduler.builder()
                .store(store)
                .calendarReader(AheadBench::read)
                .build()
                .fireReports();
        Instant since = store.serverTime().minus(Duration.ofDays(1));
        Map<FireAccount.Kind, Long> counts = new EnumMap<>(FireAccount.Kind.class);
        AtomicLong jobs = new AtomicLong();
        for (JobQuery part = JobQuery.all().limit(PAGE).window(WINDOW); part != null; ) {
            JobList page = store.list(part);
            reports.read(page.jobs(), since, report -> {
                jobs.incrementAndGet();
                report.counts().forEach((kind, count) -> counts.merge(kind, count, Long::sum));
            });
            part = page.lastKey() == null ? null : part.after(page.lastKey());
        }
        return Map.of("jobs", jobs.get(), "accounts", counts);
    }

    private Map<String, Object> forecast(int days) {
        Map<String, ExclusionCalendar> calendars = new LinkedHashMap<>();
        store.cluster().calendars().forEach(stored -> calendars.put(stored.name(), read(stored.definition())));
        Instant now = store.serverTime();
        Forecaster forecaster = new Forecaster(
                Forecaster.Window.ahead(now, Duration.ofDays(days)),
                calendars,
                store.cluster().control().pauses(),
                1_000,
                Forecaster.Effort.OF_COMMAND);
        ForecastRun run = new ForecastRun(forecaster, JobQuery.all(), null);
        Forecast forecast = null;
        while (forecast == null) {
            forecast =
                    run.go(store::list, System::nanoTime, Duration.ofSeconds(1).toNanos(), Integer.MAX_VALUE);
        }
        Map<Forecast.Kind, Long> counts = new EnumMap<>(Forecast.Kind.class);
        forecast.totals().forEach(total -> counts.put(total.kind(), total.fires()));
        return Map.of("jobs", forecast.jobs(), "findings", counts, "gaps", forecast.gaps());
    }
}
