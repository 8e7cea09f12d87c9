package dev.almanac.helper;

/**
 * Skips the fire; thrown by a helper, or the failure of its stage: the fire is over, has neither failed nor succeeded,
 * and uses no attempt. A recurring job continues with its next fire, a one-off is finished.
 */
public class SkipException extends RuntimeException {
    /** @param reason why, for people; stored on the status row */
    public SkipException(String reason) {
        super(reason);
    }
}
