package dev.almanac.engine.node;

import dev.almanac.runtime.Lane;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A step that is repeated while it is needed, and costs nothing else. Each turn is planned anew, which may fail (rule X2):
 * so only for what is an improvement, such as an early reading. Thread-safe.
 */
public final class RepeatedWhile {
    private final Lane lane;
    private final Duration interval;
    private final BooleanSupplier needed;
    private final Runnable work;
    private final ContainedFailures failures;
    private final String what;
    private final AtomicBoolean planned = new AtomicBoolean();

    /**
     * @param interval before each turn
     * @param needed asked at each turn: if not, the repetition ends
     * @param what names the step, for messages
     */
    public RepeatedWhile(
            Lane lane,
            Duration interval,
            BooleanSupplier needed,
            Runnable work,
            ContainedFailures failures,
            String what) {
        this.lane = lane;
        this.interval = interval;
        this.needed = needed;
        this.work = work;
        this.failures = failures;
        this.what = what;
    }

    /** It is needed from now on: the first turn is after one interval. Throws nothing. */
    public void begin() {
        if (planned.compareAndSet(false, true)) {
            try {
                lane.after(interval, this::turn);
            } catch (RuntimeException | Error noMemory) {
                planned.set(false);
                failures.add(what, noMemory);
            }
        }
    }

    private void turn() {
        planned.set(false);
        if (needed.getAsBoolean()) {
            begin();
            work.run();
        }
    }
}
