package dev.almanac.store;

/** Which command of a job runs next. */
public enum Phase {
    /** The trigger command. */
    RUN,
    /** The failure command, after a fire that failed for good (rule P8). */
    FAILURE,
    /** None: a run has ended, its follow-ups are stored next, and then the job is completed. */
    FOLLOW
}
