package dev.almanac.engine.rules;

import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects what is written of a change, by the history that its job keeps. Deciders and events do not depend on it. Pure
 * functions.
 */
public final class HistoryFilter {
    private HistoryFilter() {}

    /** The change as it is written: with TROUBLE, rows of successes are left out, and a successful one-off is removed instead of finished. */
    public static JobChange of(JobChange change) {
        if (!isTrouble(change.before()) && !isTrouble(change.after())) {
            return change;
        }
        List<JobExecutionStatus> rows =
                change.rows().stream().filter(HistoryFilter::isTrouble).toList();
        return new JobChange(change.before(), change.after(), rows, change.limit(), change.by(), isRemoved(change));
    }

    /**
     * The rows that an applied change writes, and before them the one that its document has shown until then: its process may
     * have died before it was written, and nothing shows it any more (rule N4). Where it is stored already, nothing changes.
     */
    public static List<JobExecutionStatus> rowsWithReplaced(JobChange change, Instant now) {
        if (change.rows().isEmpty() || !isExpected(change.before(), now)) {
            return change.rows();
        }
        List<JobExecutionStatus> rows = new ArrayList<>();
        rows.add(change.before().lastStatus());
        rows.addAll(change.rows());
        return rows;
    }

    /**
     * Whether the row in {@code lastStatus} must be stored: it may have been left out, with TROUBLE, or have expired.
     */
    public static boolean isExpected(StoredJob job, Instant now) {
        return isExpected(ShownRow.newestOf(job), now);
    }

    public static boolean isExpected(ShownRow shown, Instant now) {
        return isKept(shown.history(), shown.row())
                && RowEnds.ofShown(shown, now).isAfter(now);
    }

    static boolean isKept(History history, JobExecutionStatus row) {
        return history != History.TROUBLE || isTrouble(row);
    }

    private static boolean isTrouble(StoredJob job) {
        return job.specification().history() == History.TROUBLE;
    }

    /** Whether TROUBLE keeps the row: all but successes and the creation of the job. */
    private static boolean isTrouble(JobExecutionStatus row) {
        return row.outcome() != Outcome.SUCCEEDED && !NewJob.isCreation(row);
    }

    /**
     * Whether the document is removed: a one-off that its holder ends with success. A changed job has rows about it, a
     * job of an application is looked for by the next reconcile, and the document of a follow-up, or of a job that is scheduled once
     * per key, keeps it from being stored again; these stay.
     */
    private static boolean isRemoved(JobChange change) {
        StoredJob after = change.after();
        JobSpecification job = after.specification();
        return isTrouble(after)
                && change.by() == By.HOLDER
                && change.before().lease() != null
                && !after.isLive()
                && after.lastStatus().outcome() == Outcome.SUCCEEDED
                && !job.isRecurring()
                && job.version() == 1
                && job.applicationTag().isEmpty()
                && job.followUpOf().isEmpty()
                && !job.once();
    }
}
