package dev.almanac.engine.claim;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What is asked of the store again and again, one call at a time (rule X2). This is the one place that notes that a
 * call is under way, and that it is over, whatever was thrown. An answer that comes after its limit is dropped: by then
 * the next call may have been made. After a failure there is a pause. Confined to the claim lane.
 */
final class SingleCall<T> {
    private final String what;
    private final StoreCalls calls;
    private final LongSupplier nanos;
    private boolean underWay;
    private int number;
    private long notBeforeNanos;

    /** @param what is asked, for messages */
    SingleCall(String what, StoreCalls calls, LongSupplier nanos) {
        this.what = what;
        this.calls = calls;
        this.nanos = nanos;
        this.notBeforeNanos = nanos.getAsLong();
    }

    boolean mayBeAsked() {
        return untilAsked() == 0;
    }

    /** For how long it is not to be asked; the end of a call that is under way is told. */
    long untilAsked() {
        return underWay ? Long.MAX_VALUE : Math.max(0, notBeforeNanos - nanos.getAsLong());
    }

    /**
     * Asks, if it may be asked.
     *
     * @param answered is told the answer if it comes within the limit
     * @param over is notified after that, or after a failure, or when the limit is over
     */
    void ask(Supplier<T> call, Consumer<T> answered, Runnable over) {
        if (!mayBeAsked()) {
            return;
        }
        underWay = true;
        int mine = ++number;
        calls.ask(
                what,
                call,
                StoreCalls.end(
                        answer -> end(mine, Duration.ZERO, () -> answered.accept(answer), over),
                        pause -> end(mine, pause, () -> {}, over),
                        () -> end(mine, Duration.ZERO, () -> {}, over)));
    }

    private void end(int which, Duration pause, Runnable answered, Runnable over) {
        if (which != number || !underWay) {
            return;
        }
        underWay = false;
        notBeforeNanos = nanos.getAsLong() + pause.toNanos();
        try {
            answered.run();
        } finally {
            over.run();
        }
    }
}
