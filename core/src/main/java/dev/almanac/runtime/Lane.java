package dev.almanac.runtime;

import java.time.Duration;

/** Runs steps one after the other, or a few at a time. Thread-safe. */
public interface Lane {
    /** Runs the step as soon as there is room. A step that throws is logged; other steps are not affected. */
    void run(Runnable step);

    /** Runs the step after a delay; zero or less = at once. The step is never run early. */
    Alarm after(Duration delay, Runnable step);

    /** A step that waits for its time. */
    interface Alarm {
        /** Cancels the step if it has not begun. */
        void cancel();
    }
}
