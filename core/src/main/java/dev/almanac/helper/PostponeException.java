package dev.almanac.helper;

import java.time.Instant;
import java.util.Objects;

/**
 * Postpones the fire; thrown by a helper, or the failure of its stage: the same fire is planned again, and
 * no attempt is used. A fire that was postponed as often as {@code SchedulerSettings.postponeLimit} allows fails
 * instead, as by any other exception.
 */
public class PostponeException extends RuntimeException {
    private final transient Instant until;

    /**
     * @param until when the fire is to run; an instant less than a second after the end of the run is moved to that
     * @param reason why, for people; stored on the status row
     */
    public PostponeException(Instant until, String reason) {
        super(reason);
        this.until = Objects.requireNonNull(until, "until");
    }

    /** When the fire is to run. */
    public Instant until() {
        return until;
    }
}
