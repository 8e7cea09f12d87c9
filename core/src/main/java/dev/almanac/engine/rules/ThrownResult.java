package dev.almanac.engine.rules;

import dev.almanac.helper.NonRetryableException;
import dev.almanac.helper.PostponeException;
import dev.almanac.helper.SkipException;
import dev.almanac.model.ErrorSummary;
import dev.almanac.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The results of runs that ended with an exception, thrown by the helper or by its stage. Pure functions. */
public final class ThrownResult {
    /** The shortest postponement. */
    static final Duration SOONEST = Duration.ofSeconds(1);

    private static final int DEEPEST = 10;

    private ThrownResult() {}

    /** The error in the rows of a run that has exceeded its timeout. */
    public static ErrorSummary timeout(@Nullable Duration timeout) {
        return ErrorSummary.of(new TimeoutException("the run did not end within its executionTimeout of " + timeout));
    }

    /** The exception without the wrappers that stages add to it. */
    public static Throwable unwrap(Throwable thrown) {
        Throwable inner = thrown;
        for (int i = 0; i < DEEPEST && inner instanceof CompletionException && inner.getCause() != null; i++) {
            inner = inner.getCause();
        }
        return inner;
    }

    /** @param error not wrapped */
    public static RunResult.Kind kind(Throwable error) {
        if (error instanceof SkipException) {
            return RunResult.Kind.SKIPPED;
        } else if (error instanceof PostponeException) {
            return RunResult.Kind.POSTPONED;
        }
        return error instanceof NonRetryableException ? RunResult.Kind.FAILED_FOR_GOOD : RunResult.Kind.FAILED;
    }

    /**
     * The result with reason and time of a skip or postponement in place of an error. The time is bounded here, by the
     * end of the run, so that deciding again gives the same.
     */
    public static RunResult putOff(RunResult result, Throwable error) {
        boolean postponed = result.kind() == RunResult.Kind.POSTPONED;
        if (!postponed && result.kind() != RunResult.Kind.SKIPPED) {
            return result;
        }
        Instant until = postponed && error instanceof PostponeException later
                ? within(later.until(), result.endedTime())
                : null;
        String reason = new ErrorSummary("", error.getMessage(), null).message();
        RunResult.Left left =
                new RunResult.Left(result.left().state(), result.left().note(), reason, until);
        return new RunResult(
                result.kind(),
                result.startedTime(),
                result.endedTime(),
                result.asked(),
                result.overThreshold(),
                null,
                null,
                left);
    }

    private static Instant within(Instant wanted, Instant ended) {
        Instant soonest = ended.plus(SOONEST);
        Instant latest = ended.plus(RetryPolicy.LONGEST);
        Instant until = wanted.isBefore(soonest) ? soonest : wanted.isAfter(latest) ? latest : wanted;
        return until.truncatedTo(ChronoUnit.MILLIS);
    }
}
