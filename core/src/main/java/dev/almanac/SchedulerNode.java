package dev.almanac;

import dev.almanac.engine.Engine;
import dev.almanac.engine.request.BulkOperations;
import dev.almanac.engine.request.Registrar;
import dev.almanac.event.RehydrationSummary;
import dev.almanac.helper.JobRequests;
import dev.almanac.model.ActionReport;
import dev.almanac.model.Actor;
import dev.almanac.model.Backlog;
import dev.almanac.model.BulkResult;
import dev.almanac.model.BulkScheduleException;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.Explanation;
import dev.almanac.model.FieldChange;
import dev.almanac.model.FindScope;
import dev.almanac.model.FireReport;
import dev.almanac.model.IfExists;
import dev.almanac.model.IfRefused;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.OpenFailures;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Problem;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StuckRun;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.JobRegister;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A node of the scheduler: checks nothing itself, and passes each request to the part of the engine that answers it. */
final class SchedulerNode implements Scheduler {
    private static final int MOST_ROWS = 1_000;
    private static final Duration OVERDUE_TOLERANCE = Duration.ofMinutes(1);

    private final Engine engine;
    private final JobStore store;
    private final JobViews views;
    private final Actor actor;
    private final Function<Actor, Registrar> requests;
    private final Runnable beforeChange;

    SchedulerNode(Engine engine, JobStore store, Actor actor, Runnable beforeChange) {
        this(engine, store, actor, engine::requests, beforeChange);
    }

    private SchedulerNode(
            Engine engine, JobStore store, Actor actor, Function<Actor, Registrar> requests, Runnable beforeChange) {
        this.engine = engine;
        this.store = store;
        this.views = new JobViews(engine.registry(), engine::now);
        this.actor = actor;
        this.requests = requests;
        this.beforeChange = beforeChange;
    }

    @Override
    public Scheduler as(String author, @Nullable String reason) {
        return new SchedulerNode(engine, store, new Actor(author, reason), beforeChange);
    }

    /** For requests of a run: their author is its job, which is no person (rule S11). */
    private JobRequests ofRun(String key) {
        return new SchedulerNode(engine, store, Actor.named("job " + key, null), engine::requestsOfCode, beforeChange);
    }

    private Registrar changes(Actor by) {
        beforeChange.run();
        return requests.apply(by);
    }

    private BulkOperations changesOfMany(Actor by, boolean dryRun) {
        if (!dryRun) {
            beforeChange.run();
        }
        return engine.bulk(by);
    }

    @Override
    public Job scheduleJob(JobSpecification specification) {
        return scheduleJob(specification, IfExists.REPLACE);
    }

    @Override
    public Job scheduleJob(JobSpecification specification, IfExists ifExists) {
        return views.of(changes(actor).schedule(specification, ifExists));
    }

    @Override
    public Job scheduleJob(JobSpecification specification, @Nullable Job shown) {
        return views.of(changes(actor)
                .schedule(
                        specification,
                        shown == null ? null : shown.lastStatus().jobSpecificationId(),
                        shown == null ? 0 : shown.specification().version()));
    }

    @Override
    public List<Problem> check(JobSpecification specification) {
        return requests.apply(actor).check(specification);
    }

    @Override
    public List<FieldChange> changes(JobSpecification specification) {
        return requests.apply(actor).changes(specification);
    }

    @Override
    public List<BulkResult> scheduleJobs(List<JobSpecification> specifications) {
        return scheduleJobs(specifications, IfRefused.THROW);
    }

    @Override
    public List<BulkResult> scheduleJobs(List<JobSpecification> specifications, IfRefused ifRefused) {
        Objects.requireNonNull(ifRefused, "ifRefused");
        List<BulkResult> results = views.results(changes(actor).scheduleAll(specifications));
        if (ifRefused == IfRefused.THROW && results.stream().anyMatch(result -> result.error() != null)) {
            throw new BulkScheduleException(results);
        }
        return results;
    }

    @Override
    public Job updateJob(JobSpecification specification) {
        return views.of(changes(actor).update(specification));
    }

    @Override
    public JobWriter in(JobRegister transaction) {
        return new JobWriter(requests.apply(actor).in(transaction), views);
    }

