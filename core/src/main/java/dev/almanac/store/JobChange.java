package dev.almanac.store;

import dev.almanac.model.JobExecutionStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One guarded change of a document. It is applied only if the stored document still has the version of {@code before}
 * and the same lease token, or no lease if {@code before} has none, and in some cases the same {@code fireSeq} ({@link
 * #guardsPlan}) or the same row in {@code lastStatus} ({@link #guardsRow}). A user's change that removes
 * a lease is also refused if that lease was renewed since {@code before} was read: it was decided for a lease that was
 * over.
 *
 * @param before the document as the change was decided on
 * @param after the document as it shall be; everything but the id may differ
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
    /** A change that deletes nothing. */
    public JobChange(
            StoredJob before, StoredJob after, List<JobExecutionStatus> rows, @Nullable Stamp stamp, WriteOrder order) {
        this(before, after, rows, stamp, order, false);
    }

    /** The same, but the document is changed instead of deleted. */
    public JobChange keeping() {
        return removes ? new JobChange(before, after, rows, stamp, order) : this;
    }

    /** Whether it removes the lease of another holder. */
    public boolean takesLease() {
        return order == WriteOrder.DOCUMENT_FIRST && before.lease() != null && after.lease() == null;
    }

    /** Whether the holder of the lease makes it. */
    public boolean isByHolder() {
        return order != WriteOrder.DOCUMENT_FIRST && before.lease() != null;
    }

    /**
     * Whether it is refused once the plan has moved under the same claim: of two changes of a holder the older one, which
     * may arrive again, must not undo the newer.
     */
    public boolean guardsPlan() {
        return isByHolder() && after.lease() != null;
    }

    /**
     * Whether it is refused once the document shows another row: a user's change under a lease would hide a row that the
     * holder has written since, or is about to write, and leave it without the end that newer rows give it.
     */
    public boolean guardsRow() {
        return order == WriteOrder.DOCUMENT_FIRST && before.lease() != null;
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
