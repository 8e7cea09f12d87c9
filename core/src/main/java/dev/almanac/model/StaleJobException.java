package dev.almanac.model;

import dev.almanac.text.Printable;

/** A request named a version that is no longer the stored one; nothing was written. Read the job again and decide again. */
public final class StaleJobException extends RuntimeException {
    private final long expectedVersion;
    private final long storedVersion;

    /** Both versions, so that the caller sees how far behind it was. */
    public StaleJobException(String jobSpecificationKey, long expectedVersion, long storedVersion) {
        super("job '" + Printable.value(jobSpecificationKey) + "' was not changed: the request expects version "
                + expectedVersion + ", stored is version " + storedVersion + "; read the job again and decide again");
        this.expectedVersion = expectedVersion;
        this.storedVersion = storedVersion;
    }

    /** The version that the request named. */
    public long expectedVersion() {
        return expectedVersion;
    }

    /** The stored version. */
    public long storedVersion() {
        return storedVersion;
    }
}
