package dev.almanac.runtime;

import java.time.Duration;

/** Runs steps one after the other, or a few at a time. Thread-safe. */
public interface Lane {
    /** Runs the step as soon as there is room. A step that throws is logged; other steps are not affected. */
    void run(Runnable step);

    /** Runs the step after a delay; zero or less = at once. The step is never run early. */
    Alarm after(Duration delay, Runnable step);

    /**
     * Repeats the step until it is cancelled; nothing that it throws ends the repetition, nor does a lack of memory while
     * it goes on.
     *
     * @param interval before the first step, and from the end of one to the start of the next; more than zero
     */
    Alarm every(Duration interval, Runnable step);

    /** A step that waits for its time. */
    interface Alarm {
        /** Cancels the step if it has not begun, and its repetition. */
        void cancel();
    }
}
