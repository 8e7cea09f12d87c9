package dev.almanac.engine.rules;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.NewJob;
import dev.almanac.store.Stamp;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Selects what is written of a change, by the history that its job keeps. Deciders and events do not depend on it. Pure
 * functions.
 */
public final class HistoryFilter {
    private HistoryFilter() {}

    /**
     * The change as it is written: with TROUBLE, rows of successes are left out, the others have their {@code
     * deleteTime}, and a successful one-off is removed instead of finished.
     */
    public static JobChange of(JobChange change, DecisionContext context) {
        boolean before = isTrouble(change.before());
        boolean after = isTrouble(change.after());
        if (!before && !after) {
            return change;
        }
        List<JobExecutionStatus> rows = change.rows().stream()
                .filter(HistoryFilter::isTrouble)
                .map(row -> after ? withEnd(row, change.after(), context) : row)
                .toList();
        StoredJob kept = rows.stream()
                .filter(row -> row.id().equals(change.after().lastStatus().id()))
                .findFirst()
                .map(row -> change.after().with(edit -> edit.lastStatus(row)))
                .orElse(change.after());
        boolean removes = isRemoved(change);
        Stamp stamp = removes || before && isOfOneRow(change.stamp()) ? null : change.stamp();
        return new JobChange(change.before(), kept, rows, stamp, change.by(), removes);
    }

    /**
     * Whether the row in {@code lastStatus} must be stored; with TROUBLE it may have been left out, or have expired.
     */
    public static boolean isExpected(StoredJob job, Instant now) {
        return isExpected(job.specification().history(), job.lastStatus(), now);
    }

    /** @param last the row that the document shows last */
    public static boolean isExpected(History history, JobExecutionStatus last, Instant now) {
        Instant end = last.deleteTime();
        return history != History.TROUBLE || isTrouble(last) && (end == null || end.isAfter(now));
    }

    private static boolean isTrouble(StoredJob job) {
        return job.specification().history() == History.TROUBLE;
    }

    /** Whether TROUBLE keeps the row: all but successes and the creation of the job. */
    private static boolean isTrouble(JobExecutionStatus row) {
        return row.outcome() != Outcome.SUCCEEDED && !NewJob.isCreation(row);
    }

    /**
     * Whether the stamp is for the previous row only, which has its {@code deleteTime} from the beginning with TROUBLE.
     */
    private static boolean isOfOneRow(@Nullable Stamp stamp) {
        return stamp != null && stamp.rowId() != null;
    }

    /** The row with its {@code deleteTime}: as if superseded; of a one-off as if the job failed at its next start. */
    private static JobExecutionStatus withEnd(JobExecutionStatus row, StoredJob job, DecisionContext context) {
        if (row.deleteTime() != null) {
            return row;
        }
        JobSpecification specification = job.specification();
        Instant start = Objects.requireNonNullElse(job.plan().startTime(), context.now());
        boolean once = !specification.isRecurring() && row.author() == null;
        return row.toBuilder()
                .deleteTime(
                        once
                                ? context.notBefore(start).failedUntil(specification)
                                : context.supersededUntil(row, specification))
                .build();
    }

    /**
     * Whether the document is removed: a one-off that its holder ends with success. A changed job has rows about it, a
     * job of an application is looked for by the next reconcile, and the document of a follow-up keeps it from being
     * stored again; these stay.
     */
    private static boolean isRemoved(JobChange change) {
        StoredJob after = change.after();
        JobSpecification job = after.specification();
        return isTrouble(after)
                && change.by() == By.HOLDER
                && change.before().lease() != null
                && !after.isLive()
                && after.lastStatus().executionStatus() == ExecutionStatus.TRIGGERED
                && !job.isRecurring()
                && job.version() == 1
                && job.applicationTag() == null
                && job.followUpOf() == null;
    }
}
