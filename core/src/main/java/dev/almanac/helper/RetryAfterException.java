package dev.almanac.helper;

import java.time.Duration;

/**
 * Thrown by a helper to set the delay of the retry in place of the retry policy's (rule R5). Without a retry left, as without
 * a policy, there is none.
 */
public class RetryAfterException extends RuntimeException {
    private final Duration delay;

    /** @param delay zero or more, counted from the end of the attempt */
    public RetryAfterException(Duration delay, String message) {
        super(message);
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay " + delay + " is negative");
        }
        this.delay = delay;
    }

    /** The delay of the retry, counted from the end of the attempt. */
    public Duration delay() {
        return delay;
    }
}
