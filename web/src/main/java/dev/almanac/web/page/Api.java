package dev.almanac.web.page;

import dev.almanac.Health;
import dev.almanac.model.Explanation;
import dev.almanac.model.FindScope;
import dev.almanac.model.FireReport;
import dev.almanac.model.Job;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.StandingPause;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.NodeReport;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.web.Applications;
import dev.almanac.web.Viewer;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.guard.RequestFields;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import dev.almanac.web.json.Json;
import dev.almanac.web.read.Doctor;
import dev.almanac.web.read.Forecast;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.RowScan;
import dev.almanac.web.read.StoreReader;
import dev.almanac.web.text.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answers below {@code /api}: what the command line answers with {@code --json}, without what the pages hide from this
 * viewer. Reads only. The file {@code openapi.json} describes it. Thread-safe.
 */
public final class Api {
    private static final String PATH = "/api";
    private static final String DESCRIPTION = PATH + "/openapi.json";
    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final String JOB = "job of this key";
    private static final int WINDOW = 5_000;
    private static final int MOST_PARTS = 10;
    /** Jobs that are read at once: they may be large. */
    private static final int PART = 100;

    /** Of rows of a key: the answer ends behind some ten thousand that nobody asked for. */
    private static final int MOST_BATCHES = 20;

    private static final int ROWS_OF_LOG = 100;
    private static final long PATIENCE_NANOS = 30_000_000;
    private static final int LARGEST = 8_000_000;
    /** The doctor looks at most once a minute, and a look takes a while. */
    private static final Duration FRESH = Duration.ofMinutes(2);

    private final StoreReader storeReader;
    private final Setup setup;
    private final KnownCalendars calendars;
    private final LongSupplier nanos;
    private final SealedKeys keys = new SealedKeys();
    private final Map<String, Endpoint> endpoints;

    /** One path, and its parameters. */
    private record Endpoint(List<String> parameters, Reader reader) {}

    /** Answers a request with one object. */
    private interface Reader {
        String read(PageRequest call, ApiParameters parameters);
    }

    /** @param nanos a monotonic clock */
    public Api(StoreReader storeReader, Setup setup, LongSupplier nanos) {
        this.storeReader = storeReader;
        this.setup = setup;
        this.calendars = new KnownCalendars(storeReader, setup.reader(), setup.calendars());
        this.nanos = nanos;
        this.endpoints = new TreeMap<>(Map.ofEntries(
                endpoint(
                        "/jobs",
                        this::jobs,
                        "requestor",
                        "tag",
                        "application",
                        "state",
                        "key-prefix",
                        "type",
                        "next-from",
                        "next-until",
                        "after",
                        "limit"),
                endpoint("/job", this::job, "key", "finished"),
                endpoint("/job/history", this::history, "key", "failed", "since", "until", "limit"),
                endpoint("/job/explanation", this::explanation, "key"),
                endpoint("/job/fires", this::fires, "key", "since", "limit"),
                endpoint("/failures", this::failures, "open", "since", "until", "limit"),
                endpoint("/forecast", this::forecast, "next", "kind", "after", "limit"),
                endpoint("/nodes", this::nodes),
                endpoint("/pauses", this::pauses),
                endpoint("/calendars", this::calendars),
                endpoint("/health", this::health),
                endpoint("/doctor", this::doctor)));
    }

    private static Map.Entry<String, Endpoint> endpoint(String path, Reader reader, String... parameters) {
        return Map.entry(PATH + path, new Endpoint(List.of(parameters), reader));
    }

    /** Whether a path within the console is one of these. */
    public static boolean isApi(String path) {
        return path.equals(PATH) || path.startsWith(PATH + "/");
    }

    /** Whether it is that of the description, which has no data. */
    public static boolean isDescription(String path) {
        return path.equals(DESCRIPTION);
    }

