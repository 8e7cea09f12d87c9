package dev.almanac.model;

/** What a cancel does to a run in progress. */
public enum CancelMode {
    /** The present run continues to its end. */
    LET_RUN,
    /** The present run is interrupted, on whichever node it runs. */
    INTERRUPT
}
