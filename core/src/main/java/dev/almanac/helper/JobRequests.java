package dev.almanac.helper;

import dev.almanac.model.BulkResult;
import dev.almanac.model.BulkScheduleException;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.IfExists;
import dev.almanac.model.IfRefused;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobExistsException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StaleJobException;
import java.util.List;
import java.util.Optional;

/**
 * Requests for single jobs: what a {@code Scheduler} offers to a service, and {@link Execution#scheduler} to a run. Each
 * takes effect at once. Thread-safe.
 *
 * <p>Every method may throw {@link dev.almanac.store.StoreException} if the store does not answer: what was asked for may have
 * been done or not. No repeated call harms the store. But a job may run once more than was meant, if what is repeated was done
 * and its run has ended: by {@link #runNow(String) runNow}, and by the scheduling of a one-off without {@link IfExists#ONCE}.
 * Look at {@code Scheduler.history} first, or use ONCE.
 */
public interface JobRequests {
    /**
     * Creates the job, or replaces the live one of its key and requestor. Equal contents change nothing: neither the
     * version nor the next fire nor a run in progress. A change of the command type, or one that replaces what a person has
     * changed, is logged as a warning and said in its row. Takes effect at once, also if the
     * caller has a transaction open that aborts later; {@code Scheduler.in} schedules within the transaction.
     *
     * @return the job as it is stored
     * @throws InvalidJobException with every problem of the specification; nothing was written
     * @throws JobExistsException if the live job of the key is that of another requestor; nothing was written
     */
    Job scheduleJob(JobSpecification specification);

    /**
     * Creates the job, or handles the live one of its key as {@code ifExists} says.
     *
     * @return the job as it is stored
     */
    Job scheduleJob(JobSpecification specification, IfExists ifExists);

    /**
     * Schedules many jobs with few round trips. Each item is decided on its own; a refused one does not stop the others.
     *
     * @return the result of each item, in order; all are stored
     * @throws BulkScheduleException after the last item, if one was refused; it has the result of every item
     */
    List<BulkResult> scheduleJobs(List<JobSpecification> specifications);

    /**
     * As {@link #scheduleJobs(List)}.
     *
     * @param ifRefused with REPORT, refused items are results with an error, and nothing is thrown for them
     */
    List<BulkResult> scheduleJobs(List<JobSpecification> specifications, IfRefused ifRefused);

    /**
     * Changes a live job. With a version in the specification it is a compare-and-set. After a change of the
     * schedule the newest fire that has passed and not begun runs with the new contents, and the new schedule continues from
     * now; changing anything else moves no fire.
     *
     * @throws JobNotFoundException if there is no live job of the key
     * @throws StaleJobException if the version is not the stored one
     * @throws InvalidJobException with every problem of the specification
     */
    Job updateJob(JobSpecification specification);

    /** Cancels a job; a run in progress continues to its end. */
    CancelResult cancelJob(String jobSpecificationKey);

    /** Cancels a job. After CANCELED was returned no run of it starts, on any node. */
    CancelResult cancelJob(String jobSpecificationKey, CancelMode mode);

    /** The live job of a key, else the one that finished last and has not expired yet. */
    Optional<Job> findJob(String jobSpecificationKey);

    /**
     * Pauses a job until it is resumed; the reason is that of the request, if it has one.
     *
     * @throws JobNotFoundException if there is no live job of the key
     */
    void pause(String jobSpecificationKey);

    /**
     * Ends the pause of a job; fires that passed meanwhile are missed fires.
     *
     * @return false if the job itself was not paused
     * @throws JobNotFoundException if there is no live job of the key
     */
    boolean resume(String jobSpecificationKey);

    /**
     * Runs a job once, now, in addition to its plan; if it is running, once more after that run, unless that is the
     * job's last. A run that is still to come stands for further calls; after it has begun, a repeated call runs the job once
     * more.
     *
     * @throws JobNotFoundException if there is no live job of the key
     * @throws InvalidJobException if the job is to be cancelled when its present run has ended, or if a run now with contents
     *     of its own has not ended yet
     */
    Job runNow(String jobSpecificationKey);

    /**
     * As {@link #runNow(String)}, this once with other contents: the job, its plan and its group stay as they are, and the
     * rows of the run have the contents. Such a run does not stand for another one: while one is to come or in progress,
     * further runs now are refused.
     *
     * @param contents of the type of the job's command
     * @throws JobNotFoundException if there is no live job of the key
     * @throws InvalidJobException if the contents are of another type, cannot be encoded or are too large, if a run now
     *     has not ended yet, or if the job is to be cancelled when its present run has ended
     */
    Job runNow(String jobSpecificationKey, SchedulingCommand contents);
}
