package dev.almanac.helper;

/** The node no longer holds the lease of a run; another node may be running the job. */
public final class LeaseLostException extends RuntimeException {
    /** @param jobSpecificationKey the job whose lease is lost */
    public LeaseLostException(String jobSpecificationKey) {
        super("the lease of job '" + jobSpecificationKey + "' is lost; stop, another node may be running it");
    }
}
