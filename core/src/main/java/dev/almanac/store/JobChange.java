package dev.almanac.store;

import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One guarded change of a document, with the rows that follow it. It is applied only if the stored document still has
 * the revision of {@code before} (rule N6): only renewals and progress may have been written since. A request that
 * removes a lease is also refused if that lease was renewed since {@code before} was read: it was decided for a lease
 * that was over.
 *
 * <p>Three steps: the rows that it hides are stored ({@link #rowsBefore}, rule N3), the document is changed, its own rows
 * are inserted (N2). A sender that dies after the second leaves them to the next change, or to the next repair: the
 * document shows them.
 *
 * @param before the document as the change was decided on
 * @param after the document as it shall be; everything but the id may differ. Its revision is the one that follows that
 *     of {@code before}, and it shows {@code rows}
 * @param rows its status rows, oldest first; the last one is {@code lastStatus} of {@code after}, unless the job keeps no
 *     such rows
 * @param limit how long its stored rows are kept from then on at most; absent = as they are
 * @param by who makes it
 * @param removes whether the document is deleted under the same guard instead; {@code after} then shows how it ended
 * @param rowsFollow whether its sender writes its rows, once the document is acknowledged; else the store does, with it
 */
public record JobChange(
        StoredJob before,
        StoredJob after,
        List<JobExecutionStatus> rows,
        @Nullable RowLimit limit,
        By by,
        boolean removes,
        boolean rowsFollow) {
    /** Gives {@code after} the revision that follows, and its older rows. */
    public JobChange {
        Revision old = before.revision();
        Revision now = after.revision();
        List<JobExecutionStatus> older = older(after, rows);
        if (!now.follows(old) || !older.equals(after.olderRows())) {
            after = after.with(edit -> edit.revision(now.after(old)).olderRows(older));
        }
    }

    /** A change that deletes nothing, and leaves the other rows of its job as they are. */
    public JobChange(StoredJob before, StoredJob after, List<JobExecutionStatus> rows, By by) {
        this(before, after, rows, null, by, false);
    }

    /** A change whose rows are written with it. */
    public JobChange(
            StoredJob before,
            StoredJob after,
            List<JobExecutionStatus> rows,
            @Nullable RowLimit limit,
            By by,
            boolean removes) {
        this(before, after, rows, limit, by, removes, false);
    }

    /** Without rows the document goes on to show those that it has. */
    private static List<JobExecutionStatus> older(StoredJob after, List<JobExecutionStatus> rows) {
        String newest = after.lastStatus().id();
        if (rows.isEmpty()) {
            return after.olderRows();
        }
        return rows.size() == 1 && rows.get(0).id().equals(newest)
                ? List.of()
                : rows.stream().filter(row -> !row.id().equals(newest)).toList();
    }

    /** The same for a sender that writes its rows. */
    public JobChange withRowsToFollow() {
        return new JobChange(before, after, rows, limit, by, removes, true);
    }

    /** The rows that the store inserts once the document is written. */
    public List<JobExecutionStatus> rowsWithIt() {
        return rowsFollow ? List.of() : rows;
    }

    /** The same, but the document is changed instead of deleted. */
    public JobChange keeping() {
        return removes ? new JobChange(before, after, rows, limit, by, false, rowsFollow) : this;
    }

    /**
     * The same, with the number by which it is recognised if its reply is lost (rule N7).
     *
     * @param drawn random bits: one draw for each call of a user, and for each batch of a holder
     */
    public JobChange as(long drawn) {
        return named(drawn, isByHolder() && after.lease() == null, by == By.REQUEST);
    }

    /** As {@link #as}, for a change that no user has asked for, such as a plan by new calendars. */
    public JobChange asPlanning(long drawn) {
        return named(drawn, false, false);
    }

    private JobChange named(long drawn, boolean ends, boolean ofUser) {
        Revision named = after.revision().with(drawn, ends, ofUser);
        return new JobChange(before, after.with(edit -> edit.revision(named)), rows, limit, by, removes, rowsFollow);
    }

    /** Whether the document shows this change, or that it was made before others (rule N7). */
    public boolean isShownBy(StoredJob stored) {
        return stored.revision().shows(after.revision());
    }

    /** Whether it removes the lease of another holder. */
    public boolean takesLease() {
        return by == By.REQUEST && before.lease() != null && after.lease() == null;
    }

    /** Whether the holder of the lease makes it. */
    public boolean isByHolder() {
        return by == By.HOLDER && before.lease() != null;
    }

    /**
     * The rows that the document shows and will show no longer: they are stored before it is changed (rule N3), since nothing
     * could bring them afterwards. They are true, whether it is changed then or not. The row of the creation is not among
     * them, which would cost each job one more row; nor is one that the job does not keep, or no longer.
     */
    public List<JobExecutionStatus> rowsBefore() {
        boolean hides =
                removes || !after.lastStatus().id().equals(before.lastStatus().id());
        List<JobExecutionStatus> kept = new ArrayList<>();
        for (JobExecutionStatus row : hides ? before.shownRows() : List.<JobExecutionStatus>of()) {
            if (isKept(row)) {
                kept.add(row);
            }
        }
        return kept;
    }

    private boolean isKept(JobExecutionStatus row) {
        boolean kept = before.specification().history() != History.TROUBLE || row.outcome() != Outcome.SUCCEEDED;
        Instant end = row.deleteTime();
        return kept
                && !NewJob.isCreation(row)
                && (end == null || end.isAfter(after.lastStatus().updatedTime()));
    }

    /** Who makes a change. */
    public enum By {
        /** The node that holds the lease. */
        HOLDER,
        /** A user, or a node that plans the job again without a lease. */
        REQUEST
    }
}
