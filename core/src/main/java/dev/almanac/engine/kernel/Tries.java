package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.store.StoreException;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;

/**
 * The failed tries of one write of a held job: what follows a failure, and when (rules X2, X9). Used by one step at a
 * time.
 */
final class Tries {
    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final Duration AFTER_ERROR = Duration.ofSeconds(1);

    /** After more than five exceptions, with pauses of three seconds in all, or ten Errors, in half a minute. */
    private static final int MOST_UNEXPECTED = 10;

    private int failures;
    private int unexpected;

    /** Whether the write was tried before. */
    boolean isRepeated() {
        return failures > 0;
    }

    /** Counts a failure that is no unknown outcome. An Error, which may be a want of memory that passes, counts half. */
    void count(Throwable failure) {
        if (!(failure instanceof StoreException)) {
            unexpected += failure instanceof Error ? 1 : 2;
        }
    }

    /**
     * Whether the write is tried no more after that failure: the server refuses it for good, or it has failed again and
     * again with what is no unknown outcome.
     */
    boolean areOver(Throwable failure) {
        return failure instanceof StoreException
                ? failure instanceof WriteRefusedException
                : unexpected > MOST_UNEXPECTED;
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
        Duration own = PAUSE.after(++failures);
        return own.compareTo(least) > 0 ? own : least;
    }
}
