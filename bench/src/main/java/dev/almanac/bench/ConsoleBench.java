package dev.almanac.bench;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import dev.almanac.Scheduler;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.web.ConsoleServlet;
import dev.almanac.web.Standalone;
import dev.almanac.web.TokenAccess;
import dev.almanac.web.Viewer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Pages of the console over many jobs, with a live node beside it: how long each takes, and what twenty open ones ask. */
final class ConsoleBench {
    private static final int SLOTS = 64;
    private static final int OPEN_PAGES = 20;
    private static final int MINUTE = 60;
    /** A session has twenty requests a second. */
    private static final long PACE_NANOS = 60_000_000L;
    /** Longer than the time for which pages share an answer, two seconds. */
    private static final long ROUND_NANOS = 2_100_000_000L;

    private static final String TOKEN = "bench-bench-bench-bench";

    private static final List<String> PAGES = List.of(
            "/",
            "/day",
            "/jobs",
            "/jobs?type=type-3",
            "/jobs?prefix=type-3.1",
            "/jobs?application=application-3",
            "/jobs?tag=tag-3",
            "/jobs?tag=rare",
            "/jobs?tag=none",
            "/jobs?state=FAILED",
            "/jobs?state=PAUSED",
            "/jobs?state=RUNNING",
            "/jobs?from=0s&until=1h",
            "/job?key=type-1.1",
            "/job?key=cron-12",
            "/job?key=bad-3",
            "/job?key=held-1",
            "/failures",
            "/failures?since=24h",
            "/calendars",
            "/calendars?name=closed",
            "/nodes",
            "/pauses",
            "/doctor",
            "/search?q=type-3.1",
            "/search?q=tag-3",
            "/api/jobs",
            "/api/jobs?state=FAILED",
            "/api/jobs?tag=rare",
            "/api/job?key=cron-12",
            "/api/job/history?key=cron-12",
            "/api/job/explanation?key=cron-12",
            "/api/failures?open=true",
            "/api/nodes",
            "/api/pauses",
            "/api/calendars",
            "/api/health");

    /** Pages that stay open, with the seconds after which each is refreshed. */
    private static final Map<String, Integer> OPEN = Map.of(
            "/", 6,
            "/day", 15,
            "/jobs", 15,
            "/jobs?prefix=type-3.1", 15,
            "/job?key=cron-12", 6,
            "/job?key=held-1", 6,
            "/failures", 15,
            "/nodes", 6,
            "/doctor", 6,
            "/jobs?state=PAUSED", 15);

    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private final String address;
    private final AtomicLong asked;
    private final AtomicLong slowest;

    /** What the requests for one page took. */
    private static final class Told {
        private final Histogram micros = new Histogram(3);
        private long requests;
        private long operations;
        private long most;
        private long slowest;
        private long bytes;

        Map<String, Object> line() {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("p50_ms", Options.round(micros.getValueAtPercentile(50) / 1_000.0));
            line.put("p99_ms", Options.round(micros.getValueAtPercentile(99) / 1_000.0));
            line.put("operations", Options.round((double) operations / requests));
            line.put("most_operations", most);
            line.put("slowest_operation_ms", slowest);
            line.put("bytes", bytes);
            return line;
        }
    }