    /** The description in OpenAPI. */
    public static String description() {
        try (InputStream in = Api.class.getResourceAsStream("/dev/almanac/web/openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("openapi.json is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A refusal as an object. */
    public static String refused(Refusal refusal) {
        return line(new Fields().with("status", refusal.status()).list("problems", refusal.problems()));
    }

    /**
     * The answer for a path.
     *
     * @param fields of the address
     */
    public String answer(String path, RequestFields fields, Viewer viewer, Clock clock) {
        Endpoint endpoint = endpoints.get(path);
        if (endpoint == null) {
            throw new Refusal(
                    NOT_FOUND,
                    "there is nothing at this path; there are: " + String.join(", ", endpoints.keySet()) + ", "
                            + DESCRIPTION);
        }
        PageRequest.Address address = new PageRequest.Address("", path, null, false, false);
        PageRequest call = new PageRequest(address, fields, viewer, clock, "", false);
        return endpoint.reader().read(call, new ApiParameters(fields, clock, endpoint.parameters()));
    }

    private static String line(Fields fields) {
        return Json.text(fields.map()) + "\n";
    }

    /** A list of what was read, as the command line writes it. */
    private static String list(String name, List<Fields> items, Fields rest) {
        return list(name, listing -> {
            items.forEach(listing::item);
            listing.end(rest);
        });
    }

    private static String list(String name, Consumer<Json.Listing> writer) {
        StringWriter text = new StringWriter();
        try (Json.Listing listing = new Json.Listing(new PrintWriter(text), name)) {
            writer.accept(listing);
        }
        return text.toString();
    }

    private String jobs(PageRequest call, ApiParameters parameters) {
        Applications sees = call.viewer().sees();
        String application = parameters.text("application");
        boolean one = application == null && !sees.all() && sees.tags().size() == 1;
        String requestor = parameters.text("requestor");
        String tag = parameters.text("tag");
        var state = parameters.state();
        String prefix = parameters.text("key-prefix");
        String type = parameters.text("type");
        Instant from = parameters.ahead("next-from");
        Instant until = parameters.ahead("next-until");
        String after =
                parameters.after(key -> sees.all() ? key : keys.tryOpen(key).orElse(null));
        int limit = parameters.limit();
        parameters.check();
        return jobs(
                call,
                new JobQuery(
                        requestor,
                        tag,
                        one ? sees.tags().iterator().next() : application,
                        state,
                        prefix,
                        type,
                        from,
                        until,
                        after,
                        limit));
    }

    /** A filter without an index examines many jobs: the answer ends after a while, with the key behind which it goes on. */
    private String jobs(PageRequest call, JobQuery query) {
        long start = nanos.getAsLong();
        boolean all = call.viewer().sees().all();
        List<StandingPause> pauses = storeReader.scheduler().pauses();
        Map<String, String> labels = labels();
        StringWriter text = new StringWriter();
        try (Json.Listing listing = new Json.Listing(new PrintWriter(text), "jobs")) {
            List<Fields> damaged = new ArrayList<>();
            int found = 0;
            int parts = 0;
            String next;
            JobQuery part = query.window(WINDOW).limit(Math.min(query.limit(), PART));
            do {
                var page = storeReader.scheduler().listJobs(part);
                for (Job job : page.jobs()) {
                    if (JobVisibility.isSeen(call, job.specification())) {
                        listing.item(fields(call, job, pauses, labels));
                        found++;
                    }
                }
                if (all) {
                    page.damaged().forEach(job -> damaged.add(Fields.of(job)));
                    found += page.damaged().size();
                }
                next = page.lastKey();
                parts++;
                part = part.after(next).limit(Math.max(1, Math.min(query.limit() - found, PART)));
            } while (next != null
                    && found < query.limit()
                    && parts < MOST_PARTS
                    && text.getBuffer().length() < LARGEST
                    && nanos.getAsLong() - start <= PATIENCE_NANOS);
            // an answer ends where the search has ended, which may be at a job that this viewer may not see
            listing.end(new Fields()
                    .with("damaged", damaged)
                    .with("next", next == null ? null : all ? next : keys.seal(next)));
        }
        return text.toString();
    }

    private String job(PageRequest call, ApiParameters parameters) {
        String key = parameters.key();
        boolean finished = parameters.flag("finished");
        parameters.check();
        Job job = seen(call, key, finished);
        Fields fields = fields(call, job, storeReader.scheduler().pauses(), labels());
        if (JobVisibility.hasErrors(call, job.specification())) {
            String id = job.lastStatus().jobSpecificationId();
            fields.with("log", Answers.log(storeReader.rows(id, ROWS_OF_LOG)));
        }
        return line(fields);
    }

    private Job seen(PageRequest call, String key, boolean finished) {
        Refusal unknown = unknown(finished ? JOB : "live job of this key (finished=true finds one that has ended)");
        try {
            return storeReader
                    .scheduler()
                    .findJobById(key, finished ? FindScope.INCLUDING_FINISHED : FindScope.LIVE)
                    .filter(job -> JobVisibility.isSeen(call, job.specification()))
                    .orElseThrow(() -> unknown);
        } catch (DamagedJobException e) {
            throw call.viewer().sees().all() ? damaged(e) : unknown;
        }
    }

    private StoredJob stored(PageRequest call, String key) {
        try {
            return storeReader
                    .find(key)
                    .filter(job -> JobVisibility.isSeen(call, job.specification()))
                    .orElseThrow(() -> unknown(JOB));
        } catch (DamagedJobException e) {
            throw call.viewer().sees().all() ? damaged(e) : unknown(JOB);
        }
    }

    private static Refusal damaged(DamagedJobException e) {
        return new Refusal(NOT_FOUND, String.valueOf(e.getMessage()));
    }

    /** The same for what is not stored and for what the viewer may not see. */
    private static Refusal unknown(String what) {
        return new Refusal(
                NOT_FOUND, "there is no " + what + " that you may see; look for its key: /api/jobs?key-prefix=TEXT");
    }

    private String history(PageRequest call, ApiParameters parameters) {
        String key = parameters.key();
        boolean failed = parameters.flag("failed");
        Instant from = parameters.back("since");
        Instant until = parameters.back("until");
        int limit = parameters.limit();
        parameters.check();
        StoredJob job = found(call, key);
        // the newest ones may be in the document alone, as after a crash, which the scheduler knows
        List<JobExecutionStatus> newest = storeReader.scheduler().history(key);
        if (newest.isEmpty()) {
            throw unknown("row of a job of this key");
        }
        // rows of jobs that had the key before are for those who see all applications, as on the page of the job
        RowQuery all = call.viewer().sees().all() || job == null
                ? RowQuery.ofKey(key, limit + 1)
                : RowQuery.ofDocument(job.id(), limit + 1);
        RowScan scan = RowScan.of(
                all.before(until),
                newest,
                RowScan.NEWEST,
                storeReader::rows,
                failed ? JobExecutionStatus::isFailedFire : null,
                from,
                MOST_BATCHES);
        Map<String, String> labels = labels();
        return list(
                "rows",
                scan.first(limit).stream()
                        .map(row -> shown(
                                row,
                                JobVisibility.hasPayloads(setup, call, JobVisibility.ofIts(row, job)),
                                JobVisibility.hasErrors(call, JobVisibility.ofIts(row, job))))
                        .map(row -> Answers.row(row, labels))
                        .toList(),
                more(scan, limit));
    }

    /** Whether rows follow the first ones, and how to ask for them. */
    private static Fields more(RowScan scan, int limit) {
        return new Fields().with("more", scan.isMore(limit) ? true : null).with("until", scan.until(limit));
    }

    /** The job of a key, or the one that finished last; absent for those who see all applications if there is none, or none that can be read. */
    private @Nullable StoredJob found(PageRequest call, String key) {
        boolean all = call.viewer().sees().all();
        try {
            StoredJob job = storeReader
                    .find(key)
                    .filter(found -> JobVisibility.isSeen(call, found.specification()))
                    .orElse(null);
            if (job == null && !all) {
                throw unknown(JOB);
            }
            return job;
        } catch (DamagedJobException e) {
            if (all) {
                return null;
            }
            throw unknown(JOB);
        }
    }

    private String explanation(PageRequest call, ApiParameters parameters) {
        String key = parameters.key();
        parameters.check();
        StoredJob job = found(call, key);
        Explanation whole = JobVisibility.explained(call, storeReader, key);
        if (whole.has(Explanation.Kind.UNKNOWN_KEY)) {
            throw unknown(JOB);
        }
        Explanation shown = job == null
                ? whole
                : JobVisibility.withoutErrors(
                        call,
                        storeReader,
                        whole,
                        job,
                        () -> storeReader.rows(job, call.viewer().sees().all(), JobPage.MOST_ROWS));
        return line(Fields.of(shown));
    }

    private String fires(PageRequest call, ApiParameters parameters) {
        String key = parameters.key();
        Instant since = parameters.back("since");
        int limit = parameters.limit();
        parameters.check();
        StoredJob job = stored(call, key);
        FireReport report = FiresPage.report(
                storeReader, call, job, since == null ? call.clock().now().minus(FiresPage.USUAL) : since);
        return list("fires", listing -> Answers.fires(listing, report, limit));
    }

    private String failures(PageRequest call, ApiParameters parameters) {
        boolean open = parameters.flag("open");
        Instant from = parameters.back("since");
        Instant until = parameters.back("until");
        int limit = parameters.limit();
        parameters.check();
        FailuresPage.Found found = FailuresPage.found(storeReader, call, open, from, until, null, limit, limit);
        Viewer viewer = call.viewer();
        Map<String, String> labels = labels();
        RowScan scan = new RowScan(found.rows(), found.older(), 0);
        return list(
                "rows",
                scan.first(limit).stream()
                        .map(row -> {
                            FailuresPage.Known job = found.jobs().get(row.jobSpecificationId());
                            return shown(
                                    row,
                                    setup.payloads() && FailuresPage.Known.isAmong(viewer.payloads(), job),
                                    FailuresPage.Known.isAmong(viewer.errors(), job));
                        })
                        .map(row -> Answers.rowOfAny(row, labels))
                        .toList(),
                more(scan, limit));
    }

    /** As its page: what takes long goes on with the next request. */
    private String forecast(PageRequest call, ApiParameters parameters) {
        Duration length = parameters.days();
        Forecast.Kind kind = parameters.kind();
        int after = parameters.skipped();
        int limit = parameters.limit();
        parameters.check();
        StoreReader.Forecasting state = ForecastPage.of(storeReader, calendars, call, length);
        Forecast forecast = state.forecast();
        List<String> gaps = ForecastPage.notes(call, forecast);
        if (forecast == null) {
            gaps.add(
                    state.waits()
                            ? "other forecasts are in progress; ask again in a second"
                            : "the jobs behind those that were read; ask again in a second");
            return list("findings", listing -> Answers.forecast(listing, state.read(), gaps));
        }
        return list("findings", listing -> Answers.forecast(listing, forecast, kind, after, limit, gaps));
    }

    private String nodes(PageRequest call, ApiParameters parameters) {
        parameters.check();
        boolean all = call.viewer().sees().all();
        Instant now = call.clock().now();
        List<StandingPause> pauses = storeReader.pauses();
        Map<String, List<String>> progress = Answers.progress(storeReader.running().jobs().stream()
                .filter(job -> JobVisibility.isSeen(call, job.specification()))
                .toList());
        // types and reasons may be about jobs of other applications
        return list(
                "nodes",
                storeReader.nodes().stream()
                        .map(node -> Answers.node(node, now, pauses, progress)
                                .without(all ? new String[0] : new String[] {"types", "reasons"}))
                        .toList(),
                new Fields());
    }

    private String pauses(PageRequest call, ApiParameters parameters) {
        parameters.check();
        Instant now = call.clock().now();
        return list(
                "pauses",
                storeReader.pauses().stream()
                        .filter(pause -> !pause.pause().hasEnded(now))
                        // as the command line: those in force first
                        .sorted(Comparator.comparing(pause -> pause.pause().isPlanned(now)))
                        .map(pause -> Answers.pause(JobVisibility.shown(call, pause)))
                        .toList(),
                new Fields());
    }

    private String calendars(PageRequest call, ApiParameters parameters) {
        parameters.check();
        return list(
                "calendars",
                storeReader.calendars().stream().map(Answers::calendar).toList(),
                new Fields());
    }

    private String health(PageRequest call, ApiParameters parameters) {
        parameters.check();
        requireAll(call);
        Health health = storeReader.health();
        return line(Answers.health(health));
    }

    private String doctor(PageRequest call, ApiParameters parameters) {
        parameters.check();
        requireAll(call);
        Doctor.Visit visit = storeReader.doctor().visit();
        if (visit == null || visit.at().isBefore(call.clock().now().minus(FRESH))) {
            throw new Refusal(UNAVAILABLE, "a check has begun; ask again in a second");
        }
        if (visit.report() == null) {
            throw new Refusal(UNAVAILABLE, "the check of the store failed; see the log of this process");
        }
        return line(Answers.doctor(JobVisibility.shown(call, visit.report())));
    }

    private static void requireAll(PageRequest call) {
        if (!call.viewer().sees().all()) {
            throw new Refusal(FORBIDDEN, "this is about all applications; you may see only some of them");
        }
    }

    private Map<String, String> labels() {
        return storeReader.nodes().stream()
                .collect(Collectors.toMap(NodeReport::id, NodeReport::label, (one, other) -> one));
    }

    private Fields fields(PageRequest call, Job job, List<StandingPause> pauses, Map<String, String> labels) {
        boolean payloads = JobVisibility.hasPayloads(setup, call, job.specification());
        boolean errors = JobVisibility.hasErrors(call, job.specification());
        Job shown = new Job(
                job.specification(),
                job.commandType(),
                job.jobState(),
                shown(job.lastStatus(), payloads, errors),
                job.nextFireTime(),
                job.runningOn(),
                job.leaseUntil(),
                job.pause(),
                errors ? job.blocked() : HiddenErrors.blocked(job.blocked()),
                payloads ? job.state() : Map.of(),
                job.progress(),
                job.pins());
        Fields fields = Answers.job(shown, pauses, labels);
        return payloads ? fields : Answers.withoutPayloads(fields);
    }

    /** As on the page of the job; the state for the next run, which that page shows apart, and contents are payloads. */
    private static JobExecutionStatus shown(JobExecutionStatus row, boolean payloads, boolean errors) {
        JobExecutionStatus shown = JobPage.shown(row, payloads, errors);
        return payloads ? shown : shown.toBuilder().state(null).command(null).build();
    }
}
