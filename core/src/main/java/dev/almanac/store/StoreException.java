package dev.almanac.store;

/**
 * The store did not answer, or not in time: whether a write was applied is unknown. Nothing may be started on the basis
 * of such a write; repeating it is allowed, since every write is guarded and repeatable.
 */
public class StoreException extends RuntimeException {
    /** @param message what was not possible */
    public StoreException(String message) {
        super(message);
    }

    /** @param message the operation and the failure, without credentials */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