    private ConsoleBench(String address, AtomicLong asked, AtomicLong slowest) {
        this.address = address;
        this.asked = asked;
        this.slowest = slowest;
    }

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) throws Exception {
        nodes.reset();
        CountDownLatch end = new CountDownLatch(1);
        ConsoleJobs jobs = new ConsoleJobs(nodes, end, false);
        AtomicLong ofNode = new AtomicLong();
        SchedulerSettings settings =
                SchedulerSettings.builder().maxConcurrentRuns(SLOTS).build();
        try (Scheduler node = nodes.heard(counting(ofNode, new AtomicLong()))
                .builder(settings, (number, execution) -> jobs.run(number))
                .calendarReader(definition -> CalendarDefinition.of(definition).calendar())
                .build()) {
            node.start();
            long begin = System.nanoTime();
            jobs.fill(node, options.number("n", 1_000_000));
            line.put("fill_s", Options.round((System.nanoTime() - begin) / 1e9));
            line.put("rows", nodes.rows().estimatedDocumentCount());
            pages(options, nodes, ofNode, line);
            end.countDown();
        }
    }

    private static void pages(Options options, BenchNodes nodes, AtomicLong ofNode, Map<String, Object> line)
            throws Exception {
        AtomicLong asked = new AtomicLong();
        AtomicLong slowest = new AtomicLong();
        try (MongoClient client = MongoClients.create(MongoClientSettings.builder()
                        .applyConnectionString(new ConnectionString(nodes.uri()))
                        .addCommandListener(counting(asked, slowest))
                        .build());
                Standalone console = console(client)) {
            ConsoleBench bench = new ConsoleBench(console.address(), asked, slowest);
            bench.get("/?token=" + TOKEN, false);
            LockSupport.parkNanos(5_000_000_000L);
            line.put("pages", bench.pages(options.number("requests", 100)));
            line.put("none_open", bench.minute(nodes, ofNode, 0));
            line.put("twenty_open", bench.minute(nodes, ofNode, OPEN_PAGES));
        }
    }

    private static Standalone console(MongoClient client) throws IOException {
        return Standalone.start(
                ConsoleServlet.builder()
                        .calendarReader(
                                definition -> CalendarDefinition.of(definition).calendar())
                        .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(BenchNodes.DATABASE))),
                TokenAccess.of(Viewer.operator("bench"), TOKEN),
                Standalone.LOOPBACK,
                0);
    }

    static CommandListener counting(AtomicLong asked, AtomicLong slowest) {
        return new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                asked.incrementAndGet();
            }

            @Override
            public void commandSucceeded(CommandSucceededEvent event) {
                long took = event.getElapsedTime(TimeUnit.MILLISECONDS);
                slowest.accumulateAndGet(took, Math::max);
            }
        };
    }

    /** All pages in each round, in another order each time, so that now one and now another reads what they share. */
    private Map<String, Object> pages(int rounds) throws Exception {
        Map<String, Told> told = new LinkedHashMap<>();
        PAGES.forEach(page -> told.put(page, new Told()));
        List<String> order = new ArrayList<>(PAGES);
        Random random = new Random(3);
        for (int round = -1; round < rounds; round++) {
            long begin = System.nanoTime();
            Collections.shuffle(order, random);
            for (String page : order) {
                LockSupport.parkNanos(PACE_NANOS);
                ask(page, round < 0 ? new Told() : told.get(page));
            }
            LockSupport.parkNanos(Math.max(0, begin + ROUND_NANOS - System.nanoTime()));
        }
        Map<String, Object> lines = new LinkedHashMap<>();
        told.forEach((page, of) -> lines.put(page, of.line()));
        return lines;
    }

    private void ask(String page, Told told) throws Exception {
        long before = asked.get();
        slowest.set(0);
        long start = System.nanoTime();
        told.bytes = get(page, false);
        told.micros.recordValue((System.nanoTime() - start) / 1_000);
        told.requests++;
        told.operations += asked.get() - before;
        told.most = Math.max(told.most, asked.get() - before);
        told.slowest = Math.max(told.slowest, slowest.get());
    }

    /** A minute of so many open pages that are refreshed as browsers do. */
    private Map<String, Object> minute(BenchNodes nodes, AtomicLong ofNode, int pages) throws Exception {
        List<String> open = OPEN.keySet().stream().sorted().toList();
        long server = nodes.serverMicros();
        long own = BenchNodes.ownMicros();
        long console = asked.get();
        long node = ofNode.get();
        long bytes = 0;
        long begin = System.nanoTime();
        for (int second = 0; second < MINUTE; second++) {
            for (int i = 0; i < pages; i++) {
                String page = open.get(i % open.size());
                if ((second + i) % OPEN.get(page) == 0) {
                    bytes += get(page, true);
                }
            }
            LockSupport.parkNanos(Math.max(0, begin + (second + 1) * 1_000_000_000L - System.nanoTime()));
        }
        Map<String, Object> line = new LinkedHashMap<>();
        double seconds = (System.nanoTime() - begin) / 1e9;
        line.put("operations_of_console_per_s", Options.round((asked.get() - console) / seconds));
        line.put("operations_of_node_per_s", Options.round((ofNode.get() - node) / seconds));
        line.put(
                "processor_of_console_node_and_browser_percent",
                Options.round((BenchNodes.ownMicros() - own) / seconds / 1e4));
        line.put("processor_of_server_percent", Options.round((nodes.serverMicros() - server) / seconds / 1e4));
        line.put("bytes_per_s", Options.round(bytes / seconds));
        return line;
    }

    /** How many bytes its body has. */
    private long get(String page, boolean refresh) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address + page.substring(1))).header("Accept-Encoding", "gzip");
        if (refresh) {
            request.header("HX-Request", "true").header("HX-Target", "live");
        }
        HttpResponse<byte[]> answer = browser.send(request.build(), BodyHandlers.ofByteArray());
        if (answer.statusCode() >= 400) {
            throw new IllegalStateException("the page " + page + " answers " + answer.statusCode());
        }
        return answer.body().length;
    }
}
