package dev.almanac.store;

/**
 * The store did not answer, or not in time: whether a write was applied is unknown. Nothing may be started on the
 * strength of such a write; asking again is allowed, since every write is guarded and repeatable.
 */
public class StoreException extends RuntimeException {
    /** @param message what was asked of the store and what happened, without credentials */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
