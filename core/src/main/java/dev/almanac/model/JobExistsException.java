package dev.almanac.model;

import dev.almanac.text.Printable;

/** A job was scheduled with {@link IfExists#FAIL} and its key is taken by a live job. Nothing was written. */
public final class JobExistsException extends RuntimeException {
    /** @param jobSpecificationKey the key that is taken */
    public JobExistsException(String jobSpecificationKey) {
        super("a live job '" + Printable.value(jobSpecificationKey)
                + "' exists already; update it, or schedule with REPLACE or KEEP");
    }
}
