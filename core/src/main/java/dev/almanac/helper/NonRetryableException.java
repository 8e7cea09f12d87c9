package dev.almanac.helper;

/** Thrown by a helper if a retry would be useless: the fire fails for good at once (rule R5). */
public class NonRetryableException extends RuntimeException {
    /** @param message why */
    public NonRetryableException(String message) {
        super(message);
    }

    /** @param message why */
    public NonRetryableException(String message, Throwable cause) {
        super(message, cause);
    }
}
