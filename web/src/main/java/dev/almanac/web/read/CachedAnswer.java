package dev.almanac.web.read;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An answer that is asked for again only after a while; one asks, the others wait for its answer. Thread-safe. */
final class CachedAnswer<T> {
    private final long nanosKept;
    private final LongSupplier nanos;
    private final Supplier<T> question;
    private @Nullable T answer;
    private long asked;

    CachedAnswer(Duration time, LongSupplier nanos, Supplier<T> question) {
        this.nanosKept = time.toNanos();
        this.nanos = nanos;
        this.question = question;
    }

    synchronized T get() {
        T known = answer;
        if (known == null || nanos.getAsLong() - asked >= nanosKept) {
            known = question.get();
            answer = known;
            asked = nanos.getAsLong();
        }
        return known;
    }

    /** The next one who asks gets a new answer: something was changed here. */
    synchronized void forget() {
        answer = null;
    }
}
