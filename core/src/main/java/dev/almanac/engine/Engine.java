package dev.almanac.engine;

import dev.almanac.engine.insight.Insight;
import dev.almanac.engine.insight.NodeSnapshot;
import dev.almanac.engine.port.CalendarBook;
import dev.almanac.engine.port.CalendarCalls;
import dev.almanac.engine.port.EventLog;
import dev.almanac.engine.port.EventStream;
import dev.almanac.engine.port.Helpers;
import dev.almanac.engine.port.HistoryWriter;
import dev.almanac.engine.port.Identity;
import dev.almanac.engine.port.JobIds;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Pipeline;
import dev.almanac.engine.port.ServerClock;
import dev.almanac.engine.port.Stage;
import dev.almanac.engine.request.Admission;
import dev.almanac.engine.request.BulkOperations;
import dev.almanac.engine.request.FollowUpInserts;
import dev.almanac.engine.request.Registrar;
import dev.almanac.engine.request.SharedInserts;
import dev.almanac.engine.request.StoredCalendars;
import dev.almanac.engine.request.StoredGroups;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.engine.rules.SpecificationCheck;
import dev.almanac.engine.upkeep.BacklogCount;
import dev.almanac.engine.upkeep.NodeDuty;
import dev.almanac.engine.upkeep.Rehydration;
import dev.almanac.engine.upkeep.Replanner;
import dev.almanac.event.RehydrationSummary;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.CommandRegistry;
import dev.almanac.helper.JobRequests;
import dev.almanac.model.Actor;
import dev.almanac.model.Backlog;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.UnservedJobs;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.Lanes;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.NodeReport;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreReport;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One node: wires the duties together, starts and stops them. Thread-safe. */
public final class Engine implements AutoCloseable {
    /** For how long the end of a node waits for listeners, one of which may never return (rule X1). */
    private static final Duration PATIENCE_WITH_LISTENERS = Duration.ofSeconds(5);

    /** Before a rehydration is repeated that failed for another reason than the store: the node runs nothing meanwhile. */
    private static final GrowingPause PAUSE_AFTER_FAILURE =
            new GrowingPause(Duration.ofSeconds(2), Duration.ofMinutes(1));

    /** The actor of the engine's own changes; users' requests name theirs ({@link #requests}). */
    private static final Actor NODE = new Actor("almanac", null);

