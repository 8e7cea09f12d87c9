package dev.almanac.engine.run;

import dev.almanac.engine.node.Reachability;
import dev.almanac.store.StoreException;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;

/**
 * The failed tries of one write of a held job: what follows a failure, and when (rules X2, X9). Used by one step at a
 * time.
 */
final class Tries {
    private static final long LONGEST_PAUSE_MILLIS = 5_000;
    private static final Duration AFTER_ERROR = Duration.ofSeconds(1);

    /** After more than five exceptions, with pauses of three seconds in all, or ten Errors, in half a minute. */
    private static final int MOST_UNEXPECTED = 10;

    private int failures;
    private int unexpected;

    /** Whether the write was tried before. */
    boolean isRepeated() {
        return failures > 0;
    }

    /**
     * Whether the write is tried no more: the server refuses it for good, or it fails again and again with what is no
     * unknown outcome. Counts the failure; an Error, which may be a want of memory that passes, counts half.
     */
    boolean isOver(Throwable failure) {
        if (failure instanceof StoreException) {
            return failure instanceof WriteRefusedException;
        }
        unexpected += failure instanceof Error ? 1 : 2;
        return unexpected > MOST_UNEXPECTED;
    }

    /** How long to wait after a failure, at least. */
    static Duration least(Throwable failure, String kind, Reachability reachability) {
        if (failure instanceof WriteRefusedException) {
            reachability.answered(kind);
            return Duration.ZERO;
        }
        if (failure instanceof StoreException unknown) {
            return reachability.unanswered(kind, unknown);
        }
        return failure instanceof Error ? AFTER_ERROR : Duration.ZERO;
    }

    /** The pause before the next try, which grows. */
    Duration next(Duration least) {
        long own = Math.min(50L << Math.min(++failures, 8), LONGEST_PAUSE_MILLIS);
        return Duration.ofMillis(Math.max(own, least.toMillis()));
    }
}
