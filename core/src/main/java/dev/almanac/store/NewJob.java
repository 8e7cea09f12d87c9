package dev.almanac.store;

import dev.almanac.model.JobExecutionStatus;

/**
 * A job to be stored, and its first row.
 *
 * @param job the document; its {@code lastStatus} equals the row
 * @param row the SCHEDULED row
 */
public record NewJob(StoredJob job, JobExecutionStatus row) {}
