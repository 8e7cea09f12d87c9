package dev.almanac.store;

import dev.almanac.model.JobExecutionStatus;
import org.jspecify.annotations.Nullable;

/**
 * A job to be stored, and its first row.
 *
 * @param job the document; its {@code lastStatus} equals the row
 * @param row the SCHEDULED row; absent if it is written later, by {@link JobStore#writeRows}
 */
public record NewJob(StoredJob job, @Nullable JobExecutionStatus row) {}
