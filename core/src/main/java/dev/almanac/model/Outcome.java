package dev.almanac.model;

/** The state change that a status row records. */
public enum Outcome {
    /** Scheduled, updated, resumed: nothing has run. */
    NONE,
    /** The helper's stage completed normally. */
    SUCCEEDED,
    /** The run failed and a retry follows. */
    ATTEMPT_FAILED,
    /** The run failed and no retry is left. */
    RETRIES_EXHAUSTED,
    /** The run failed, and its helper reported that a retry is useless. */
    NON_RETRYABLE,
    /** The helper found that it must not run now; the fire is over. */
    SKIPPED,
    /** The helper found that it must run later; the same fire is planned again. */
    POSTPONED,
    /** A claim ended without a recorded outcome: its node died, hung or was cut off. */
    ABANDONED,
    /** A started run was abandoned and the job's crash policy forbids a second one. */
    CRASHED,
    /** The job's {@code endAt}, or the {@code startDeadline} of a one-off, passed before it could run. */
    EXPIRED,
    /** One or more planned fires passed without a run. */
    MISSED,
    /** A calendar excluded the fire at run time. */
    EXCLUDED,
    /**
     * The next fire was planned again, because zone rules or a calendar changed; or what follows a run was planned after its
     * end, or found to be nothing.
     */
    REPLANNED,
    /** The run exceeded its {@code executionTimeout}, was asked to end, and its code still runs. */
    TIMED_OUT,
    /** The job was cancelled. */
    CANCELED,
    /** The job was cancelled, and its run was interrupted for it. */
    INTERRUPTED,
    /** The job cannot be run, for the reason in {@code detail}; correct it with an update. */
    BLOCKED,
    /** The failure command was delivered. */
    FAILURE_DELIVERED,
    /** The failure command could not be delivered. */
    FAILURE_UNDELIVERED,
    /** A follow-up of the run that has ended was not stored, for the reason in {@code detail}; the job continues. */
    FOLLOW_UP_REFUSED,
    /** A user has acknowledged the failures of the job; nothing has run. */
    ACKNOWLEDGED,
    /** The job was paused, or is to be, by a user or after failures; nothing has run. */
    PAUSED
}
