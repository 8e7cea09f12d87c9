package dev.almanac.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a job is doing, in one word: derived from its document, the time, and the pauses of kinds of jobs, and used
 * wherever a state is shown or asked for (rule S21). contributing/lifecycle.md has the derivation as a table; where several
 * conditions hold, the first one of that table counts.
 */
public enum JobState {
    /** It waits for its next fire, a run that was asked for, or the moment to which its helper has postponed it. */
    SCHEDULED,
    /** An attempt of its fire has failed, and the next one is planned. */
    RETRYING,
    /** A fire has failed for good, and its failure command is still to be delivered. */
    OWING,
    /** A run has ended, and its follow-ups are being stored, or are to be; nothing runs. */
    STORING_FOLLOW_UPS,
    /**
     * A node holds a lease on it. Whether its helper has been called is not known: the document shows that only for jobs that
     * report progress, that have {@link CrashPolicy#FAIL}, or that exceed their timeout.
     */
    CLAIMED,
    /** A node holds a lease on it, and its helper has been called. */
    RUNNING,
    /** A lease on it is over without a recorded end; the next claim recovers it. */
    RECOVERING,
    /** A pause of the job or of its kind is in force; no node holds a lease on it. */
    PAUSED,
    /** It cannot run until a user repairs it. */
    BLOCKED,
    /** It is over, and its last fire did not fail; it may have been skipped or excluded, or have passed without a run. */
    SUCCEEDED,
    /** It is over, and its last fire failed for good. */
    FAILED,
    /** It was cancelled. */
    CANCELED;

    private static final Set<JobState> OVER = EnumSet.of(SUCCEEDED, FAILED, CANCELED);
    private static final Set<JobState> HELD = EnumSet.of(CLAIMED, RUNNING);

    /** Whether the job will not run again. */
    public boolean isFinished() {
        return OVER.contains(this);
    }

    /** Whether a run of it is under way, or about to begin. */
    public boolean isUnderWay() {
        return HELD.contains(this);
    }
}
