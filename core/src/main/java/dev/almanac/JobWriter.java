package dev.almanac;

import dev.almanac.engine.request.SessionWrites;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.StaleJobException;

/**
 * Schedules, changes and cancels jobs within a transaction of the caller: a commit applies all changes, an abort none.
 * Made by {@link Scheduler#in} for one attempt of one transaction, and used by the thread that runs it.
 *
 * <p>Exceptions of the database driver pass through as they are, so that the caller can see whether the transaction may
 * be tried again. After any exception, abort the transaction.
 */
public final class JobWriter {
    private final SessionWrites writes;
    private final JobViews views;

    JobWriter(SessionWrites writes, JobViews views) {
        this.writes = writes;
        this.views = views;
    }

    /**
     * Creates the job, or replaces the live one of its key and requestor.
     *
     * @return the job as it will be stored
     * @throws InvalidJobException with every problem of the specification; nothing was written
     * @throws dev.almanac.model.JobExistsException if the live job is that of another requestor; nothing was written
     */
    public Job scheduleJob(JobSpecification specification) {
        return scheduleJob(specification, IfExists.REPLACE);
    }

    /**
     * Creates the job, or handles the live one of its key as {@code ifExists} says.
     *
     * @return the job as it will be stored
     */
    public Job scheduleJob(JobSpecification specification, IfExists ifExists) {
        return views.of(writes.requests().schedule(specification, ifExists));
    }

    /**
     * Changes a live job. With a version in the specification it is a compare-and-set.
     *
     * @throws JobNotFoundException if there is no live job of the key
     * @throws StaleJobException if the version is not the stored one
     * @throws InvalidJobException with every problem of the specification
     */
    public Job updateJob(JobSpecification specification) {
        return views.of(writes.requests().update(specification));
    }

    /** Cancels a job; the result holds from the commit on. A run in progress continues to its end. */
    public CancelResult cancelJob(String jobSpecificationKey) {
        return cancelJob(jobSpecificationKey, CancelMode.LET_RUN);
    }

    /** Cancels a job; the result holds from the commit on. */
    public CancelResult cancelJob(String jobSpecificationKey, CancelMode mode) {
        return writes.requests().cancel(jobSpecificationKey, mode);
    }

    /**
     * To be called after the commit: emits the events, wakes this node for what is due soon, and has other nodes read
     * that runs are to be interrupted. Without this call the events are lost; the jobs are still found, by the next look
     * or a second later, and runs are interrupted with the next renewal of their leases.
     */
    public void committed() {
        writes.committed().run();
    }
}
