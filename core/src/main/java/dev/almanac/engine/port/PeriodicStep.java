package dev.almanac.engine.port;

import dev.almanac.runtime.Lane;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A step that is repeated on a lane until it is stopped. Nothing that it throws ends the repetition. The lane repeats it:
 * nothing is planned for each turn, which could fail (rule X2).
 */
public final class PeriodicStep {
    private final Lane lane;
    private final Duration interval;
    private final Runnable work;
    private volatile boolean active;
    private volatile Lane.@Nullable Alarm repetition;

    /** @param interval from the end of one step to the start of the next */
    public PeriodicStep(Lane lane, Duration interval, Runnable work) {
        this.lane = lane;
        this.interval = interval;
        this.work = work;
    }

    /** Starts with the first step after one interval. */
    public void start() {
        active = true;
        repetition = lane.every(interval, this::step);
    }

    /** Starts with the first step now, on this thread. */
    public void startAtOnce() {
        active = true;
        try {
            step();
        } finally {
            if (active) {
                repetition = lane.every(interval, this::step);
            }
        }
    }

    public void stop() {
        active = false;
        Lane.Alarm last = repetition;
        if (last != null) {
            last.cancel();
        }
    }

    public boolean isActive() {
        return active;
    }

    private void step() {
        if (active) {
            work.run();
        }
    }
}
