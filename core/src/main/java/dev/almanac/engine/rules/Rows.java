package dev.almanac.engine.rules;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.RowQuery;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes status rows: their ids and their times. */
public final class Rows {
    private Rows() {}

    /**
     * The row that follows the newest one of the job.
     *
     * @param phase distinguishes it from other rows of the same claim, so that a repetition has the same id; the
     *     version of the document is added, so that a second decision after an update is another row
     */
    static JobExecutionStatusBuilder after(
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
        return Rows.manual(Rows.after(job, context, "ended", status, outcome), job, result.asked())
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
    static JobExecutionStatusBuilder manual(JobExecutionStatusBuilder row, StoredJob job, @Nullable Instant asked) {
        return asked == null
                ? row
                : row.manual(true)
                        .fireTime(asked)
                        .nominalFireTime(null)
                        .command(job.requests().contentsOf(asked));
    }

    /** The stored rows of a query, newest first, and those that the document shows and that are still to be stored. */
    public static List<JobExecutionStatus> withShown(
            List<JobExecutionStatus> rows, StoredJob job, Instant now, RowQuery query) {
        Set<String> stored = rows.stream().map(JobExecutionStatus::id).collect(Collectors.toSet());
        List<JobExecutionStatus> missing = ShownRow.of(job).stream()
                .filter(shown -> !stored.contains(shown.row().id()))
                .filter(shown -> HistoryFilter.isExpected(shown, now))
                .map(ShownRow::row)
                .filter(row -> query.before() == null || row.updatedTime().isBefore(query.before()))
                .toList();
        return missing.isEmpty()
                ? rows
                : Stream.concat(rows.stream(), missing.stream())
                        .sorted(Comparator.comparing(JobExecutionStatus::updatedTime)
                                .reversed())
                        .limit(query.limit())
                        .toList();
    }

    /** The error of a fire that failed for good, for its failure command. */
    static ErrorSummary reason(JobExecutionStatus row) {
        ErrorSummary error = row.error();
        return error == null
                ? new ErrorSummary(row.outcome().name(), row.detail(), null)
                : new ErrorSummary(error.type(), error.message(), null);
    }

    static String id(StoredJob job, String phase) {
        return idInClaim(job, phase) + job.specification().version();
    }

    /** Of a row that a claim has once, though the job is updated meanwhile. */
    static String idInClaim(StoredJob job, String phase) {
        Sequences sequences = job.sequences();
        return job.id() + ":" + sequences.fireSeq() + ":" + sequences.claimSeq() + ":" + phase;
    }

    /** Later than the newest row (rule M7). */
    private static Instant rising(StoredJob job, Instant now) {
        Instant rising = job.lastStatus().updatedTime().plusMillis(1);
        return now.isAfter(rising) ? now : rising;
    }

    /** The change with another plan, which the row of its end shows; that of a pause which follows it shows no fire. */
    static JobChange planned(JobChange change, JobSpecification specification, FirePlan plan, DecisionContext context) {
        List<JobExecutionStatus> rows = new ArrayList<>(change.rows());
        int newest = rows.size() - 1;
        int end = newest > 0 && rows.get(newest).outcome() == Outcome.PAUSED ? newest - 1 : newest;
        rows.set(
                end, rows.get(end).toBuilder().nextFireTime(plan.nextFireTime()).build());
        JobExecutionStatus last = rows.get(newest);
        StoredJob planned = change.after()
                .with(edit -> edit.specification(specification).plan(plan).lastStatus(last));
        StoredJob after = planned.with(edit -> edit.due(Transitions.dueOf(planned, context.now())));
        return new JobChange(change.before(), after, rows, change.by());
    }
}
