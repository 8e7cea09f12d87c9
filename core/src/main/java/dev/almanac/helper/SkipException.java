package dev.almanac.helper;

/**
 * Thrown by a helper that finds that it must not run now, or what its stage fails with: the fire is over, has neither failed
 * nor gone well, and uses no attempt. A recurring job goes on with its next fire, a one-off is finished.
 */
public class SkipException extends RuntimeException {
    /** @param reason why, for people; stands on the status row */
    public SkipException(String reason) {
        super(reason);
    }
}
