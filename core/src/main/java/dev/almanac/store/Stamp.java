package dev.almanac.store;

import dev.almanac.model.JobExecutionStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are given their {@code deleteTime} after a change was applied (rule M6).
 *
 * @param deleteTime when they are removed
 * @param rowId the one row; absent = every row of the job that has no {@code deleteTime} yet
 * @param requestsUntil when rows with an author are removed instead, if every row is stamped; absent = no other moment
 */
public record Stamp(
        Instant deleteTime,
        @Nullable String rowId,
        @Nullable Instant requestsUntil) {
    /** The same moment for all. */
    public Stamp(Instant deleteTime, @Nullable String rowId) {
        this(deleteTime, rowId, null);
    }

    /** The moment for a row. */
    public Instant of(JobExecutionStatus row) {
        return requestsUntil != null && row.author() != null ? requestsUntil : deleteTime;
    }
}
