package dev.almanac.engine.port;

/** How far a node has come. */
public enum Stage {
    /** Schedules jobs and runs none. */
    NEW,
    /** Reports itself; once rehydrated, it claims and runs jobs. */
    STARTED,
    /** Claims nothing any more. */
    DRAINED,
    /** Its threads have ended. */
    CLOSED
}
