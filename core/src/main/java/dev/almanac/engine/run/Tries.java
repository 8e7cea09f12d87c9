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

    /** After so many, with pauses of three seconds in all, a failure counts as one of the write. */
    private static final int MOST_UNEXPECTED = 5;

    private int failures;
    private int unexpected;

    /** Whether the write was tried before. */
    boolean isRepeated() {
        return failures > 0;
    }

    /**
     * Whether the write is refused for good: the server says so, or it fails again and again with what is neither an
     * unknown outcome nor a failure of this process. Counts the failure.
     */
    boolean isRefused(Throwable failure) {
        if (failure instanceof StoreException || failure instanceof Error) {
            return failure instanceof WriteRefusedException;
        }
        return ++unexpected > MOST_UNEXPECTED;
    }

    /** How long to wait after a failure, at least. */
    static Duration least(Throwable failure, String during, Reachability reachability) {
        if (failure instanceof WriteRefusedException) {
            reachability.answered();
            return Duration.ZERO;
        }
        if (failure instanceof StoreException unknown) {
            return reachability.failed(during, unknown);
        }
        return failure instanceof Error ? AFTER_ERROR : Duration.ZERO;
    }

    /** The pause before the next try, which grows. */
    Duration next(Duration least) {
        long own = Math.min(50L << Math.min(++failures, 8), LONGEST_PAUSE_MILLIS);
        return Duration.ofMillis(Math.max(own, least.toMillis()));
    }
}
