package dev.almanac.engine.kernel;

import dev.almanac.store.StoredJob;
import java.time.Duration;

/**
 * What one part of a node tells another against the direction of the calls. Each signal passes a hint and no decision: a
 * lost one only delays the work until the next look. None of them waits. Thread-safe.
 */
public interface Signals {
    /** A slot is free, and with it the one of the job's exclusive group. */
    void slotFreed(StoredJob job);

    /** A claim is held, so requests to interrupt are to be read. */
    void slotTaken();

    /** A job that was run here goes on, and may be due soon. */
    void goesOn(StoredJob job);

    /** A plan that was acknowledged is older than its calendars (rule N9). */
    void plannedLate(StoredJob job);

    /** This node cannot run the job, for the reason {@code why}, and leaves it to others for a while. */
    void leftToOthers(String id, Duration pause, String why);

    /** Another node has claimed jobs that this node tried to claim: the partitions are to be divided again. */
    void competed();

    /** Stored calendars were edited. */
    void calendarsEdited();

    /** Runs are to be interrupted, perhaps some of this node. */
    void interruptsAsked();
}
