package dev.almanac.model;

import dev.almanac.text.Printable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The key of a job that was to be scheduled is taken by a live job: with {@link IfExists#FAIL} by any, otherwise by one of
 * another requestor (rule S11). Nothing was written.
 */
public final class JobExistsException extends RuntimeException {
    private final String jobSpecificationKey;
    private final @Nullable String requestor;
    private final @Nullable String given;

    /**
     * @param jobSpecificationKey the key that is taken
     * @param requestor of the live job
     * @param given the requestor of the job that was to be scheduled
     */
    public JobExistsException(String jobSpecificationKey, @Nullable String requestor, @Nullable String given) {
        super(text(jobSpecificationKey, requestor, given));
        this.jobSpecificationKey = jobSpecificationKey;
        this.requestor = requestor;
        this.given = given;
    }

    private static String text(String key, @Nullable String requestor, @Nullable String given) {
        String job = "a live job " + quoted(key) + " of requestor " + quoted(requestor);
        return Objects.equals(requestor, given)
                ? job + " exists already; update it, or schedule with REPLACE or KEEP"
                : job + " exists already, and was not replaced by the job of requestor " + quoted(given)
                        + "; use another key, or IfExists.TAKE_OVER if it is to become a job of that requestor";
    }

    private static String quoted(@Nullable String text) {
        return "'" + Printable.value(text) + "'";
    }

    /** The key that is taken. */
    public String jobSpecificationKey() {
        return jobSpecificationKey;
    }

    /** The requestor of the live job. */
    public @Nullable String requestor() {
        return requestor;
    }

    /** The requestor of the job that was to be scheduled. */
    public @Nullable String givenRequestor() {
        return given;
    }
}
