package dev.almanac.store;

/**
 * The server refuses a write for good, such as by a validator of the collection: the same write will be refused again.
 * Of several changes in one write some may have been applied.
 */
public final class WriteRefusedException extends StoreException {
    /** @param message what was asked of the store and the server's reason, without credentials */
    public WriteRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
