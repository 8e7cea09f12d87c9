package dev.almanac.store;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import java.time.Instant;

/**
 * How long stored rows of a job are kept at most, once it ends or moves long before the moment for which they were made
 * (rule N5). One statement after the change, which may be lost: then such rows are kept longer.
 *
 * @param ordinary for rows that record neither a failure nor a request
 * @param longest for all
 */
public record RowLimit(Instant ordinary, Instant longest) {
    /** When the row is removed with this limit. */
    public Instant of(JobExecutionStatus row) {
        Instant end = isFailure(row) || row.author() != null ? longest : ordinary;
        Instant born = row.deleteTime();
        return born == null || born.isAfter(end) ? end : born;
    }

    /** Whether it records that a fire or an attempt has failed, and is kept as long as failures are. */
    public static boolean isFailure(JobExecutionStatus row) {
        return row.executionStatus() == ExecutionStatus.FAILED || row.outcome() == Outcome.ATTEMPT_FAILED;
    }
}
