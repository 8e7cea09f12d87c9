package dev.almanac.engine.rules;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.WriteOrder;
import dev.almanac.store.Stamp;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What of a change is written, by the history that its job keeps. Deciders decide as if all of it were; what is
 * told of a run does not depend on it. Pure functions.
 */
public final class HistoryFilter {
    private HistoryFilter() {}

    /**
     * The change as it is written: with TROUBLE without the rows of what went well, the others with their end, and a
     * one-off that went well is removed instead of finished.
     */
    public static JobChange of(JobChange change, Moment moment) {
        boolean before = isTrouble(change.before());
        boolean after = isTrouble(change.after());
        if (!before && !after) {
            return change;
        }
        List<JobExecutionStatus> rows = change.rows().stream()
                .filter(HistoryFilter::isTrouble)
                .map(row -> after ? withEnd(row, change.after(), moment) : row)
                .toList();
        StoredJob told = rows.stream()
                .filter(row -> row.id().equals(change.after().lastStatus().id()))
                .findFirst()
                .map(row -> change.after().with(edit -> edit.lastStatus(row)))
                .orElse(change.after());
        boolean removes = isRemoved(change);
        Stamp stamp = removes || before && isOfOneRow(change.stamp()) ? null : change.stamp();
        return new JobChange(change.before(), told, rows, stamp, change.order(), removes);
    }

    /**
     * Whether the row that a document shows last is to be there; of a job that keeps trouble only it may never have been,
     * or be over by now.
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

    /** A good end and the creation of a job are no trouble; all else is. */
    private static boolean isTrouble(JobExecutionStatus row) {
        return row.outcome() != Outcome.SUCCEEDED && !Rows.isCreation(row);
    }

    /** The rows of such a job have their end from the start, so none is left to stamp but those of refused decisions. */
    private static boolean isOfOneRow(@Nullable Stamp stamp) {
        return stamp != null && stamp.rowId() != null && stamp.others().isEmpty();
    }

    /** As long as it would be kept once superseded; of a one-off as if the job failed at its next start. */
    private static JobExecutionStatus withEnd(JobExecutionStatus row, StoredJob job, Moment moment) {
        if (row.deleteTime() != null) {
            return row;
        }
        JobSpecification specification = job.specification();
        Instant start = Objects.requireNonNullElse(job.plan().startTime(), moment.now());
        boolean once = !specification.isRecurring() && row.author() == null;
        return row.toBuilder()
                .deleteTime(
                        once
                                ? moment.notBefore(start).failedUntil(specification)
                                : moment.supersededUntil(row, specification))
                .build();
    }

    /**
     * A holder's end of a one-off that went well. One that was changed has rows that tell of it; one of an application is
     * looked for by its next reconcile; a follow-up may be stored once more, which its document shows to be done.
     */
    private static boolean isRemoved(JobChange change) {
        StoredJob after = change.after();
        JobSpecification job = after.specification();
        return isTrouble(after)
                && change.order() == WriteOrder.ROWS_FIRST
                && change.before().lease() != null
                && !after.isLive()
                && after.lastStatus().executionStatus() == ExecutionStatus.TRIGGERED
                && !job.isRecurring()
                && job.version() == 1
                && job.applicationTag() == null
                && job.followUpOf() == null;
    }
}
