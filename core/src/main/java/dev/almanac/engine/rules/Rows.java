package dev.almanac.engine.rules;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.Requests;
import dev.almanac.store.Sequences;
import dev.almanac.store.Stamp;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes status rows: their ids and their times. */
public final class Rows {
    /** Rows of one-offs whose retention of good ends is shorter than this are stamped at the end. */
    private static final Duration SHORT_RETENTION = Duration.ofDays(7);

    /** The suffix that makes the id of a job's first row from the id of the job. */
    static final String CREATION = ":0:0:v1";

    private Rows() {}

    /**
     * The row that follows the newest one of the job.
     *
     * @param phase distinguishes it from other rows of the same claim, so that a repetition has the same id; the
     *     version of the document is added, so that a second decision after an update is another row
     */
    public static JobExecutionStatusBuilder after(
            StoredJob job, DecisionContext context, String phase, ExecutionStatus status, Outcome outcome) {
        return JobExecutionStatus.builder()
                .id(id(job, phase))
                .jobSpecificationId(job.id())
                .jobSpecificationKey(job.key())
                .executionStatus(status)
                .outcome(outcome)
                .updatedTime(time(job, context.now()))
                .fireSeq(job.sequences().fireSeq())
                .claimSeq(job.sequences().claimSeq())
                .fireTime(job.plan().nextFireTime())
                .nominalFireTime(job.plan().nominalFireTime())
                .node(context.node());
    }

    /**
     * The row, preceded by the one in {@code lastStatus} if that follows its document, whose writer may have died before it
     * was written (rules P7, R4). A row that is stored already stays as it is.
     */
    public static List<JobExecutionStatus> withShown(StoredJob job, JobExecutionStatus row) {
        return followsDocument(job) ? List.of(job.lastStatus(), row) : List.of(row);
    }

    /**
     * The change of a holder, preceded by the row in {@code lastStatus} that follows its document, if another row replaces
     * it there: after that it could not be written again (rules P7, R4). The added row is written but leads to no event, since
     * that of its own change did. The row of the creation is not added, which would cost each job one more row.
     */
    public static JobChange withShown(JobChange change) {
        StoredJob before = change.before();
        if (!followsDocument(before)
                || isCreation(before.lastStatus())
                || before.lastStatus().id().equals(change.after().lastStatus().id())) {
            return change;
        }
        List<JobExecutionStatus> rows = new ArrayList<>();
        rows.add(before.lastStatus());
        rows.addAll(change.rows());
        return new JobChange(before, change.after(), rows, change.stamp(), change.order());
    }

    /** The row of the end of a run. */
    static JobExecutionStatusBuilder ended(
            StoredJob job, RunResult result, DecisionContext context, ExecutionStatus status, Outcome outcome) {
        return Rows.manual(Rows.after(job, context, "ended", status, outcome), result.asked())
                .startedTime(result.startedTime())
                .attempt(job.plan().attempts() + 1)
                .late(result.overThreshold() != null)
                .overThreshold(result.overThreshold())
                .note(result.left().note())
                .state(Transitions.changedState(job, result))
                .detail(result.left().reason())
                .error(result.error());
    }

    /**
     * The row of a run; for a manual one it has the time of the request instead of the planned fire. {@code null} = not
     * manual.
     */
    static JobExecutionStatusBuilder manual(JobExecutionStatusBuilder row, @Nullable Instant asked) {
        return asked == null ? row : row.manual(true).fireTime(asked).nominalFireTime(null);
    }

    /** Whether it is the row of the job's creation. */
    static boolean isCreation(JobExecutionStatus row) {
        return row.id().endsWith(CREATION);
    }

    /** Whether the newest row is written after its document: that of a user's change, and that of missed fires. */
    private static boolean followsDocument(StoredJob job) {
        JobExecutionStatus last = job.lastStatus();
        boolean requested = last.id().endsWith(":v" + job.specification().version());
        return job.isLive() && (requested || last.missed() != null);
    }

