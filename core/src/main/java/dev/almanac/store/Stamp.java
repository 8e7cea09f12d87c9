package dev.almanac.store;

import dev.almanac.model.JobExecutionStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Sets the {@code deleteTime} of rows after a change was applied (rule M6).
 *
 * @param deleteTime when they are removed
 * @param rowId the one row; absent = every row of the job
 * @param kind which {@code deleteTime} a row keeps that has one already
 * @param requestsUntil used in place of {@code deleteTime} for rows with an author, if every row is stamped; absent =
 *     as the others
 */
public record Stamp(
        Instant deleteTime,
        @Nullable String rowId,
        Kind kind,
        @Nullable Instant requestsUntil) {
    /** Which {@code deleteTime} a row keeps. A row that has none gets that of the stamp, for every kind. */
    public enum Kind {
        /** The one that it has. */
        FIRST,
        /** The earlier of the two. */
        EARLIER,
        /** The later of the two. */
        LATER
    }

    /** For rows that have no {@code deleteTime} yet. */
    public Stamp(Instant deleteTime, @Nullable String rowId) {
        this(deleteTime, rowId, Kind.FIRST);
    }

    /** The same moment for all. */
    public Stamp(Instant deleteTime, @Nullable String rowId, Kind kind) {
        this(deleteTime, rowId, kind, null);
    }

    /** Whether it is for the row. */
    public boolean isFor(String id) {
        return rowId == null || rowId.equals(id);
    }

    /** When the row is removed after the stamp. */
    public Instant over(JobExecutionStatus row) {
        Instant present = row.deleteTime();
        boolean request = requestsUntil != null && row.author() != null;
        Instant given = request ? requestsUntil : deleteTime;
        if (present == null) {
            return given;
        }
        return switch (kind) {
            case FIRST -> present;
            case EARLIER -> present.isBefore(given) ? present : given;
            case LATER -> present.isAfter(given) ? present : given;
        };
    }
}
