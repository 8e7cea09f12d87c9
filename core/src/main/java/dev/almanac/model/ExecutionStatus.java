package dev.almanac.model;

/** The state of a job after a status row was written. */
public enum ExecutionStatus {
    /** Will run, and may have run before. */
    SCHEDULED,
    /** Has run and will not run again. */
    TRIGGERED,
    /** Was scheduled and will not be activated. */
    CANCELED,
    /** The fire failed for good; a recurring job continues with its next fire. */
    FAILED
}
