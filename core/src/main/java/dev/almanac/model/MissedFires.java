package dev.almanac.model;

import java.time.Instant;

/**
 * Planned fires that passed without a run.
 *
 * @param first the earliest
 * @param last the latest
 * @param count how many, 1 or more; exact up to a million (rule S5)
 * @param more whether counting stopped at {@code count}, so that there were at least so many
 * @param reason why they are not run
 */
public record MissedFires(Instant first, Instant last, long count, boolean more, Reason reason) {
    /** Why fires that have passed are not run. */
    public enum Reason {
        /** A newer fire has passed, too, and is run instead. */
        NEWER,
        /** They are more than RUN_ALL runs. */
        CAP,
        /** Their start deadline is over. */
        TOO_LATE
    }

    /** Fires of which a newer one is run. */
    public MissedFires(Instant first, Instant last, long count, boolean more) {
        this(first, last, count, more, Reason.NEWER);
    }

    /** The count in words, such as {@code 3} or {@code at least 1000000}. */
    public String counted() {
        return (more ? "at least " : "") + count;
    }
}
