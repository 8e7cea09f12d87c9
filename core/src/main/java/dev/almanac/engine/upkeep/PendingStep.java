package dev.almanac.engine.upkeep;

import dev.almanac.runtime.Lane;
import java.util.concurrent.atomic.AtomicBoolean;

/** A step that waits for its lane once at most. A lane that does not take it leaves nothing behind (rule X2). Thread-safe. */
final class PendingStep {
    private final Lane lane;
    private final AtomicBoolean waits = new AtomicBoolean();

    PendingStep(Lane lane) {
        this.lane = lane;
    }

    /** Does nothing while an earlier one waits; throws what the lane throws that has no thread. */
    void run(Runnable step) {
        if (waits.compareAndSet(false, true)) {
            try {
                lane.run(() -> {
                    waits.set(false);
                    step.run();
                });
            } catch (RuntimeException | Error noThread) {
                waits.set(false);
                throw noThread;
            }
        }
    }
}
