package dev.almanac.model;

import dev.almanac.text.Printable;

/** An operation named a job that is not live: never scheduled, finished, or cancelled. Nothing was written. */
public final class JobNotFoundException extends RuntimeException {
    /** @param jobSpecificationKey the key that was asked for */
    public JobNotFoundException(String jobSpecificationKey) {
        super("no live job '" + Printable.value(jobSpecificationKey)
                + "': it was never scheduled, has finished, or was cancelled");
    }
}
