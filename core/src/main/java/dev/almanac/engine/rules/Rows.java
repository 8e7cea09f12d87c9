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
    /** Rows of one-offs whose good end is kept for less are stamped with that end. */
    private static final Duration SHORT_RETENTION = Duration.ofDays(7);

    /** What the id of the first row of a job adds to that of the job. */
    static final String CREATION = ":0:0:v1";

    private Rows() {}

    /**
     * The row that follows the newest one of the job.
     *
     * @param phase what sets it apart from other rows of the same claim, so that a repetition is the same row; the version of
     *     the document is added, so that a second decision after an update is another row
     */
    public static JobExecutionStatusBuilder after(
            StoredJob job, Moment moment, String phase, ExecutionStatus status, Outcome outcome) {
        return JobExecutionStatus.builder()
                .id(id(job, phase))
                .jobSpecificationId(job.id())
                .jobSpecificationKey(job.key())
                .executionStatus(status)
                .outcome(outcome)
                .updatedTime(time(job, moment.now()))
                .fireSeq(job.sequences().fireSeq())
                .claimSeq(job.sequences().claimSeq())
                .fireTime(job.plan().nextFireTime())
                .nominalFireTime(job.plan().nominalFireTime())
                .node(moment.node());
    }

    /**
     * The row, and before it that of the user's change that the document shows last: its writer may have died
     * before its row was written (rule P7). One that is there already is left as it is.
     */
    public static List<JobExecutionStatus> withRequested(StoredJob job, JobExecutionStatus row) {
        return isRequested(job) ? List.of(job.lastStatus(), row) : List.of(row);
    }

    /**
     * What a holder decided, and before its rows that of the user's change which its document showed last, if another
     * row takes that place: after that nobody could make it again (rule P7). To be written, and not to be told: it is
     * no row of a run. That of the job's creation is left out, since it would cost every job that runs once a row more.
     */
    public static JobChange withRequested(JobChange change) {
        StoredJob before = change.before();
        boolean created = before.specification().version() == 1;
        if (created
                || !isRequested(before)
                || before.lastStatus().id().equals(change.after().lastStatus().id())) {
            return change;
        }
        List<JobExecutionStatus> rows = new ArrayList<>();
        rows.add(before.lastStatus());
        rows.addAll(change.rows());
        return new JobChange(before, change.after(), rows, change.stamp(), change.order());
    }

    /** The row that tells how a run has ended. */
    static JobExecutionStatusBuilder ended(
            StoredJob job, RunResult result, Moment moment, ExecutionStatus status, Outcome outcome) {
        return Rows.manual(Rows.after(job, moment, "ended", status, outcome), result.asked())
                .startedTime(result.startedTime())
                .attempt(job.plan().attempts() + 1)
                .late(result.overThreshold() != null)
                .overThreshold(result.overThreshold())
                .note(result.left().note())
                .state(Transitions.changedState(job, result))
                .detail(result.left().reason())
                .error(result.error());
    }

    /** The row of a run that a user asked for names that moment instead of the planned fire ({@code null}: it is none). */
    static JobExecutionStatusBuilder manual(JobExecutionStatusBuilder row, @Nullable Instant asked) {
        return asked == null ? row : row.manual(true).fireTime(asked).nominalFireTime(null);
    }

    /** Whether it tells that the job was stored. */
    static boolean isCreation(JobExecutionStatus row) {
        return row.id().endsWith(CREATION);
    }

    private static boolean isRequested(StoredJob job) {
        JobExecutionStatus last = job.lastStatus();
        return last.id().endsWith(":v" + job.specification().version()) && job.isLive();
    }

    /**
     * When the row of a planned one-off is removed, which is born with that (rule M6): after its fire, as long as a good
     * end is kept. Absent if the job has no planned end, or keeps good ends for so short that its rows are stamped with
     * its end, as those of other jobs are.
     */
    static @Nullable Instant bornRemoval(JobSpecification job, FirePlan plan, Requests requests, Moment moment) {
        Instant fire = plan.nextFireTime();
        boolean planned = fire != null && !job.isRecurring() && requests.pause() == null;
        return planned && moment.keepsGood(job).compareTo(SHORT_RETENTION) >= 0
                ? moment.notBefore(fire).goodUntil(job)
                : null;
    }

    /** When a row is removed that a crash has left out and that is written again. */
    public static @Nullable Instant removalOfRestored(StoredJob job, Instant now) {
        Instant born = job.lastStatus().deleteTime();
        if (!job.isLive()) {
            return job.specification().deleteTime();
        }
        Instant soonest = now.plus(SHORT_RETENTION);
        return born == null || born.isAfter(soonest) ? born : soonest;
    }

    /**
     * The stamp of a creation row that was written after its document (rule M6); empty if the row is as it must be.
     *
     * @param job as it was read after the row was written; absent if its document is gone
     */
    public static Optional<Stamp> lateStamp(JobExecutionStatus row, @Nullable StoredJob job, Moment moment) {
        if (job == null) {
            Instant soon = moment.now().plus(moment.retention().superseded());
            return Optional.of(new Stamp(soon, row.id(), Stamp.Kind.EARLIER));
        }
        JobExecutionStatus last = job.lastStatus();
        if (job.isLive() && job.specification().isRecurring() && !last.id().equals(row.id())) {
            return Optional.of(new Stamp(moment.supersededUntil(row, job.specification()), row.id()));
        }
        Instant requests = job.isLive() || row.author() == null ? null : moment.requestsUntil(job);
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

    /** Why a fire failed for good, as its failure command is told. */
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
     * Later than the newest row (rule M7). For rows that follow their document: whoever writes next reads there what is
     * the newest, lease or not.
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
     * The same change with {@code written} in place of its first row if it means the same, and is newer than every row
     * that the document knows of or is followed by a further row; else the change as it is, whose rows then are the
     * newest (rules P4, P5). To write a row again changes nothing, and a row that is among those of the change is told
     * once the change is durable.
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
     * The change, which also gives their end to rows that it leaves behind: those of decisions that were refused, and of
     * claims that were abandoned (rule M6). The newest row of a live job has no end, and those of other jobs get it as
     * the job ends.
     */
    static JobChange leavingNone(JobChange change, List<JobExecutionStatus> known, Moment moment) {
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
                change.before(), change.after(), change.rows(), stamp(change, left, moment), change.order());
    }

    private static Stamp stamp(JobChange change, List<JobExecutionStatus> left, Moment moment) {
        JobSpecification job = change.after().specification();
        Instant end = left.stream()
                .map(row -> moment.supersededUntil(row, job))
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

    /** The change with another plan, and with the newest row that tells of it. */
    static JobChange planned(JobChange change, JobSpecification specification, FirePlan plan, Moment moment) {
        List<JobExecutionStatus> rows = new ArrayList<>(change.rows());
        JobExecutionStatus last = rows.remove(rows.size() - 1).toBuilder()
                .nextFireTime(plan.nextFireTime())
                .build();
        rows.add(last);
        StoredJob after = change.after()
                .with(edit -> edit.specification(specification)
                        .plan(plan)
                        .due(Transitions.dueOf(plan, change.after().requests(), moment.now()))
                        .lastStatus(last));
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
