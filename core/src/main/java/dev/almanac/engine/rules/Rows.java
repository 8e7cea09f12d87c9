package dev.almanac.engine.rules;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Requests;
import dev.almanac.store.Sequences;
import dev.almanac.store.Stamp;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes status rows: their ids and their times. */
public final class Rows {
    /** Rows of one-offs whose retention of good ends is shorter than this are stamped at the end. */
    private static final Duration SHORT_RETENTION = Duration.ofDays(7);

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
                .updatedTime(rising(job, context.now()))
                .fireSeq(job.sequences().fireSeq())
                .claimSeq(job.sequences().claimSeq())
                .fireTime(job.plan().nextFireTime())
                .nominalFireTime(job.plan().nominalFireTime())
                .node(context.node());
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

    /** Stored rows, newest first, and those that the document shows and that are still to be stored. */
    public static List<JobExecutionStatus> withShown(
            List<JobExecutionStatus> rows, StoredJob job, Instant now, int limit) {
        Set<String> stored = rows.stream().map(JobExecutionStatus::id).collect(Collectors.toSet());
        List<JobExecutionStatus> missing = job.shownRows().stream()
                .filter(row -> !stored.contains(row.id()))
                .filter(row -> HistoryFilter.isExpected(job.specification().history(), row, now))
                .toList();
        return missing.isEmpty()
                ? rows
                : Stream.concat(rows.stream(), missing.stream())
                        .sorted(Comparator.comparing(JobExecutionStatus::updatedTime)
                                .reversed())
                        .limit(limit)
                        .toList();
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

    /** Later than the newest row (rule M7). */
    private static Instant rising(StoredJob job, Instant now) {
        Instant rising = job.lastStatus().updatedTime().plusMillis(1);
        return now.isAfter(rising) ? now : rising;
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
        return new JobChange(change.before(), after, rows, change.stamp(), change.by());
    }
}
