package dev.almanac.engine.node;

import dev.almanac.runtime.Lane;
import java.time.Duration;

/** A step that is repeated on a lane until it is stopped. An exception does not end the repetition. */
public final class PeriodicStep {
    private final Lane lane;
    private final Duration interval;
    private final Runnable work;
    private volatile boolean active;

    /** @param interval from the end of one step to the start of the next */
    public PeriodicStep(Lane lane, Duration interval, Runnable work) {
        this.lane = lane;
        this.interval = interval;
        this.work = work;
    }

    /** Starts with the first step after one interval. */
    public void start() {
        active = true;
        lane.after(interval, this::step);
    }

    /** Starts with the first step now, on this thread. */
    void startAtOnce() {
        active = true;
        step();
    }

    public void stop() {
        active = false;
    }

    boolean isActive() {
        return active;
    }

    private void step() {
        if (!active) {
            return;
        }
        try {
            work.run();
        } finally {
            if (active) {
                lane.after(interval, this::step);
            }
        }
    }
}