    @Override
    public CancelResult cancelJob(String jobSpecificationKey) {
        return cancelJob(jobSpecificationKey, CancelMode.LET_RUN);
    }

    @Override
    public CancelResult cancelJob(String jobSpecificationKey, CancelMode mode) {
        return changes(actor).cancel(jobSpecificationKey, mode);
    }

    @Override
    public ActionReport apply(JobAction action, JobSelection selection, boolean dryRun) {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(selection, "selection");
        Actor by =
                action instanceof JobAction.PauseEach each ? author(each.pause().by(actor)) : actor;
        return changesOfMany(by, dryRun).apply(action, selection, dryRun);
    }

    /** A pause that names its author and its reason is their request, and not of who passes it on (rule A1). */
    private static Actor author(Pause signed) {
        return Actor.named(signed.author(), signed.reason().isEmpty() ? null : signed.reason());
    }

    @Override
    public ActionReport apply(JobAction action, JobSelection selection) {
        return apply(action, selection, false);
    }

    @Override
    public Optional<Job> findJob(String jobSpecificationKey) {
        return findJobById(jobSpecificationKey, FindScope.INCLUDING_FINISHED);
    }

    @Override
    public Optional<Job> findJobById(String jobSpecificationKey) {
        return findJobById(jobSpecificationKey, FindScope.LIVE);
    }

    @Override
    public Optional<Job> findJobById(String jobSpecificationKey, FindScope scope) {
        engine.open();
        return store.find(jobSpecificationKey, Objects.requireNonNull(scope, "scope"))
                .map(job -> views.of(job, engine.now(), pauses()));
    }

    @Override
    public JobPage listJobs(JobQuery query) {
        engine.open();
        Instant now = engine.now();
        List<StandingPause> pauses = pauses();
        return views.page(store.list(query, now, pauses), now, pauses);
    }

    @Override
    public List<JobExecutionStatus> history(String jobSpecificationKey) {
        return engine.rows(RowQuery.ofKey(jobSpecificationKey, MOST_ROWS));
    }

    @Override
    public List<JobExecutionStatus> failures(@Nullable Instant from, @Nullable Instant until) {
        engine.open();
        return store.rows(RowQuery.ofFailures(from, until, MOST_ROWS));
    }

    @Override
    public OpenFailures openFailures(@Nullable Instant from, @Nullable Instant until) {
        engine.open();
        return engine.insight().openFailures(from, until);
    }

    @Override
    public Optional<FireReport> fires(String jobSpecificationKey, Instant since) {
        engine.open();
        return engine.insight().fires(jobSpecificationKey, since);
    }

    @Override
    public FireReports fireReports() {
        return new FireReports(this);
    }

    /** Of jobs that were read. */
    void fires(Collection<StoredJob> jobs, Instant since, Consumer<FireReport> reader) {
        engine.open();
        engine.insight().fires(jobs, since, reader);
    }

    @Override
    public Explanation explainJob(String jobSpecificationKey) {
        engine.open();
        return engine.insight().explain(jobSpecificationKey);
    }

    @Override
    public void pause(PauseScope scope, Pause pause) {
        Pause signed = pause.by(actor);
        if (scope instanceof PauseScope.Job job) {
            changes(author(signed)).apply(JobAction.pause(signed), job.key());
        } else {
            changesOfMany(author(signed), false).pause(scope, signed);
        }
    }

    @Override
    public boolean pause(PauseScope scope, Pause pause, @Nullable Instant replaced) {
        Pause signed = pause.by(actor);
        return changesOfMany(author(signed), false).pause(scope, signed, replaced);
    }

    @Override
    public void checkPause(PauseScope scope, Pause pause) {
        engine.bulk(actor).check(scope, pause);
    }

    @Override
    public boolean resume(StandingPause shown) {
        return changesOfMany(actor, false).resume(shown);
    }

    @Override
    public boolean resume(PauseScope scope) {
        Objects.requireNonNull(scope, "scope");
        return scope instanceof PauseScope.Job job
                ? changes(actor).apply(JobAction.resume(), job.key()).isPresent()
                : changesOfMany(actor, false).resume(scope);
    }

