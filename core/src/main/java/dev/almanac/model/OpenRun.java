package dev.almanac.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run of this node that has not ended, at one moment.
 *
 * @param jobSpecificationKey the key of the job
 * @param commandType registered name of its command
 * @param fireTime planned instant of the fire; absent for a manual run of a job without a plan
 * @param handedOver when it came to its present stage, by the server's clock: given to the executor, claimed if the
 *     place is DECISION, its end decided if the place is WRITE
 * @param started when the helper was called; absent if the executor has not called it yet
 * @param toldToStop when it was first asked to stop: by its timeout, a lost lease, a user or a shutdown; absent if it
 *     was not
 * @param executionTimeout how long it may take; absent = no limit
 * @param place where it is
 * @param thread name of the thread that is inside the helper, or # and its number if it has no name; absent unless
 *     {@code place} is THREAD
 * @param stack what that thread is doing, innermost first, at most 40 frames and 4 000 characters; empty unless
 *     {@code place} is THREAD and the run counts as stuck
 * @param progress the progress that the helper reported last, its message cut to 200 characters; absent if it reported
 *     none
 */
public record OpenRun(
        String jobSpecificationKey,
        String commandType,
        @Nullable Instant fireTime,
        Instant handedOver,
        @Nullable Instant started,
        @Nullable Instant toldToStop,
        @Nullable Duration executionTimeout,
        Place place,
        @Nullable String thread,
        String stack,
        @Nullable String progress) {
    private static final int LONGEST_PROGRESS = 200;

    /** Cuts the progress note to its limit. */
    public OpenRun {
        if (progress != null && progress.length() > LONGEST_PROGRESS) {
            progress = progress.substring(0, LONGEST_PROGRESS - 1) + "…";
        }
    }

    /** Where a run is. */
    public enum Place {
        /** It is claimed, and was not given to the executor: what to do with it is being decided. */
        DECISION,
        /** The executor has it and has not called the helper yet. */
        EXECUTOR,
        /** A thread is inside the helper. */
        THREAD,
        /** The helper has returned; the stage that it returned is pending, and no thread is known to work on it. */
        STAGE,
        /** Its code has ended, or it is not to be called: what follows is being decided or written. */
        WRITE
    }
}
