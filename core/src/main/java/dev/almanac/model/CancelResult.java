package dev.almanac.model;

/** The result of a cancel (rule M4). */
public enum CancelResult {
    /** The job will not fire again, and no run of it starts any more, on any node. */
    CANCELED,
    /** The present run continues (or was asked to stop); no later fire follows. */
    ALREADY_RUNNING,
    /** There is no live job of that key. */
    NOT_FOUND
}
