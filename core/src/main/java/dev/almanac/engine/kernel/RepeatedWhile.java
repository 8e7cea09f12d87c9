package dev.almanac.engine.kernel;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A step that is repeated while it is needed, and costs nothing else. Thread-safe.
 */
public final class RepeatedWhile {
    private final Kernel kernel;
    private final Duration interval;
    private final BooleanSupplier needed;
    private final Runnable work;
    private final AtomicBoolean planned = new AtomicBoolean();

    /**
     * @param interval before each turn
     * @param needed asked at each turn: if not, the repetition ends
     */
    public RepeatedWhile(Kernel kernel, Duration interval, BooleanSupplier needed, Runnable work) {
        this.kernel = kernel;
        this.interval = interval;
        this.needed = needed;
        this.work = work;
    }

    /** The kernel begins again, and has dropped what was planned. */
    public void beginAgain() {
        planned.set(false);
        if (needed.getAsBoolean()) {
            begin();
        }
    }

    /** It is needed from now on: the first turn is after one interval. */
    public void begin() {
        if (planned.compareAndSet(false, true)) {
            try {
                kernel.after(interval, this::turn);
            } catch (RuntimeException | Error noMemory) {
                planned.set(false);
                throw noMemory;
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