    private final EngineParts parts;
    private final Node node;
    private final Replanner replanner;
    private final CommandRegistry registry;
    private final Registrar registrar;
    private final StoredCalendars storedCalendars;
    private final BulkOperations bulk;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.NEW);
    private volatile @Nullable Wiring duties;
    private volatile @Nullable StoreReport opened;
    private volatile @Nullable Drain draining;
    private volatile boolean rehydrated;
    /** When its stage began, once it is started. */
    private volatile long stageNanos;

    /** Opens and starts nothing. */
    public Engine(EngineParts parts) {
        this.parts = parts;
        this.node = node(parts, events());
        this.registry = new CommandRegistry(
                parts.types(), parts.typeDefaults(), parts.store().commandCodec());
        this.replanner = new Replanner(node, this::hint);
        this.storedCalendars = storedCalendars();
        Lanes lanes = parts.runtime().lanes();
        Admission check = admission();
        this.registrar = new Registrar(node, new SharedInserts(node, lanes), check, this::hint, NODE);
        this.bulk = new BulkOperations(node, check, registrar, this::controlChanged);
    }

    private static Node node(EngineParts parts, EventStream events) {
        EngineParts.Runtime runtime = parts.runtime();
        ServerClock clock = new ServerClock(runtime.time(), events);
        CalendarBook calendars = new CalendarBook(parts.calendars(), parts.calendarReader());
        return new Node(
                new Identity(JobIds.next(clock.now(), runtime.random())),
                parts.store(),
                clock,
                runtime.random(),
                parts.settings(),
                parts.retention(),
                events,
                calendars,
                new CalendarCalls(clock, calendars, parts.settings().leaseLength(), runtime.lanes()),
                new Pipeline(runtime.lanes()),
                new HistoryWriter(
                        parts.store(),
                        runtime.time(),
                        events.failures(),
                        runtime.lanes().open("rows", 1)));
    }

    private EventStream events() {
        EngineParts.Runtime runtime = parts.runtime();
        EventStream events = new EventStream(
                parts.listeners(), runtime.time(), runtime.lanes().threads("events"));
        EventLog log = new EventLog(runtime.time(), runtime.label());
        events.add(log, true, log::wants);
        return events;
    }

    private StoredCalendars storedCalendars() {
        return new StoredCalendars(node, parts.calendarReader(), replanner, this::controlChanged, NODE);
    }

    private Admission admission() {
        SpecificationCheck.Defaults defaults =
                new SpecificationCheck.Defaults(parts.runtime().zone(), parts.serviceName(), parts.defaultCalendar());
        return new Admission(node, defaults, registry, storedCalendars::learn, parts.traces());
    }

    /** Identity of this process start. */
    public String nodeId() {
        return node.id();
    }

    /** The server's time. */
    public Instant now() {
        return node.clock().now();
    }

    /** The command types of this service. */
    public CommandRegistry registry() {
        return registry;
    }

    /** Carries out requests for one job. */
    public Registrar requests(Actor actor) {
        open();
        return registrar.as(actor);
    }

    /** As {@link #requests}, for code of the service, whose changes are none of a person (rule S11). */
    public Registrar requestsOfCode(Actor actor) {
        open();
        return registrar.ofCode(actor);
    }

    /**
     * Status rows, after the queued ones of this node were written; those of a key with what its document shows (rule N2),
     * which is read first.
     */
    public List<JobExecutionStatus> rows(RowQuery query) {
        open();
        node.history().flush();
        StoredJob job = query.before() == null ? shown(query.key()) : null;
        return job == null ? node.store().rows(query) : node.rows(job, query);
    }

    private @Nullable StoredJob shown(@Nullable String key) {
        try {
            return key == null
                    ? null
                    : node.store().find(key, FindScope.INCLUDING_FINISHED).orElse(null);
        } catch (DamagedJobException unreadable) {
            return null;
        }
    }

    /** The calendars in the database, for queries. */
    public StoredCalendars calendars(Actor actor) {
        open();
        return storedCalendars.as(actor);
    }

    /** Sizes and rates of exclusive groups, for requests of this actor. */
    public StoredGroups groups(Actor actor) {
        open();
        return new StoredGroups(node, actor, this::controlChanged);
    }

    /** Carries out requests for many jobs at once. */
    public BulkOperations bulk(Actor actor) {
        open();
        return bulk.as(actor);
    }

    /**
     * Opens the store once, and measures its clock if needed: a scheduler that is not started has no other measurements.
     *
     * @throws StoreException if the server does not answer, or too slowly to tell its time
     */
    public StoreReport open() {
        StoreReport report = openOnce();
        // outside of the monitor, so that a measurement that hangs blocks no other caller
        if (duties == null && node.clock().isOld(parts.settings().clockInterval())) {
            node.clock().measure(parts.store());
        }
        node.clock().require(parts.store());
        return report;
    }

    private StoreReport openOnce() {
        StoreReport report = opened;
        return report == null ? openFirst() : report;
    }

    private synchronized StoreReport openFirst() {
        StoreReport report = opened;
        if (report == null) {
            report = parts.store().open();
            opened = report;
        }
        return report;
    }

    /**
     * Starts reports and renewals; the node claims only after {@link #rehydrate}. If the store cannot be opened,
     * nothing is started.
     *
     * @param requests what the runs of a job, by its key, make their own requests with
     */
    public void start(Function<String, JobRequests> requests) {
        Wiring wired = wire(openOnce(), requests);
        if (parts.settings().autoRehydrate()) {
            firstRehydration(wired, 0);
        }
    }

    private FollowUpInserts followUps() {
        Admission check = admission();
        Registrar own = new Registrar(node, node.store(), check, this::hint, NODE);
        return new FollowUpInserts(node, own, check);
    }

    /**
     * Starts the duties, unless the scheduler was drained before; if it is drained meanwhile they are stopped again.
     */
    private Wiring wire(StoreReport report, Function<String, JobRequests> requests) {
        if (stage.get() != Stage.NEW) {
            throw notNew();
        }
        Wiring wired = new Wiring(
                node,
                parts,
                helpers(requests),
                replanner.on(node.calendarCalls()),
                report,
                followUps(),
                this::snapshot);
        synchronized (stage) {
            if (!stage.compareAndSet(Stage.NEW, Stage.STARTED)) {
                throw notNew();
            }
            stageNanos = node.clock().nanos();
            duties = wired;
        }
        wired.start();
        if (stage.get() != Stage.STARTED) {
            wired.stop();
        }
        return wired;
    }

    private IllegalStateException notNew() {
        return new IllegalStateException("a scheduler is started once; this one is " + stage.get());
    }

    private Helpers helpers(Function<String, JobRequests> requests) {
        return Helpers.of(
                registry, parts.helpers(), parts.interceptors(), node.events().failures(), requests);
    }

    /**
     * The rehydration that belongs to a start. The store is open by then, so a failure counts as an outage: the
     * rehydration is repeated, after growing pauses, and nothing is claimed before it succeeds.
     *
     * @param failures how many have failed for another reason than the store
     */
    private void firstRehydration(Wiring wired, int failures) {
        if (stage.get() != Stage.STARTED || rehydrated) {
            return;
        }
        try {
            rehydrate();
            wired.reachability().answered("rehydrating");
        } catch (StoreException e) {
            wired.plan().after(wired.reachability().failed("rehydrating", e), () -> firstRehydration(wired, failures));
        } catch (RuntimeException | Error e) {
            node.events().failures().add("rehydrating", e);
            wired.plan().after(PAUSE_AFTER_FAILURE.after(failures + 1), () -> firstRehydration(wired, failures + 1));
        }
    }

    /** Reads the stored state, reports it, and begins to claim (rule R12). */
    public RehydrationSummary rehydrate() {
        Wiring running = duties;
        StoreReport report = open();
        if (running == null || stage.get() != Stage.STARTED) {
            throw new IllegalStateException("rehydrate() needs a started scheduler; this one is " + stage.get());
        }
        running.replanDuty().begin();
        RehydrationSummary summary = new Rehydration(node, node.calendarCalls(), running.types())
                .look(report, running.nodeDuty().known());
        node.events().emit(new SchedulerEvent.Rehydrated(summary));
        // it may have been drained or closed meanwhile
        if (running.claimDuty().start()) {
            rehydrated = true;
            node.events().emit(new SchedulerEvent.NodeStarted(node.id()));
        }
        return summary;
    }

    /** Questions about the node and its jobs. */
    public Insight insight() {
        return new Insight(
                node,
                registry,
                storedCalendars::learn,
                this::snapshot,
                this::leavesAlone,
                this::liveNodes,
                () -> openOnce().partitions());
    }

    private Optional<String> leavesAlone(String id) {
        Wiring running = duties;
        return running == null ? Optional.empty() : running.claimDuty().leavesAlone(id);
    }

    /** A node that is not started, or has not reported yet, asks the store. */
    private List<NodeReport> liveNodes() {
        Wiring running = duties;
        return running != null && stage.get() == Stage.STARTED
                ? running.nodeDuty().known()
                : NodeDuty.stored(node);
    }

    private NodeSnapshot snapshot() {
        Wiring running = duties;
        StoreReport report = opened;
        return new NodeSnapshot(
                stage.get(),
                running == null ? Duration.ZERO : Duration.ofNanos(node.clock().nanos() - stageNanos),
                rehydrated,
                report == null ? List.of() : report.warnings(),
                node.clock().offset(),
                node.clock().distrusted(),
                node.settings().clockWarning(),
                node.settings().maxConcurrentRuns(),
                node.events().failures().all(),
                node.events().slow(),
                node.history().complaint(),
                running == null
                        ? NodeSnapshot.Work.NONE
                        : running.work(node.calendarCalls().hanging()));
    }

    /** What the nodes share in the store. */
    public ClusterStore cluster() {
        open();
        return node.store().cluster();
    }

    /** Counts overdue jobs; asks the store. */
    public Backlog backlog() {
        Wiring started = duties;
        return backlogCount().count(started == null ? Set.of() : started.waitingGroups());
    }

    /** Due jobs that no live node takes; asks the store. */
    public List<UnservedJobs> unserved() {
        BacklogCount count = backlogCount();
        return count.unserved(
                liveNodes(), node.store().cluster().control(), node.clock().now());
    }

    private BacklogCount backlogCount() {
        return new BacklogCount(node, registry.names(), open().partitions());
    }

    /** How many claims this node may hold at a time. */
    public int slots() {
        return parts.settings().maxConcurrentRuns();
    }

    /** How many status rows of this process wait to be written. */
    public int rowsWaiting() {
        return node.history().waiting();
    }

    /** How many claims this node holds. */
    public int runs() {
        Wiring running = duties;
        return running == null ? 0 : running.held().size();
    }

    /**
     * Stops claiming, releases claims that have not started, and waits for runs (rule R14). Leases are renewed
     * meanwhile. A drain under way goes on, and ends at the earlier of the two timeouts.
     *
     * @return completes when no claim is held any more
     */
    public CompletableFuture<Void> drain(Duration timeout) {
        Duration patience = timeout.compareTo(RetryPolicy.LONGEST) > 0 ? RetryPolicy.LONGEST : timeout;
        long now = node.clock().nanos();
        long end = now + patience.toNanos();
        synchronized (stage) {
            Wiring running = duties;
            if (stage.get() == Stage.STARTED && running != null) {
                // in this order: snapshots read both without the lock
                stageNanos = now;
                stage.set(Stage.DRAINED);
                running.stopClaiming();
                Drain first = new Drain(node, running, node.history()::flush, end);
                draining = first;
                first.begin();
            } else if (stage.get() != Stage.CLOSED) {
                stage.set(Stage.DRAINED);
            }
        }
        Drain known = draining;
        if (known == null) {
            return CompletableFuture.completedFuture(null);
        }
        known.endBy(end);
        return known.drained();
    }

    /** As {@link #drain}, and waits. */
    public void drainAndWait(Duration timeout) throws InterruptedException, ExecutionException {
        CompletableFuture<Void> drained = drain(timeout);
        if (!parts.runtime().lanes().await(drained, RetryPolicy.LONGEST)) {
            throw new IllegalStateException("this node is closed, so its drain does not end");
        }
    }

    /** Drains without waiting and ends all threads. Idempotent. */
    @Override
    public void close() {
        CompletableFuture<Void> drained = drain(Duration.ZERO);
        await(drained, node.trust().plus(Drain.PATIENCE));
        if (stage.getAndSet(Stage.CLOSED) != Stage.CLOSED) {
            Drain known = draining;
            Duration left = known == null ? Drain.PATIENCE : known.patience();
            node.history().close(flush -> await(onThread(flush), left));
            await(node.events().delivered(), PATIENCE_WITH_LISTENERS);
            parts.runtime().lanes().close();
            parts.runtime().close().run();
            // for callers that wait for a longer drain
            drained.complete(null);
        }
    }

    /** Does a call of the store on a thread where it may hang; ends at once if there is no such thread. */
    private CompletableFuture<Void> onThread(Runnable call) {
        try {
            return CompletableFuture.runAsync(call, parts.runtime().lanes().threads("farewell"));
        } catch (RuntimeException | Error noThread) {
            node.events().failures().add("closing this node", noThread);
            return CompletableFuture.completedFuture(null);
        }
    }

    /**
     * Also on a thread that is interrupted: what ends meanwhile is to be recorded. Claims that are held after that end
     * with their leases.
     */
    private void await(CompletableFuture<Void> end, Duration atMost) {
        parts.runtime().lanes().awaitUninterrupted(end.handle((nothing, error) -> nothing), atMost);
    }

    private void controlChanged() {
        Wiring running = duties;
        if (running != null) {
            running.claimDuty().controlChanged();
        }
    }

    private void hint(StoredJob job) {
        Wiring running = duties;
        if (running != null && job.lease() == null) {
            running.claimDuty().stored(job);
        } else if (running != null) {
            running.leaseDuty().interruptIfAsked(job);
        }
    }
}
