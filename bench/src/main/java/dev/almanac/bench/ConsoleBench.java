package dev.almanac.bench;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.web.ConsoleServlet;
import dev.almanac.web.Standalone;
import dev.almanac.web.TokenAccess;
import dev.almanac.web.Viewer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Pages of the console over many jobs, with a live node beside it: how long each takes, and what ten open ones ask. */
final class ConsoleBench {
    private static final int CHUNK = 10_000;
    private static final int DAY_SECONDS = 86_400;
    private static final int RARE = 10_000;
    private static final long PACE_NANOS = 60_000_000L;
    /** Longer than the time for which pages share an answer, two seconds. */
    private static final long SHARED_NANOS = 2_100_000_000L;

    private static final Map<String, String> PAGES = Map.of(
            "now", "/",
            "jobs", "/jobs",
            "jobs_rare_tag", "/jobs?tag=rare",
            "jobs_no_such_tag", "/jobs?tag=none",
            "job", "/job?key=job-777",
            "failures", "/failures?since=24h",
            "calendars", "/calendars",
            "nodes", "/nodes",
            "pauses", "/pauses",
            "doctor", "/doctor");

    private ConsoleBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) throws Exception {
        int jobs = options.number("n", 1_000_000);
        int requests = options.number("requests", 100);
        nodes.reset();
        fill(nodes, jobs);
        AtomicLong asked = new AtomicLong();
        try (MongoClient client = counting(nodes.uri(), asked);
                Scheduler node = nodes.node(64, (number, execution) -> refuseSome(number));
                Standalone console = console(client)) {
            node.start();
            HttpClient browser =
                    HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
            get(browser, console.address() + "?token=" + TOKEN);
            LockSupport.parkNanos(5_000_000_000L);
            for (String page : PAGES.keySet().stream().sorted().toList()) {
                line.put(page, page(browser, console.address(), PAGES.get(page), requests, asked));
            }
            line.put("ten_pages_operations_per_s", ten(browser, console.address(), asked));
        }
    }

    private static final String TOKEN = "bench-bench-bench-bench";

    private static Standalone console(MongoClient client) throws IOException {
        return Standalone.start(
                ConsoleServlet.builder()
                        .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(BenchNodes.DATABASE))),
                TokenAccess.of(Viewer.operator("bench"), TOKEN),
                Standalone.LOOPBACK,
                0);
    }

    private static MongoClient counting(String uri, AtomicLong asked) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        asked.incrementAndGet();
                    }
                })
                .build());
    }

    private static void refuseSome(int number) {
        if (number % 20 == 0) {
            throw new IllegalStateException("the bank refused payment " + number);
        }
    }

    /** Due over a day, one in ten thousand with a tag of its own. */
    private static void fill(BenchNodes nodes, int jobs) {
        try (Scheduler scheduler = nodes.node(64, (number, execution) -> {})) {
            Instant now = Instant.now().plusSeconds(300);
            for (int from = 0; from < jobs; from += CHUNK) {
                List<JobSpecification> some = new ArrayList<>();
                for (int i = from; i < Math.min(jobs, from + CHUNK); i++) {
                    some.add(BenchNodes.job(i)
                            .tags(i % RARE == 7 ? "rare" : "day")
                            .singleSchedule(now.plusMillis((long) i * DAY_SECONDS * 1_000 / jobs))
                            .build());
                }
                scheduler.scheduleJobs(some);
            }
        }
    }

    private static Map<String, Object> page(
            HttpClient browser, String address, String path, int requests, AtomicLong asked) throws Exception {
        boolean shared = path.equals("/") || path.equals("/nodes");
        int count = shared ? Math.min(requests, 50) : requests;
        for (int i = 0; i < 5; i++) {
            get(browser, address + path.substring(1));
            LockSupport.parkNanos(PACE_NANOS);
        }
        Histogram micros = new Histogram(3);
        long before = asked.get();
        for (int i = 0; i < count; i++) {
            LockSupport.parkNanos(shared ? SHARED_NANOS : PACE_NANOS);
            long start = System.nanoTime();
            get(browser, address + path.substring(1));
            micros.recordValue((System.nanoTime() - start) / 1_000);
        }
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("p50_ms", micros.getValueAtPercentile(50) / 1_000.0);
        told.put("p99_ms", micros.getValueAtPercentile(99) / 1_000.0);
        told.put("operations", Options.round((double) (asked.get() - before) / count));
        return told;
    }

    /** Ten pages that refresh every six seconds, as browsers do. */
    private static double ten(HttpClient browser, String address, AtomicLong asked) throws Exception {
        int seconds = 60;
        List<String> paths = List.of("", "", "", "", "job?key=job-777", "job?key=job-778", "nodes", "", "failures", "");
        long before = asked.get();
        for (int second = 0; second < seconds; second++) {
            for (int i = second % 6; i < paths.size(); i += 6) {
                get(browser, address + paths.get(i));
            }
            LockSupport.parkNanos(1_000_000_000L);
        }
        return (double) (asked.get() - before) / seconds;
    }

    private static void get(HttpClient browser, String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
        int status = browser.send(request, BodyHandlers.discarding()).statusCode();
        if (status >= 400) {
            throw new IllegalStateException("the page " + url + " answers " + status);
        }
    }
}
