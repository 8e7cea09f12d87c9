package dev.almanac.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One fire of a recurrence and the nominal time it comes from, or a nominal time that comes to nothing.
 *
 * @param wantedTime the wall time that the expression names
 * @param nominalTime the instant of that wall time, after a clock change moved it; the end of the gap if it was lost
 * @param fireTime when it fires; absent if it does not
 * @param reason why
 * @param calendar index in the recurrence's calendars of the one that excludes the nominal time; -1 = none does
 * @param calendarName that calendar's description; empty if there is none
 */
public record FirePreview(
        LocalDateTime wantedTime,
        Instant nominalTime,
        @Nullable Instant fireTime,
        Reason reason,
        int calendar,
        String calendarName) {

    /** The most rows that a preview has. */
    public static final int MOST = 10_000;

    /** Checks that what is required is there. */
    public FirePreview {
        Objects.requireNonNull(wantedTime, "wantedTime");
        Objects.requireNonNull(nominalTime, "nominalTime");
        Objects.requireNonNull(reason, "reason");
    }

    /**
     * Checks how many rows are asked of a preview.
     *
     * @param rows 0 to 10 000
     * @throws IllegalArgumentException if it is not within that range
     */
    public static void checkRows(int rows) {
        if (rows < 0 || rows > MOST) {
            throw new IllegalArgumentException("rows must be 0 to " + MOST + ", not " + rows);
        }
    }

    /** Why a nominal fire is where it is. */
    public enum Reason {
        /** The wall clock shows the wanted time. */
        REGULAR,
        /** The wanted time lies in a gap; it fires at the gap's end. */
        MOVED_BY_GAP,
        /** The wanted time lies in a gap and is lost: by policy, or because three hours or more are missing. */
        LOST_IN_GAP,
        /** The wall clock shows the wanted time for the second time, which does not count. */
        SECOND_PASS_DROPPED,
        /** A calendar excludes the nominal time; it fires at another. */
        SHIFTED_BY_CALENDAR,
        /** A calendar excludes the nominal time; it does not fire, or another fire stands for it. */
        EXCLUDED,
        /** It would fire before {@code startAt} or after {@code endAt}. */
        OUT_OF_BOUNDS,
        /** It could start only after its start deadline, since its job is paused until then; only of stored jobs. */
        TOO_LATE,
        /**
         * A pause whose beginning or end is known holds it back: it starts when that ends, late, or has no fire time if a
         * later fire starts for it then, or the pause has no end; only of stored jobs.
         */
        PAUSED
    }
}
