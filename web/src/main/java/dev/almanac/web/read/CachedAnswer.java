package dev.almanac.web.read;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is cached for some time. While one thread reads it, the others wait; if it cannot be read, they learn
 * that with the first one, and do not ask one after the other. Thread-safe.
 */
final class CachedAnswer<T> {
    private final long nanosKept;
    private final LongSupplier nanos;
    private final Supplier<T> question;
    private @Nullable T answer;
    private long read;
    private @Nullable CompletableFuture<T> reading;

    CachedAnswer(Duration time, LongSupplier nanos, Supplier<T> question) {
        this.nanosKept = time.toNanos();
        this.nanos = nanos;
        this.question = question;
    }

    T get() {
        CompletableFuture<T> shared;
        boolean mine = false;
        synchronized (this) {
            T known = answer;
            if (known != null && nanos.getAsLong() - read < nanosKept) {
                return known;
            }
            mine = reading == null;
            shared = mine ? new CompletableFuture<>() : reading;
            reading = shared;
        }
        if (mine) {
            ask(shared);
        }
        return result(shared);
    }

    private void ask(CompletableFuture<T> shared) {
        try {
            T known = question.get();
            synchronized (this) {
                // an answer from before a change of this console is not kept
                if (reading == shared) {
                    answer = known;
                    read = nanos.getAsLong();
                    reading = null;
                }
            }
            shared.complete(known);
        } catch (RuntimeException | Error failed) {
            synchronized (this) {
                if (reading == shared) {
                    reading = null;
                }
            }
            shared.completeExceptionally(failed);
        }
    }

    private static <T> T result(CompletableFuture<T> shared) {
        try {
            return shared.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failed) {
                throw failed;
            }
            throw e;
        }
    }

    /** Drops the cached answer, after a change by this console. */
    synchronized void forget() {
        answer = null;
        reading = null;
    }
}
