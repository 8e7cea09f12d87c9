package dev.almanac.engine.kernel;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A repeated question to the store, of which one call at a time is under way (rule X2). An answer that comes after its time limit is dropped,
 * since the next call may have been made by then. After a failure there is a pause. The kernel's.
 */
final class SingleCall<T> {
    private final String what;
    private final StoreCalls calls;
    private final LongSupplier nanos;
    private boolean underWay;
    private int number;
    private long notBeforeNanos;

    /** @param what names the question, for messages */
    SingleCall(String what, StoreCalls calls, LongSupplier nanos) {
        this.what = what;
        this.calls = calls;
        this.nanos = nanos;
        this.notBeforeNanos = nanos.getAsLong();
    }

    boolean mayBeAsked() {
        return untilAsked() == 0;
    }

    /**
     * The time until the next call may be made; {@code Long.MAX_VALUE} while one is under way, since its end is
     * reported.
     */
    long untilAsked() {
        return underWay ? Long.MAX_VALUE : Math.max(0, notBeforeNanos - nanos.getAsLong());
    }

    /**
     * Asks, if it may be asked.
     *
     * @param answered receives the answer if it comes within the limit
     * @param over is notified after that, or after a failure, or when the limit is over
     */
    void ask(Supplier<T> call, Consumer<T> answered, Runnable over) {
        if (!mayBeAsked()) {
            return;
        }
        int started = ++number;
        StoreCalls.Outcome<T> outcome = StoreCalls.end(
                answer -> end(started, Duration.ZERO, () -> answered.accept(answer), over),
                pause -> end(started, pause, () -> {}, over),
                () -> end(started, Duration.ZERO, () -> {}, over));
        underWay = true;
        calls.ask(what, call, outcome);
    }

    private void end(int which, Duration pause, Runnable answered, Runnable over) {
        if (which != number || !underWay) {
            return;
        }
        underWay = false;
        notBeforeNanos = nanos.getAsLong() + pause.toNanos();
        answered.run();
        over.run();
    }
}
