package dev.almanac.store;

import dev.almanac.model.JobExecutionStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One guarded change of a document. It is applied only if the stored document still has the revision of {@code before}
 * (rule N6): only renewals and progress may have been written since. A user's change that removes a lease is also
 * refused if that lease was renewed since {@code before} was read: it was decided for a lease that was over.
 *
 * @param before the document as the change was decided on
 * @param after the document as it shall be; everything but the id may differ. Its revision is the one that follows that
 *     of {@code before}
 * @param rows status rows to be inserted with the change
 * @param stamp rows that get their {@code deleteTime} with it; absent = none
 * @param order which comes first
 * @param removes whether the document is deleted under the same guard instead; {@code after} then shows how it ended
 */
public record JobChange(
        StoredJob before,
        StoredJob after,
        List<JobExecutionStatus> rows,
        @Nullable Stamp stamp,
        WriteOrder order,
        boolean removes) {
    /** Gives {@code after} the revision that follows. */
    public JobChange {
        Revision next = after.revision().after(before.revision());
        if (!next.equals(after.revision())) {
            after = after.with(edit -> edit.revision(next));
        }
    }

    /** A change that deletes nothing. */
    public JobChange(
            StoredJob before, StoredJob after, List<JobExecutionStatus> rows, @Nullable Stamp stamp, WriteOrder order) {
        this(before, after, rows, stamp, order, false);
    }

    /** The same, but the document is changed instead of deleted. */
    public JobChange keeping() {
        return removes ? new JobChange(before, after, rows, stamp, order) : this;
    }

    /**
     * The same, with the number by which it is recognised if its reply is lost (rule N7).
     *
     * @param drawn random bits: one draw for each call of a user, and for each batch of a holder
     */
    public JobChange as(long drawn) {
        return named(drawn, isByHolder() && after.lease() == null, order == WriteOrder.DOCUMENT_FIRST);
    }

    /** As {@link #as}, for a change that no user has asked for, such as a plan by new calendars. */
    public JobChange asPlanning(long drawn) {
        return named(drawn, false, false);
    }

    private JobChange named(long drawn, boolean ends, boolean ofUser) {
        Revision named = after.revision().with(drawn, ends, ofUser);
        return new JobChange(before, after.with(edit -> edit.revision(named)), rows, stamp, order, removes);
    }

    /** Whether the document shows this change, or that it was made before others (rule N7). */
    public boolean isShownBy(StoredJob stored) {
        return stored.revision().shows(after.revision());
    }

    /** Whether it removes the lease of another holder. */
    public boolean takesLease() {
        return order == WriteOrder.DOCUMENT_FIRST && before.lease() != null && after.lease() == null;
    }

    /** Whether the holder of the lease makes it. */
    public boolean isByHolder() {
        return order != WriteOrder.DOCUMENT_FIRST && before.lease() != null;
    }

    /** The rows to be inserted before the document is written. */
    public List<JobExecutionStatus> rowsBefore() {
        return rows.stream().filter(this::isBefore).toList();
    }

    /** The rows to be inserted once the change of the document is acknowledged. */
    public List<JobExecutionStatus> rowsAfter() {
        return rows.stream().filter(row -> !isBefore(row)).toList();
    }

    private boolean isBefore(JobExecutionStatus row) {
        return switch (order) {
            case ROWS_FIRST -> true;
            // missed fires that the document shows: their change was applied, and this one replaces what shows them
            case DOCUMENT_FIRST ->
                row.missed() != null && row.id().equals(before.lastStatus().id());
            // all but its own row belong to changes before it
            case PLAN_FIRST -> !row.id().equals(after.lastStatus().id());
        };
    }

    /** Which write is the commit point. */
    public enum WriteOrder {
        /** Rows first: the result of a run is recorded before the job moves on (rule P4). */
        ROWS_FIRST,
        /**
         * A user's change, the document first: there must be no row of a change that was refused (rule P7). The row of
         * missed fires that it replaces comes before: two torn writes in a row would leave it out for good.
         */
        DOCUMENT_FIRST,
        /**
         * A holder's change, the document first: fires are on record as missed only once the plan has passed them, so that
         * none of them runs (rule R4).
         */
        PLAN_FIRST
    }
}
