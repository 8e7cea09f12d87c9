package dev.almanac.helper;

import java.time.Instant;
import java.util.Objects;

/**
 * Thrown by a helper that finds that it must run later, or what its stage fails with: the same fire is planned again, and
 * no attempt is used. A fire that was postponed as often as {@code SchedulerSettings.postponeLimit} allows fails
 * instead, as by any other exception.
 */
public class PostponeException extends RuntimeException {
    private final transient Instant until;

    /**
     * @param until when the fire shall run; one that is not a second away by then is moved there
     * @param reason why, for people; stands on the status row
     */
    public PostponeException(Instant until, String reason) {
        super(reason);
        this.until = Objects.requireNonNull(until, "until");
    }

    /** When the fire shall run. */
    public Instant until() {
        return until;
    }
}
