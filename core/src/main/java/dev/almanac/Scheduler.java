package dev.almanac;

import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.event.RehydrationSummary;
import dev.almanac.helper.JobRequests;
import dev.almanac.model.ActionReport;
import dev.almanac.model.Backlog;
import dev.almanac.model.BulkResult;
import dev.almanac.model.Explanation;
import dev.almanac.model.FieldChange;
import dev.almanac.model.FindScope;
import dev.almanac.model.FireReport;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MassCancelException;
import dev.almanac.model.OpenFailures;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Problem;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StuckRun;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.JobRegister;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A node of the scheduler: schedules jobs, and, once started, runs those that are due. Several nodes on one database
 * share the work. Thread-safe.
 *
 * <p>A scheduler that is not started stores jobs, and other nodes run them. A started node runs the jobs that it
 * stores itself immediately; jobs that others store are found by the next look, so a job that is due now may start up
 * to {@code pollInterval} late, by default 1 s. With {@code watchForNewJobs} the store notifies nodes of such jobs,
 * which then start about a round trip after they are stored.
 *
 * <p>Every method that calls the store may throw {@link dev.almanac.store.StoreException} if it does not answer: what was
 * asked for may have been done or not. No repeated call harms the store. But a job may run once more than was meant, if what
 * is repeated was done and its run has ended: {@link #runNow}, {@link #apply} of {@link JobAction.RunNow}, {@link #backfill},
 * and the scheduling of a one-off without {@link dev.almanac.model.IfExists#ONCE}. Look at {@link #history} first, or use ONCE.
 */
public interface Scheduler extends JobRequests, AutoCloseable {
    /** A builder; only the store is required. */
    static SchedulerBuilder builder() {
        return new SchedulerBuilder();
    }

    /**
     * This scheduler with an author for its requests, whose rows keep author and reason. Both are the same node:
     * starting, draining or closing one of them affects the other. Without this call, the author of requests is the
     * service.
     *
     * @param author a person, a service or a program; 1 to 256 characters
     * @param reason why, such as the number of a ticket, at most 1 000 characters; absent = not given
     * @throws IllegalArgumentException if the author is blank, or one of the two is too long
     */
    Scheduler as(String author, @Nullable String reason);

    /**
     * The problems for which {@link #scheduleJob(JobSpecification)} would refuse a job. Reads, and writes nothing.
     *
     * @return all problems, each with field, value, rule and advice; empty if the job would be accepted
     */
    List<Problem> check(JobSpecification specification);

    /**
     * How the live job of the key would change if {@link #scheduleJob(JobSpecification)} replaced it. Reads, and writes nothing.
     *
     * @return the fields in which it differs, such as its requestor, which alone {@link
     *     dev.almanac.model.IfExists#TAKE_OVER} replaces; empty if there is none, or if none is live
     * @throws InvalidJobException if its other fields could not be replaced by these
     */
    List<FieldChange> changes(JobSpecification specification);

    /**
     * As {@link #scheduleJob(JobSpecification)}, in the place of the live job with which a user has compared it, and of no
     * other.
     *
     * @param shown the live job of the key; absent = there was none
     * @throws dev.almanac.model.JobExistsException if there was none, and one is live by now
     * @throws dev.almanac.model.StaleJobException if it has another version by now: by a change, by any other request such as a
     *     pause, or since an edited calendar has moved its fire
     * @throws JobNotFoundException if it has ended meanwhile
     */
    Job scheduleJob(JobSpecification specification, @Nullable Job shown);

    /**
     * Changes of jobs within a transaction of the caller. Only what goes through the answer belongs to the transaction:
     * the other methods of this class take effect at once, also while the transaction is open, and stay if it aborts.
     *
     * @param transaction from the store, such as {@code MongoJobStore.inSession}; for a store of the same
     *     database as this scheduler's
     * @return for one attempt of the transaction; call {@link JobWriter#committed} after its commit
     */
    JobWriter in(JobRegister transaction);

    /**
     * Applies an action to each job of one page of a selection; apply it to the report's {@link ActionReport#next} for
     * the next page. A failure with one job does not stop the others; each is changed by a compare-and-set. A repeated call
     * harms nothing, but {@link JobAction.RunNow} runs a job once more whose first run has ended. If the store stops answering,
     * what was done is reported, and the other jobs are REFUSED with the reason: that the outcome is not known, or that nothing
     * was begun.
     *
     * @param dryRun whether nothing is written and the report says what would happen
     * @throws dev.almanac.store.StoreException if the store did not answer, and nothing was done
     */
    ActionReport apply(JobAction action, JobSelection selection, boolean dryRun);

    /** As {@link #apply(JobAction, JobSelection, boolean)}, without a dry run. */
    ActionReport apply(JobAction action, JobSelection selection);

    /** The live job of a key. */
    Optional<Job> findJobById(String jobSpecificationKey);

    /** The live job of a key or, if asked for, the one that finished last and has not expired yet. */
    Optional<Job> findJobById(String jobSpecificationKey, FindScope scope);

    /** One page of jobs in the order of their keys. */
    JobPage listJobs(JobQuery query);

    /** The status rows of every job that had this key and has not expired, newest first; at most 1 000. */
    List<JobExecutionStatus> history(String jobSpecificationKey);

    /**
     * The status rows of fires that failed for good, of all jobs: including jobs that have succeeded since, or have
     * finished and not expired. Newest first; at most 1 000.
     *
     * @param from written at or after this instant; absent = no bound
     * @param until written before this instant; absent = no bound
     */
    List<JobExecutionStatus> failures(@Nullable Instant from, @Nullable Instant until);

    /**
     * Of each job that is open (rule S19) the newest fire that failed for good, if that was in this span: no fire has gone well
     * since, the job was not run again with success, and no user has acknowledged or resumed it. A job that fails again while
     * a list is read part by part moves to its first part. About 100 000 rows are read at most; the answer says whether older
     * ones were not.
     *
     * @param from written at or after this instant; absent = no bound
     * @param until written before this instant; absent = no bound
     */
    OpenFailures openFailures(@Nullable Instant from, @Nullable Instant until);

    /**
     * What became of each planned fire of the live job of a key, or of the one that finished last and has not expired: by the
     * schedules and calendars that were in force, each fire with exactly one account. Rows of a recurring job are kept for
     * as long as any hundred fires in a row of its schedule last, not counting what calendars exclude: at least a day and at most
     * 35 days; the report says from when on it can tell.
     *
     * @param since the first instant of interest
     * @return empty if no job has the key
     */
    Optional<FireReport> fires(String jobSpecificationKey, Instant since);

    /** As {@link #fires}, of many jobs together. */
    FireReports fireReports();

    /** Why a job has not run, or when it will. Unknown keys and damaged documents have an explanation, too. */
    Explanation explainJob(String jobSpecificationKey);

    /**
     * Pauses one job, or all jobs of a kind, including those that are scheduled later, until they are resumed or the
     * pause ends by itself. Runs in progress continue; the pause takes effect on every node within a second, and one that
     * is planned ({@link Pause#from}) at its beginning. A pause of the same scope and beginning is replaced; a job has only
     * one, so a planned one is replaced by one that begins at once. A tag, type or node that nothing has is paused, too, and
     * logged as a warning.
     *
     * @throws JobNotFoundException if the scope is a job and there is no live one of the key
     * @throws InvalidJobException if the scope is a job that is paused now, and the pause is planned for later
     * @throws IllegalArgumentException if several live nodes have the label that the scope names, or the end of the pause
     *     of a kind has passed
     */
    void pause(PauseScope scope, Pause pause);

    /**
     * Pauses all jobs of a kind as {@link #pause(PauseScope, Pause)} does, in the place of the pause that a user has seen.
     *
     * @param replaced {@link StandingPause#since} of the stored pause of the same scope and beginning; absent = there is none
     * @return false if another pause is in that place by now, or none; nothing was changed
     * @throws IllegalArgumentException as the other does, and if the scope is a single job
     */
    boolean pause(PauseScope scope, Pause pause, @Nullable Instant replaced);

    /**
     * A question before a pause of a kind of jobs; nothing is paused.
     *
     * @throws IllegalArgumentException if {@link #pause(PauseScope, Pause, Instant)} would refuse it now
     */
    void checkPause(PauseScope scope, Pause pause);

    /**
     * Ends a pause; fires that passed meanwhile are missed fires. A job with two pauses runs again when both have
     * ended. Pauses of the scope that are planned for later stay.
     *
     * @return false if the scope was not paused
     * @throws JobNotFoundException if the scope is a job and there is no live one of the key
     */
    boolean resume(PauseScope scope);

    /**
     * Withdraws a pause that is planned, and ends it if it has begun.
     *
     * @param planned its beginning, as {@link #plannedPauses} or the job has it
     * @return false if there is no such pause
     * @throws JobNotFoundException if the scope is a job and there is no live one of the key
     */
    boolean resume(PauseScope scope, Instant planned);

    /** Ends this pause of a kind of jobs, begun or planned; false if it is over, or another one is in its place by now. */
    boolean resume(StandingPause shown);

    /**
     * Whether something is there that a pause of this scope would hold: a live job of the key, tag or type, a node that
     * runs the type or, while it drains, may run it, or the node. A question before a pause, since a misspelt name holds
     * nothing. At most 100 000 jobs are looked at; if there are more, the answer is yes.
     */
    boolean isKnown(PauseScope scope);

    /** The pauses of kinds of jobs that are in force; those of single jobs are part of the jobs. */
    List<StandingPause> pauses();

    /** The pauses of kinds of jobs that begin later. */
    List<StandingPause> plannedPauses();

    /**
     * The next nominal fires of a specification from now on, each with the reason for its time, or for its omission.
     * Nothing is stored.
     *
     * @param rows how many at most, 0 to 10 000; a one-off has one
     * @throws IllegalArgumentException if {@code rows} is not within that range
     * @throws InvalidJobException with every problem of the specification
     */
    List<FirePreview> previewFireTimes(JobSpecification specification, int rows);

    /**
     * The nominal fires of a live job strictly after a moment, as {@link #previewFireTimes(JobSpecification, int)}; none if it
     * is cancelled and its last run is still in progress.
     *
     * @throws JobNotFoundException if there is no live job of the key
     * @throws IllegalArgumentException if {@code rows} is out of range, or a calendar of the job is not known here
     */
    List<FirePreview> previewFireTimes(String jobSpecificationKey, Instant after, int rows);

    /**
     * The nominal fires of a job strictly after a moment by calendars that the caller gives, such as one that is to be
     * edited; as {@link #previewFireTimes(JobSpecification, int)}, but without a store. What the job has run counts for
     * nothing here; of a stored job ask the form that takes one.
     *
     * @param job as a store returns it
     * @param calendars by name
     * @throws IllegalArgumentException if {@code rows} is out of range, or a calendar of the job is not among these
     */
    static List<FirePreview> previewFireTimes(
            JobSpecification job, Map<String, ExclusionCalendar> calendars, Instant after, int rows) {
        FirePreview.checkRows(rows);
        FirePlanner planner = new FirePlanner(new FirePlanner.Calendars(calendars));
        return FirePlanner.upToMaxFires(job, planner.preview(job, after, rows), 0);
    }

    /**
     * The same of a stored job: the fires that have ended, and those to come until then, count for {@code maxFires}. The fire
     * that ended last, or is in progress, does not come once more where these calendars would move it; none follows a cancel.
     *
     * @param now what has passed by then runs once
     */
    static List<FirePreview> previewFireTimes(
            StoredJob job, Map<String, ExclusionCalendar> calendars, Instant now, Instant after, int rows) {
        FirePreview.checkRows(rows);
        FirePlanner planner = new FirePlanner(new FirePlanner.Calendars(calendars));
        return planner.upToMaxFires(job, planner.preview(job, after, rows), now, after);
    }

    /**
     * The contents of a stored job as a change would store them now, for a preview: another step of
     * {@link dev.almanac.time.CronDialect#EVERY} is counted from then on.
     *
     * @param given the stored contents with the changed fields
     */
    static JobSpecification asChanged(JobSpecification given, JobSpecification stored, Instant now) {
        return FirePlanner.counted(given, stored, now);
    }

    /**
     * Makes the stored jobs of an application equal to those that it declares: creates, updates, keeps and cancels
     * jobs; never changes jobs of another application. Any number of nodes may do the same at once. A declared job that
     * has come to its own end, or that was cancelled and has no fire left, is not changed.
     *
     * @param declared without an application tag, or with this one
     * @param dryRun whether nothing is written and the result says what would be done
     * @throws InvalidJobException with the problems of all declared jobs; nothing was written
     * @throws MassCancelException if it would cancel all live jobs of the application, or more than half of ten or more;
     *     nothing was written. {@link ReconcileOptions#allowMassCancel} permits it; a dry run only says so
     */
    ReconcileResult reconcile(String applicationTag, Collection<JobSpecification> declared, boolean dryRun);

    /**
     * As {@link #reconcile(String, Collection, boolean)}, with further options. A release that is lower than one that has
     * declared before changes nothing: {@link ReconcileResult#outdatedBy} names the higher one.
     */
    ReconcileResult reconcile(String applicationTag, Collection<JobSpecification> declared, ReconcileOptions options);

    /**
     * Runs the planned fires of a recurring job from {@code from} (included) to {@code to} (excluded), a range in the
     * past, once more: each as a one-off job of its own, of the key {@code KEY@INSTANT}, with the tag {@code backfill},
     * one after the other. The job itself and its plan are not changed. The keys are not shortened, since they identify
     * the fire: a key of over 231 characters may leave no room for the instant.
     *
     * @return the result of each fire, in order; a job of an earlier backfill that still waits is kept as it is, and one that
     *     has ended is made again. If the store stops answering, the fires that were not stored, or of which that is not known,
     *     have an error
     * @throws dev.almanac.store.StoreException if the store did not answer, and nothing was stored
     * @throws JobNotFoundException if there is no live job of the key
     * @throws IllegalArgumentException if it is a one-off, or the range is empty, not past, or holds over 10 000 fires
     * @throws InvalidJobException if the one-off of a fire would break a limit (M1, M2); nothing was written
     */
    List<BulkResult> backfill(String jobSpecificationKey, Instant from, Instant to);

    /** The calendars that are stored in the database. */
    SharedCalendars calendars();

    /** Sizes and rates of exclusive groups. */
    Groups groups();

    /**
     * Joins the cluster and, with {@code autoRehydrate}, begins to claim. If it throws, nothing was started, and it may
     * be called again. Once the store is open, an outage does not make the start fail: the rehydration is repeated,
     * with pauses of two seconds at most, until it succeeds; {@link #health} is DOWN and nothing is claimed before.
     *
     * @throws dev.almanac.store.StoreRefusedException if the store cannot be used; the message says what to do
     * @throws IllegalStateException if this was started, drained or closed before
     */
    Scheduler start();

    /** Verifies the store, reports its state, and begins to claim; until then a node claims nothing. */
    RehydrationSummary rehydrate();

    /** The health of this node. Makes no call and never blocks. */
    Health health();

    /** The runs of this node that are stuck, oldest first; {@link StuckRun#why} says why. Makes no call. */
    List<StuckRun> stuckRuns();

    /** As {@link #checkInvariants(Duration)}, tolerating a minute. */
    InvariantReport checkInvariants();

    /**
     * Checks the stored state: overdue jobs, expired leases, missing rows, finished jobs with a due time, indexes and
     * what others have added to the collections, command types and priorities that no node takes, clocks. At most
     * 10 000 live and 10 000 finished jobs are examined; {@link InvariantReport#notChecked} names what was left out.
     * Repairs one thing: newest rows that a crash has left out are written.
     *
     * @param tolerance how long a job may be due, and a lease over, before it is a finding
     */
    InvariantReport checkInvariants(Duration tolerance);

    /** Identity and load of this node. Makes no call. */
    NodeStatus node();

    /** Counting of live jobs ends at this number, so that what it costs does not grow with what is stored. */
    int LIVE_JOBS_COUNTED = 100_000;

    /**
     * How many jobs of the cluster are live; counted up to {@value #LIVE_JOBS_COUNTED}. One query of an index, of some
     * 50 ms for that many; call it a few times a minute at most.
     */
    long countLiveJobs();

    /**
     * How many jobs of the cluster have an open failure (rule S19), whenever it was; counted up to {@value Backlog#COUNTED}. One
     * query of an index.
     */
    long countOpenFailures();

    /** The overdue jobs that this node could run. Two queries; call it a few times a minute at most. */
    Backlog backlog();

    /**
     * Due jobs that no live node takes (rule S20), as far as they are among the 2 000 that have been due for the longest
     * of the types that some live node does not take, or only in part; empty if there are none. Counts no live jobs, but due
     * ones of paused tags are read and left out.
     */
    List<UnservedJobs> unserved();

    /**
     * Stops claiming, releases claims that have not started, and waits for runs; after {@code timeout} it interrupts
     * them. A shutdown never uses an attempt. A second drain joins the first, and can only shorten it.
     */
    void drain(Duration timeout) throws InterruptedException;

    /** As {@link #drain}, without waiting: the future, which only reports, completes when no claim is held any more. */
    CompletableFuture<Void> beginDrain(Duration timeout);

    /**
     * Drains with no time for runs, also during a drain, and ends all threads. It returns when the interrupted runs have
     * ended, or their leases are over, and waits up to 5 s each for the store and for listeners. Idempotent. The store's
     * client stays open.
     */
    @Override
    void close();
}
