package dev.almanac.spring;

import dev.almanac.Scheduler;
import dev.almanac.model.CancelResult;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;

/**
 * Schedules, changes and cancels jobs in the transaction that Spring has begun in MongoDB, so that they are stored with the
 * data they are about, or not at all. Where no transaction is active, each call takes effect by itself, as those of
 * {@link Scheduler} do. Thread-safe.
 */
public interface TransactionalScheduler {
    /** As {@link Scheduler#scheduleJob(JobSpecification)}. */
    Job scheduleJob(JobSpecification specification);

    /** As {@link Scheduler#updateJob(JobSpecification)}. */
    Job updateJob(JobSpecification specification);

    /** As {@link Scheduler#cancelJob(String)}. */
    CancelResult cancelJob(String jobSpecificationKey);
}
