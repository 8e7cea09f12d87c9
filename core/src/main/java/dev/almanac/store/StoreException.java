package dev.almanac.store;

/**
 * The store did not answer, or not in time: whether a write was applied is unknown. Nothing may be started on the basis
 * of such a write; repeating the same write is allowed, since every write is guarded and repeatable. A request to the scheduler
 * makes new writes, and may run a job once more: see {@link dev.almanac.helper.JobRequests}.
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
