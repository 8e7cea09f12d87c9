package dev.almanac.engine.node;

/** How far a node has come. */
public enum Stage {
    /** It schedules jobs and runs none. */
    NEW,
    /** It reports itself; once rehydrated, it claims and runs. */
    STARTED,
    /** It claims no more. */
    DRAINED,
    /** Its threads have ended. */
    CLOSED
}
