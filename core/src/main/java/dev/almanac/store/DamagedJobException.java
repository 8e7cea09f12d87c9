package dev.almanac.store;

/** The document of a job cannot be read, such as after an edit by hand; the job stays stored until it is repaired. */
public final class DamagedJobException extends RuntimeException {
    private final transient DamagedJob job;

    /** @param job which document, and what is wrong with it */
    public DamagedJobException(DamagedJob job) {
        super("ALM-005 " + job.words() + " cannot be read: " + job.reason() + "; " + job.advice());
        this.job = job;
    }

    /** Which document, and what is wrong with it. */
    public DamagedJob job() {
        return job;
    }
}
