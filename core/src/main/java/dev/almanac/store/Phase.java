package dev.almanac.store;

/** What is to be run of a job. */
public enum Phase {
    /** The trigger command. */
    RUN,
    /** The failure command, after a fire that failed for good (rule P8). */
    FAILURE,
    /** Nothing: a run has ended, its follow-ups are to be stored, and then the job moves on. */
    FOLLOW
}
