package dev.almanac.store;

import dev.almanac.model.JobExecutionStatus;
import org.jspecify.annotations.Nullable;

/**
 * A job to be stored, and its first row.
 *
 * @param job the document; its {@code lastStatus} equals the row
 * @param row the SCHEDULED row; absent if it is written later, by {@link JobStore#writeRows}
 * @param life which life of its key the job is, 0 or more: of a key each life is stored once, so that an insert that
 *     arrives late, after its caller has asked again, does not bring back a job that has ended (rule N6); absent for a job
 *     whose id says as much, such as a follow-up
 */
public record NewJob(
        StoredJob job,
        @Nullable JobExecutionStatus row,
        @Nullable Integer life) {
    /** The id of the row of the creation of a job. */
    public static String creationOf(String jobId) {
        return jobId + ":0:0:v1";
    }

    /** Whether it is the row of the creation of its job. */
    public static boolean isCreation(JobExecutionStatus row) {
        return row.id().equals(creationOf(row.jobSpecificationId()));
    }

    /** A job whose id is made of what it follows from. */
    public NewJob(StoredJob job, @Nullable JobExecutionStatus row) {
        this(job, row, null);
    }

    /** The same without its row, which is written later. */
    public NewJob withoutRow() {
        return new NewJob(job, null, life);
    }

    /** The same job as that life of its key. */
    public NewJob inLife(int number) {
        return new NewJob(job, row, number);
    }
}