    /**
     * The {@code deleteTime} with which a row is inserted before the fire of a one-off (rule M6): the fire plus the
     * retention of good ends. Absent if the job has no planned end, or keeps good ends for so short a time that its
     * rows are stamped at its end, like those of other jobs.
     */
    static @Nullable Instant bornRemoval(
            JobSpecification job, FirePlan plan, Requests requests, DecisionContext context) {
        Instant fire = plan.nextFireTime();
        boolean planned = fire != null && !job.isRecurring() && requests.pause() == null;
        return planned && context.keepsGood(job).compareTo(SHORT_RETENTION) >= 0
                ? context.notBefore(fire).goodUntil(job)
                : null;
    }

    /** The {@code deleteTime} of a row that a crash has left out and that is written now. */
    public static @Nullable Instant removalOfRestored(StoredJob job, Instant now) {
        Instant born = job.lastStatus().deleteTime();
        if (!job.isLive()) {
            return job.specification().deleteTime();
        }
        Instant soonest = now.plus(SHORT_RETENTION);
        return born == null || born.isAfter(soonest) ? born : soonest;
    }

    /**
     * The stamp of a creation row that was written after its document (rule M6); empty if none is needed.
     *
     * @param job as it was read after the row was written; absent if its document is gone
     */
    public static Optional<Stamp> lateStamp(JobExecutionStatus row, @Nullable StoredJob job, DecisionContext context) {
        if (job == null) {
            Instant soon = context.now().plus(context.retention().superseded());
            return Optional.of(new Stamp(soon, row.id(), Stamp.Kind.EARLIER));
        }
        JobExecutionStatus last = job.lastStatus();
        if (job.isLive() && job.specification().isRecurring() && !last.id().equals(row.id())) {
            return Optional.of(new Stamp(context.supersededUntil(row, job.specification()), row.id()));
        }
        Instant requests = job.isLive() || row.author() == null ? null : context.requestsUntil(job);
        Instant end = job.isLive()
                ? last.deleteTime()
                : Objects.requireNonNullElse(requests, job.specification().deleteTime());
        return Optional.ofNullable(end)
                .map(time -> new Stamp(time, row.id(), kindOf(last)))
                .filter(stamp -> !stamp.over(row).equals(row.deleteTime()));
    }

    private static Stamp.Kind kindOf(JobExecutionStatus last) {
        return last.executionStatus() == ExecutionStatus.FAILED ? Stamp.Kind.LATER : Stamp.Kind.EARLIER;
    }

    /** The error of a fire that failed for good, for its failure command. */
    static ErrorSummary reason(JobExecutionStatus row) {
        ErrorSummary error = row.error();
        return error == null
                ? new ErrorSummary(row.outcome().name(), row.detail(), null)
                : new ErrorSummary(error.type(), error.message(), null);
    }

    public static String id(StoredJob job, String phase) {
        Sequences sequences = job.sequences();
        return job.id() + ":" + sequences.fireSeq() + ":" + sequences.claimSeq() + ":" + phase
                + job.specification().version();
    }

    /**
     * Later than the newest row (rule M7). For rows that follow their document: the next writer reads the newest row
     * there, with or without a lease.
     */
    public static Instant rising(StoredJob job, Instant now) {
        Instant rising = job.lastStatus().updatedTime().plusMillis(1);
        return now.isAfter(rising) ? now : rising;
    }

    /**
     * Later than the newest row (rule M7), and not later than the end of the lease: a row that arrives after the
     * lease was lost must stay older than every row of the successor (rule P4).
     */
    public static Instant time(StoredJob job, Instant now) {
        Instant time = rising(job, now);
        Lease lease = job.lease();
        return lease != null && time.isAfter(lease.until()) ? lease.until() : time;
    }

