package dev.almanac.store;

/**
 * The store cannot be used, for example because of a missing index or an unknown schema version; the message says what
 * to do.
 */
public class StoreRefusedException extends RuntimeException {
    /** @param message what is wrong and the command that repairs it */
    public StoreRefusedException(String message) {
        super(message);
    }
}
