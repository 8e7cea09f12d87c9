package dev.almanac.web.read;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.model.FindScope;
import dev.almanac.model.FireReport;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.StandingPause;
import dev.almanac.store.DueCounts;
import dev.almanac.store.JobList;
import dev.almanac.store.JobStore;
import dev.almanac.store.MinuteReport;
import dev.almanac.store.NodeReport;
import dev.almanac.store.RowQuery;
import dev.almanac.store.RunCounts;
import dev.almanac.store.StoreOverview;
import dev.almanac.store.StoreOverview.Counted;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the data of the pages. Every query is bounded and uses an index. Thread-safe. */
public final class StoreReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreReader.class);
    /** Counting ends here. */
    public static final int COUNTED = 10_000;

    private static final Duration MOMENT = Duration.ofSeconds(2);
    private static final Duration WHILE = Duration.ofSeconds(20);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** Nodes read due jobs each second; a job that has waited for less time is not overdue. */
    private static final Duration GRACE = Duration.ofSeconds(5);
    /** Of each kind of answer: each zone that viewers choose has its own start of the day. */
    private static final int MOST_KEPT = 50;

    private static final int MOST_SEARCHES = 100;
    /** Each takes up to 20 MB while it goes on. */
    private static final int MOST_FORECASTS = 3;

    private static final long FORECAST_NANOS = 400_000_000;
    /** Of a thousand jobs each. */
    private static final int FORECAST_PAGES = 10;

    private static final long FORECAST_KEPT_NANOS = 120_000_000_000L;
    /** A page that waits for its forecast asks for it each second. */
    private static final long FORECAST_LEFT_NANOS = 10_000_000_000L;

    /** How many jobs with a lease are looked at. */
    public static final int SHOWN = 100;

    /** As many as a form may name. */
    private static final int LOADED = 100;

    /** How many overdue jobs are looked at, the oldest ones. */
    public static final int OLDEST = 20;

    private final JobStore store;
    private final StoreOverview overview;
    private final Scheduler scheduler;
    private final Scheduler changing;
    private final Doctor doctor;
    private final ExecutorService background = thread("almanac-console-actions");
    private final ExecutorService searching = thread("almanac-console-searches");
    private final Executor searchesBy;
    private final LongSupplier nanos;
    private final CachedAnswer<Duration> offset;
    private final CachedAnswer<List<NodeReport>> nodes;
    private final CachedAnswer<List<StandingPause>> pauses;
    private final CachedAnswer<List<StoredGroup>> groups;
    private final CachedAnswer<Kinds> kinds;
    private final CachedAnswer<Running> running;
    private final CachedAnswer<DueCounts> nextHour;
    private final CachedAnswer<Overdue> overdue;
    private final CachedAnswer<List<StoredCalendar>> calendars;
    private final CachedAnswer<List<MinuteReport>> lastHour;
    private final CachedAnswer<Long> stored;
    private final CachedAnswer<Health> health;
    /** Those that have not ended yet and are asked for; those that were asked for first are first. */
    private final Map<Object, JobSearch> searches = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, JobSearch> eldest) {
            boolean full = size() > MOST_SEARCHES;
            if (full) {
                eldest.getValue().drop();
            }
            return full;
        }
    };

    /** At most {@link #MOST_FORECASTS}; it is locked for moments only, never while the store is asked. */
    private final Map<Object, ForecastRun> forecasts = new LinkedHashMap<>();
    /** Of this console; guarded by the forecasts, which they make old. */
    private long changes;

    /** By the name and the slots of the group. */
    private final Map<Map.Entry<String, Integer>, CachedAnswer<Boolean>> held = new ConcurrentHashMap<>();

    private final Map<Instant, CachedAnswer<Long>> missed = new ConcurrentHashMap<>();
    private final Map<List<Instant>, CachedAnswer<RunCounts>> ran = new ConcurrentHashMap<>();
    private final Map<List<Instant>, CachedAnswer<PlannedFires>> planned = new ConcurrentHashMap<>();

    /**
     * Jobs with a lease.
     *
     * @param jobs at most 100
     * @param inAll number of runs that the nodes have reported
     */
    public record Running(List<StoredJob> jobs, long inAll) {}

    /**
     * Overdue jobs.
     *
     * @param counts by type
     * @param oldest at most 20
     */
    public record Overdue(DueCounts counts, List<StoredJob> oldest) {}

    /**
     * @param store which is a {@link StoreOverview} too, and answers soon or not at all
     * @param scheduler on that store, for questions and dry runs; it is closed with this
     * @param changing for changes, which may take longer; it is closed with this
     * @param check what the doctor does
     * @param searchesBy goes on with searches; absent = a thread of its own
     */
    public StoreReader(
            JobStore store,
            Scheduler scheduler,
            Scheduler changing,
            Supplier<InvariantReport> check,
            LongSupplier nanos,
            @Nullable Executor searchesBy) {
        this.store = store;
        this.overview = (StoreOverview) store;
        this.scheduler = scheduler;
        this.changing = changing;
        this.nanos = nanos;
        this.searchesBy = searchesBy == null ? searching : searchesBy;
        this.doctor = new Doctor(check, this::now, nanos);
        this.offset = new CachedAnswer<>(WHILE, nanos, () -> Duration.between(Instant.now(), store.serverTime()));
        this.nodes = new CachedAnswer<>(MOMENT, nanos, () -> store.cluster().nodes(now().minus(HOUR)));
        this.pauses = new CachedAnswer<>(
                MOMENT, nanos, () -> store.cluster().control().pauses());
        this.groups = new CachedAnswer<>(MOMENT, nanos, () -> scheduler.groups().list());
        this.kinds = new CachedAnswer<>(WHILE, nanos, () -> Kinds.of(store, nodes()));
        this.running = new CachedAnswer<>(MOMENT, nanos, this::lookForRunning);
        this.nextHour = new CachedAnswer<>(MOMENT.multipliedBy(3), nanos, this::countNextHour);
        this.overdue = new CachedAnswer<>(MOMENT, nanos, this::lookForOverdue);
        this.calendars =
                new CachedAnswer<>(MOMENT, nanos, () -> scheduler.calendars().list());
        this.health = new CachedAnswer<>(WHILE, nanos, () -> ClusterHealth.of(store, scheduler));
        this.stored = new CachedAnswer<>(WHILE, nanos, overview::stored);
        this.lastHour = new CachedAnswer<>(WHILE, nanos, () -> store.cluster().minutes(now().minus(HOUR)));
    }

    /** A daemon thread that ends when it has had no work for a while. */
    static ExecutorService thread(String name) {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, name);
                    thread.setDaemon(true);
                    return thread;
                });
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    /** The scheduler for questions about jobs, and dry runs; it is not started. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /** The scheduler for changes; it is not started. */
    public Scheduler changing() {
        return changing;
    }

    /** Now, by the server's clock. */
    public Instant now() {
        return Instant.now().plus(offset.get());
    }

    /** As the server answers it now: what is read afterwards is of no earlier moment. */
    public Instant serverTime() {
        return store.serverTime();
    }

    /** The reading of a monotonic clock, for what is bounded by time. */
    public long nanos() {
        return nanos.getAsLong();
    }

    /** The nodes of the last hour. */
    public List<NodeReport> nodes() {
        return nodes.get();
    }

    /** The pauses of kinds of jobs that are stored: in force, planned, or ended within a day. */
    public List<StandingPause> pauses() {
        return pauses.get();
    }

    /** The exclusive groups that have a size or a rate. */
    public List<StoredGroup> groups() {
        return groups.get();
    }

    /** Whether jobs hold all slots of an exclusive group. */
    public boolean isHeld(StoredGroup group) {
        int slots = group.slots();
        return slots == 0 || kept(held, Map.entry(group.name(), slots), MOMENT, () -> isHeld(group.name(), slots));
    }

    private boolean isHeld(String group, int slots) {
        JobQuery holders = new JobQuery(null, null, null, null, null, null, null, group, null, null, null, 1, null);
        return overview.count(holders, now(), List.of(), slots).jobs() >= slots;
    }

    /** The stored calendars. */
    public List<StoredCalendar> calendars() {
        return calendars.get();
    }

    /** What the nodes have run in each minute of the last hour, as reported. */
    public List<MinuteReport> lastHour() {
        return lastHour.get();
    }

    /** Jobs with a lease. */
    public Running running() {
        return running.get();
    }

    private Running lookForRunning() {
        Instant now = now();
        long reported = NodeReport.liveRuns(nodes(), now);
        List<StoredJob> jobs = store.running(now, SHOWN, reported);
        return new Running(jobs, Math.max(jobs.size(), reported));
    }

    /** What is due within an hour, by minute. The first slice begins with the present minute. */
    public DueCounts nextHour() {
        return nextHour.get();
    }

    private DueCounts countNextHour() {
        Instant from = now();
        return withoutLeased(overview.dueCounts(from, from.plus(HOUR), MINUTE, COUNTED), from, MINUTE);
    }

    /** What the nodes have run within a day, by slice, as reported. */
    public RunCounts runCounts(Instant from, Instant until, Duration slice) {
        return kept(ran, List.of(from, until), WHILE, () -> overview.runCounts(from, until, slice));
    }

    /**
     * What is to run within a day, by slice.
     *
     * @param calendars by name
     */
    public PlannedFires planned(
            Instant from, Instant until, Duration slice, Supplier<Map<String, ExclusionCalendar>> calendars) {
        return kept(planned, List.of(from, until), WHILE, () -> lookForPlanned(from, until, slice, calendars.get()));
    }

    private PlannedFires lookForPlanned(
            Instant from, Instant until, Duration slice, Map<String, ExclusionCalendar> calendars) {
        Instant now = now();
        if (!now.isBefore(until)) {
            return PlannedFires.NONE;
        }
        // a fire of another day follows the next one of its job, so all jobs up to the end of that day are looked at
        Instant begin = PlannedFires.present(now, from, slice);
        DueCounts due = overview.dueCounts(begin, until, slice, COUNTED);
        Set<String> types = due.slices().stream().map(DueCounts.Slice::type).collect(Collectors.toSet());
        List<StoredJob> first =
                types.isEmpty() ? List.of() : overview.earliestDue(types, until, PlannedFires.MOST_JOBS + 1);
        return PlannedFires.of(withoutLeased(due, begin, slice), first, calendars, now, from, until, slice);
    }

    /** The days of viewers are few, each zone has its own and some look at another one; so are the groups of pages. */
    private <K, T> T kept(Map<K, CachedAnswer<T>> answers, K of, Duration time, Supplier<T> question) {
        if (answers.size() >= MOST_KEPT) {
            answers.clear();
        }
        return answers.computeIfAbsent(of, key -> new CachedAnswer<>(time, nanos, question))
                .get();
    }

    /** A leased job is due when its lease ends, which is no fire of the next hour: known leases are subtracted. */
    private DueCounts withoutLeased(DueCounts counts, Instant from, Duration slice) {
        if (counts.oneOf() > 1) {
            return counts;
        }
        Map<String, Map<Long, Long>> leased = leasedBySlice(from, slice);
        List<DueCounts.Slice> rest = counts.slices().stream()
                .map(due -> new DueCounts.Slice(
                        due.type(),
                        due.start(),
                        due.jobs()
                                - leased.getOrDefault(due.type(), Map.of())
                                        .getOrDefault(
                                                Duration.between(from, due.start())
                                                        .dividedBy(slice),
                                                0L),
                        due.earliest()))
                .filter(due -> due.jobs() > 0)
                .toList();
        return new DueCounts(rest, 1, counts.more());
    }

    private Map<String, Map<Long, Long>> leasedBySlice(Instant from, Duration slice) {
        Map<String, Map<Long, Long>> leased = new HashMap<>();
        for (StoredJob job : running().jobs()) {
            if (job.due() != null && job.due().isAfter(from)) {
                leased.computeIfAbsent(job.command().type(), type -> new HashMap<>())
                        .merge(Duration.between(from, job.due()).dividedBy(slice), 1L, Long::sum);
            }
        }
        return leased;
    }

    /** Overdue jobs. */
    public Overdue overdue() {
        return overdue.get();
    }

    private Overdue lookForOverdue() {
        Instant until = now().minus(GRACE);
        DueCounts counts = overview.dueCounts(Instant.EPOCH, until, Duration.ofDays(365_000), COUNTED);
        Set<String> types = counts.slices().stream().map(DueCounts.Slice::type).collect(Collectors.toUnmodifiableSet());
        return new Overdue(counts, types.isEmpty() ? List.of() : overview.earliestDue(types, until, OLDEST));
    }

    /** How many planned fires have passed without a run since then, as reported by the nodes. */
    public long missedSince(Instant from) {
        return kept(missed, from, WHILE, () -> store.cluster().missed(from));
    }

    /** How many fires have failed for good since then, up to {@link #COUNTED}. */
    public long failuresSince(Instant from) {
        return overview.failures(from, COUNTED);
    }

    /** The jobs of these ids, as far as they are there. */
    public List<StoredJob> load(Collection<String> ids) {
        return ids.isEmpty() ? List.of() : store.load(ids);
    }

    /** What is kept of the jobs of these ids that are there, by id: few whole ones are in memory together. */
    public <T> Map<String, T> load(Collection<String> ids, Function<StoredJob, T> kept) {
        List<String> all = List.copyOf(ids);
        Map<String, T> found = new HashMap<>();
        for (int from = 0; from < all.size(); from += LOADED) {
            load(all.subList(from, Math.min(from + LOADED, all.size())))
                    .forEach(job -> found.put(job.id(), kept.apply(job)));
        }
        return found;
    }

    /** A page of jobs, in the state that is asked for at that time and under these pauses. */
    public JobScan list(JobQuery query, Instant now, List<StandingPause> pauses) {
        return JobScan.of(part -> store.list(part, now, pauses), query, nanos);
    }

    /**
     * Goes on with the search for a page of jobs that was begun for the same name, or begins one.
     *
     * @param name of the search; one that is over is forgotten
     * @param counts whether all matches are counted, too
     */
    public JobSearch.Progress search(
            Object name, JobQuery query, Instant now, List<StandingPause> pauses, boolean counts) {
        JobSearch search;
        synchronized (searches) {
            long asked = nanos.getAsLong();
            searches.values().removeIf(begun -> begun.isAbandoned(asked));
            search = searches.computeIfAbsent(name, begins -> new JobSearch(query, counts));
        }
        JobSearch.Source source = source(now, pauses);
        JobSearch.Progress progress = search.go(source, nanos);
        if (progress.isOver()) {
            synchronized (searches) {
                searches.remove(name, search);
            }
        } else if (search.isToGoOn()) {
            goOn(search, source);
        }
        return progress;
    }

    /**
     * Goes on with the forecast that was begun for the same name, or begins one. What is over is shown for two
     * minutes, or until this console changes something; it makes room for another one. While as many as there may be go
     * on, another one waits.
     *
     * @param begin its beginning
     */
    public Forecasting forecast(Object name, Supplier<ForecastRun> begin) {
        ForecastRun run;
        long before;
        synchronized (forecasts) {
            run = begun(name);
            before = changes;
            if (run == null && !hasRoom()) {
                return Forecasting.WAITS;
            }
        }
        if (run == null) {
            ForecastRun fresh = begin.get();
            synchronized (forecasts) {
                run = begun(name);
                if (run == null && before != changes) {
                    return Forecasting.BEGINS_AGAIN;
                }
                if (run == null && !hasRoom()) {
                    return Forecasting.WAITS;
                }
                if (run == null) {
                    run = fresh;
                    keep(name, fresh);
                }
            }
        }
        Forecast forecast = run.go(store::list, nanos, FORECAST_NANOS, FORECAST_PAGES);
        return new Forecasting(forecast, run.read(), false);
    }

    private @Nullable ForecastRun begun(Object name) {
        ForecastRun run = forecasts.get(name);
        return run == null || run.isOld(nanos.getAsLong(), FORECAST_KEPT_NANOS) ? null : run;
    }

    private boolean hasRoom() {
        return forecasts.size() < MOST_FORECASTS || left().isPresent();
    }

    /** In the place of one that is left, if there are as many as there may be. */
    private void keep(Object name, ForecastRun run) {
        if (forecasts.size() >= MOST_FORECASTS && !forecasts.containsKey(name)) {
            left().ifPresent(forecasts::remove);
        }
        forecasts.put(name, run);
    }

    /** The name of one that has ended or is not asked for any more. */
    private Optional<Object> left() {
        long now = nanos.getAsLong();
        return forecasts.entrySet().stream()
                .filter(begun -> begun.getValue().isLeft(now, FORECAST_LEFT_NANOS))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * How far a forecast is.
     *
     * @param forecast absent = it is not over yet
     * @param read how many of its jobs were read
     * @param waits whether it begins when one of others has ended
     */
    public record Forecasting(@Nullable Forecast forecast, long read, boolean waits) {
        private static final Forecasting WAITS = new Forecasting(null, 0, true);
        /** With the next request, since something was changed. */
        private static final Forecasting BEGINS_AGAIN = new Forecasting(null, 0, false);
    }

    /** A window at a time, so that several searches go on in turn. A request fails with the error when it searches itself. */
    private void goOn(JobSearch search, JobSearch.Source source) {
        searchesBy.execute(() -> {
            try {
                if (search.goOn(source, nanos)) {
                    goOn(search, source);
                }
            } catch (RuntimeException e) {
                LOG.debug("a search ended; the next request for it goes on", e);
            }
        });
    }

    private JobSearch.Source source(Instant now, List<StandingPause> pauses) {
        return new JobSearch.Source() {
            @Override
            public JobList list(JobQuery query) {
                return page(query, now, pauses);
            }

            @Override
            public Counted count(JobQuery query, int limit) {
                return overview.count(query, now, pauses, limit);
            }
        };
    }

    /** About how many jobs are stored, those that have ended included. */
    public long stored() {
        return stored.get();
    }

    /** A part of the jobs of a query, in the state that is asked for at that time and under these pauses. */
    public JobList page(JobQuery query, Instant now, List<StandingPause> pauses) {
        return store.list(query, now, pauses);
    }

    /** Does it as soon as what was given before has ended; closing this interrupts it. */
    public void inBackground(Runnable work) {
        background.execute(work);
    }

    /** What became of the planned fires of a job that was read. */
    public FireReport fires(StoredJob job, Instant since) {
        List<FireReport> reports = new ArrayList<>();
        scheduler.fireReports().read(List.of(job), since, reports::add);
        return reports.get(0);
    }

    /** How many live jobs are of a kind. */
    public JobCount count(JobQuery kind) {
        return JobCount.of(store, kind);
    }

    /** The kinds of jobs that can be chosen from. */
    public Kinds kinds() {
        return kinds.get();
    }

    /** The job of a key, or the one that finished last. */
    public Optional<StoredJob> find(String key) {
        return store.find(key, FindScope.INCLUDING_FINISHED);
    }

    /**
     * The newest rows of a job.
     *
     * @param earlier also those of the jobs that had its key before
     */
    public List<JobExecutionStatus> rows(StoredJob job, boolean earlier, int limit) {
        return store.rows(earlier ? RowQuery.ofKey(job.key(), limit) : RowQuery.ofDocument(job.id(), limit));
    }

    /** The newest rows of a document. */
    public List<JobExecutionStatus> rows(String id, int limit) {
        return store.rows(RowQuery.ofDocument(id, limit));
    }

    /** Stored rows, newest first. */
    public List<JobExecutionStatus> rows(RowQuery query) {
        return store.rows(query);
    }

    /** The check of the stored state. */
    public Doctor doctor() {
        return doctor;
    }

    /** The health of all nodes, at most 20 s old: it verifies the indexes. */
    public Health health() {
        return health.get();
    }

    /** Drops cached answers after a change by this console, so that the next page shows it. */
    public void changed() {
        nodes.forget();
        pauses.forget();
        running.forget();
        nextHour.forget();
        overdue.forget();
        calendars.forget();
        planned.clear();
        held.clear();
        synchronized (searches) {
            searches.values().forEach(JobSearch::drop);
            searches.clear();
        }
        synchronized (forecasts) {
            forecasts.clear();
            changes++;
        }
    }

    @Override
    public void close() {
        doctor.close();
        background.shutdownNow();
        searching.shutdownNow();
        scheduler.close();
        changing.close();
    }
}