    /**
     * The change with {@code written} in place of its first row if both have the same meaning, and is newer than every
     * row that the document refers to or is followed by a further row; else the change as it is, whose rows then are the
     * newest (rules P4, P5). Writing a row again changes nothing, and events are sent for the rows of the change once
     * it is durable.
     */
    static JobChange reuse(JobChange change, JobExecutionStatus written) {
        List<JobExecutionStatus> rows = change.rows();
        if (rows.isEmpty() || !sameMeaning(rows.get(0), written)) {
            return change;
        }
        if (rows.size() > 1) {
            List<JobExecutionStatus> kept = new ArrayList<>(rows);
            kept.set(0, written);
            return new JobChange(change.before(), change.after(), kept, change.stamp(), change.order());
        }
        if (!written.updatedTime().isAfter(change.before().lastStatus().updatedTime())) {
            return change;
        }
        StoredJob after = change.after().with(edit -> edit.lastStatus(written));
        return new JobChange(change.before(), after, List.of(written), change.stamp(), change.order());
    }

    /**
     * As {@link #reuse}, for a row of an abandoned claim. If a user has changed the job since the row was decided on, its
     * claim may have decided again, and the row of that may still arrive: the change keeps its own row then, which is newer
     * than any of that claim.
     */
    static JobChange reuseAbandoned(JobChange change, JobExecutionStatus written) {
        return isOfVersion(written, change.before().specification().version()) ? reuse(change, written) : change;
    }

    /** Whether the row was decided on this version of the document, the last part of its id. */
    private static boolean isOfVersion(JobExecutionStatus row, long version) {
        return row.id().matches(".*\\D" + version);
    }

    /**
     * The change, which also stamps the rows that it supersedes: those of decisions that were refused, and of claims
     * that were abandoned (rule M6). The newest row of a live job has no {@code deleteTime}; rows of one-offs get it
     * when the job ends.
     */
    static JobChange leavingNone(JobChange change, List<JobExecutionStatus> known, DecisionContext context) {
        JobExecutionStatus newest = change.after().lastStatus();
        JobSpecification job = change.after().specification();
        List<JobExecutionStatus> left = known.stream()
                .filter(row -> row.deleteTime() == null && !row.id().equals(newest.id()))
                .filter(row -> row.updatedTime().isBefore(newest.updatedTime()))
                .toList();
        if (left.isEmpty() || !change.after().isLive() || !job.isRecurring()) {
            return change;
        }
        return new JobChange(
                change.before(), change.after(), change.rows(), stamp(change, left, context), change.order());
    }

    private static Stamp stamp(JobChange change, List<JobExecutionStatus> left, DecisionContext context) {
        JobSpecification job = change.after().specification();
        Instant end = left.stream()
                .map(row -> context.supersededUntil(row, job))
                .max(Instant::compareTo)
                .orElseThrow();
        List<String> ids = left.stream().map(JobExecutionStatus::id).toList();
        Stamp stamp = change.stamp();
        if (stamp == null) {
            return new Stamp(end, ids.get(0), Stamp.Kind.FIRST, ids, null);
        }
        Instant later = stamp.deleteTime().isAfter(end) ? stamp.deleteTime() : end;
        return new Stamp(later, stamp.rowId(), stamp.kind(), ids, stamp.requestsUntil());
    }

    /** The change with another plan, which its newest row shows. */
    static JobChange planned(JobChange change, JobSpecification specification, FirePlan plan, DecisionContext context) {
        List<JobExecutionStatus> rows = new ArrayList<>(change.rows());
        JobExecutionStatus last = rows.remove(rows.size() - 1).toBuilder()
                .nextFireTime(plan.nextFireTime())
                .build();
        rows.add(last);
        StoredJob planned = change.after()
                .with(edit -> edit.specification(specification).plan(plan).lastStatus(last));
        StoredJob after = planned.with(edit -> edit.due(Transitions.dueOf(planned, context.now())));
        return new JobChange(change.before(), after, rows, change.stamp(), change.order());
    }

    private static boolean sameMeaning(JobExecutionStatus one, JobExecutionStatus other) {
        return one.executionStatus() == other.executionStatus()
                && one.outcome() == other.outcome()
                && one.fireSeq() == other.fireSeq()
                && (one.deleteTime() != null || other.deleteTime() == null)
                && Objects.equals(one.nextFireTime(), other.nextFireTime());
    }
}
