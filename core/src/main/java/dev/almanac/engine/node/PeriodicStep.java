package dev.almanac.engine.node;

import dev.almanac.runtime.Lane;
import java.time.Duration;

/** Work of a duty that is done again and again on its lane, until it is stopped. What it throws ends nothing. */
public final class PeriodicStep {
    private final Lane lane;
    private final Duration interval;
    private final Runnable work;
    private volatile boolean active;

    /** @param interval from the end of one time to the begin of the next */
    public PeriodicStep(Lane lane, Duration interval, Runnable work) {
        this.lane = lane;
        this.interval = interval;
        this.work = work;
    }

    /** For the first time after an interval. */
    public void start() {
        active = true;
        lane.after(interval, this::step);
    }

    /** For the first time at once, on this thread. */
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
