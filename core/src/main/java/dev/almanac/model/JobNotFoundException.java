package dev.almanac.model;

import dev.almanac.text.Printable;

/** An operation named a job that is not live: never scheduled, finished, or cancelled. Nothing was written. */
public final class JobNotFoundException extends RuntimeException {
    /** @param jobSpecificationKey the key that was asked for */
    public JobNotFoundException(String jobSpecificationKey) {
        this(jobSpecificationKey, "no live job", ": it was never scheduled, has finished, or was cancelled");
    }

    private JobNotFoundException(String key, String before, String after) {
        super(before + " '" + Printable.value(key) + "'" + after);
    }

    /** Of a job that was named by its document, and whose key another job has by now. */
    public static JobNotFoundException replaced(String jobSpecificationKey) {
        return new JobNotFoundException(
                jobSpecificationKey, "job", " was not changed: it has ended, and another job has this key now");
    }
}
