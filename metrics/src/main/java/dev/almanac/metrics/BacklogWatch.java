package dev.almanac.metrics;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One number, or several of one question, as last counted in the store. Who reads it never waits for the store: a reading that
 * is old has it counted again, on another thread, for the next reader. While the store does not answer, nothing is known.
 *
 * @param <T> the answer
 */
final class BacklogWatch<T> {
    static final Duration FRESH = Duration.ofSeconds(15);

    private final Supplier<? extends T> source;
    private final Supplier<Long> nanos;
    private final Executor executor;
    private final AtomicBoolean counting = new AtomicBoolean();
    private volatile @Nullable T last;
    private volatile long countedNanos;
    private volatile boolean asking;

    BacklogWatch(Supplier<? extends T> source, Supplier<Long> nanos, Executor executor) {
        this.source = source;
        this.nanos = nanos;
        this.executor = executor;
        this.countedNanos = nanos.get();
    }

    /** Begins to count. */
    void begin() {
        asking = true;
        count();
    }

    /** Not a number as long as nothing is known. */
    double read(ToDoubleFunction<? super T> part) {
        if (nanos.get() - countedNanos >= FRESH.toNanos()) {
            count();
        }
        T known = last;
        return known == null ? Double.NaN : part.applyAsDouble(known);
    }

    /** Stops counting. */
    void end() {
        asking = false;
        last = null;
    }

    private void count() {
        if (asking && counting.compareAndSet(false, true)) {
            try {
                executor.execute(this::ask);
            } catch (RuntimeException | Error noThread) {
                // as if it were not asked yet: the next reading asks again
                counting.set(false);
            }
        }
    }

    private void ask() {
        T counted = null;
        try {
            counted = source.get();
        } catch (RuntimeException e) {
            // the node reports a store that does not answer; the value is unknown then
        } finally {
            last = asking ? counted : null;
            countedNanos = nanos.get();
            counting.set(false);
        }
    }
}