    @Override
    public boolean resume(PauseScope scope, Instant planned) {
        Objects.requireNonNull(planned, "planned");
        return scope instanceof PauseScope.Job job
                ? changes(actor).apply(JobAction.resume(planned), job.key()).isPresent()
                : changesOfMany(actor, false).resume(scope, planned);
    }

    @Override
    public boolean isKnown(PauseScope scope) {
        return engine.bulk(actor).isKnown(Objects.requireNonNull(scope, "scope"));
    }

    @Override
    public List<StandingPause> pauses() {
        return engine.bulk(actor).pauses();
    }

    @Override
    public List<StandingPause> plannedPauses() {
        return engine.bulk(actor).plannedPauses();
    }

    @Override
    public List<FirePreview> previewFireTimes(JobSpecification specification, int rows) {
        return engine.bulk(actor).preview(specification, rows);
    }

    @Override
    public List<FirePreview> previewFireTimes(String jobSpecificationKey, Instant after, int rows) {
        return engine.bulk(actor).preview(jobSpecificationKey, after, rows);
    }

    @Override
    public ReconcileResult reconcile(String applicationTag, Collection<JobSpecification> declared, boolean dryRun) {
        return reconcile(applicationTag, declared, ReconcileOptions.DEFAULT.dryRun(dryRun));
    }

    @Override
    public ReconcileResult reconcile(
            String applicationTag, Collection<JobSpecification> declared, ReconcileOptions options) {
        return changesOfMany(actor, options.dryRun()).reconcile(applicationTag, declared, options);
    }

    @Override
    public List<BulkResult> backfill(String jobSpecificationKey, Instant from, Instant to) {
        return views.results(changesOfMany(actor, false).backfill(jobSpecificationKey, from, to));
    }

    @Override
    public SharedCalendars calendars() {
        return new SharedCalendars(engine.calendars(actor), beforeChange);
    }

    @Override
    public Groups groups() {
        return new Groups(engine.groups(actor), beforeChange);
    }

    @Override
    public void pause(String jobSpecificationKey) {
        pause(PauseScope.job(jobSpecificationKey), Pause.because(""));
    }

    @Override
    public boolean resume(String jobSpecificationKey) {
        return resume(PauseScope.job(jobSpecificationKey));
    }

    @Override
    public Job runNow(String jobSpecificationKey) {
        return views.of(changes(actor).runNow(jobSpecificationKey, null));
    }

    @Override
    public Job runNow(String jobSpecificationKey, SchedulingCommand contents) {
        return views.of(changes(actor).runNow(jobSpecificationKey, Objects.requireNonNull(contents, "contents")));
    }

    @Override
    public Scheduler start() {
        engine.start(this::ofRun);
        return this;
    }

    @Override
    public RehydrationSummary rehydrate() {
        return engine.rehydrate();
    }

    @Override
    public Health health() {
        return Health.of(engine.insight().snapshot());
    }

    @Override
    public List<StuckRun> stuckRuns() {
        return engine.insight().snapshot().work().stuck();
    }

    @Override
    public InvariantReport checkInvariants() {
        return checkInvariants(OVERDUE_TOLERANCE);
    }

    @Override
    public InvariantReport checkInvariants(Duration tolerance) {
        engine.open();
        return engine.insight().check(tolerance);
    }

    @Override
    public NodeStatus node() {
        return new NodeStatus(engine.nodeId(), engine.slots(), engine.runs(), engine.rowsWaiting());
    }

    @Override
    public long countLiveJobs() {
        return engine.cluster().liveJobs(LIVE_JOBS_COUNTED);
    }

    @Override
    public long countOpenFailures() {
        return engine.cluster().openFailures(Backlog.COUNTED);
    }

    @Override
    public Backlog backlog() {
        return engine.backlog();
    }

    @Override
    public List<UnservedJobs> unserved() {
        return engine.unserved();
    }

    @Override
    public void drain(Duration timeout) throws InterruptedException {
        try {
            engine.drainAndWait(timeout);
        } catch (ExecutionException e) {
            throw new IllegalStateException("draining failed", e);
        }
    }

    @Override
    public CompletableFuture<Void> beginDrain(Duration timeout) {
        return engine.drain(timeout).copy();
    }

    @Override
    public void close() {
        engine.close();
    }
}
