package dev.almanac.web.read;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An answer that is cached for some time; while one thread reads it, the others wait. Thread-safe. */
final class CachedAnswer<T> {
    private final long nanosKept;
    private final LongSupplier nanos;
    private final Supplier<T> question;
    private @Nullable T answer;
    private long read;

    CachedAnswer(Duration time, LongSupplier nanos, Supplier<T> question) {
        this.nanosKept = time.toNanos();
        this.nanos = nanos;
        this.question = question;
    }

    synchronized T get() {
        T known = answer;
        if (known == null || nanos.getAsLong() - read >= nanosKept) {
            known = question.get();
            answer = known;
            read = nanos.getAsLong();
        }
        return known;
    }

    /** Drops the cached answer, after a change by this console. */
    synchronized void forget() {
        answer = null;
    }
}
