package dev.almanac.engine.rules;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.JobExecutionStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended.
 *
 * @param kind what happened
 * @param startedTime when the helper was called, by the server's clock; absent if it was not
 * @param endedTime when it ended, by the server's clock
 * @param asked when a user asked for the run; absent = it was planned
 * @param overThreshold by how much the start was late; absent = not late
 * @param error what went wrong; absent if nothing did
 * @param retryAfter the delay that the helper requested; absent = by the retry policy
 * @param left what the run leaves behind
 */
public record RunResult(
        Kind kind,
        @Nullable Instant startedTime,
        Instant endedTime,
        @Nullable Instant asked,
        @Nullable Duration overThreshold,
        @Nullable ErrorSummary error,
        @Nullable Duration retryAfter,
        Left left) {

    /**
     * What a run leaves beside its result.
     *
     * @param state for the next run; absent if it set none
     * @param note the last message of its progress; absent if there was none
     * @param reason why it was skipped or postponed; absent if it was not
     * @param until when it shall run instead; absent unless it was postponed
     */
    public record Left(
            @Nullable Map<String, Object> state,
            @Nullable String note,
            @Nullable String reason,
            @Nullable Instant until) {
        /** The run has left nothing. */
        static final Left NOTHING = new Left(null, null, null, null);
    }

    public enum Kind {
        /** The helper's stage completed normally. */
        SUCCEEDED,
        /** The helper threw, its stage completed exceptionally, it timed out, or no helper supports the command. */
        FAILED,
        /** The helper said that trying again is of no use. */
        FAILED_FOR_GOOD,
        /** The helper said that it must not run now. */
        SKIPPED,
        /** The helper said that it must run later. */
        POSTPONED,
        /** This node is being shut down and interrupted the run. */
        SHUT_DOWN,
        /** The helper was never called; the claim is released. */
        UNSTARTED;

        /** Whether the helper was called and has not completed normally by itself. */
        boolean isAbnormal() {
            return this == FAILED || this == FAILED_FOR_GOOD || this == SKIPPED || this == POSTPONED;
        }
    }

    /** The failure of a run that was postponed once too often. */
    RunResult postponedTooOften(int times) {
        String message = "it was postponed " + times + " times, as often as postponeLimit allows: " + left.reason();
        ErrorSummary summary = new ErrorSummary("dev.almanac.helper.PostponeException", message, null);
        Left last = new Left(left.state(), left.note(), null, null);
        return new RunResult(Kind.FAILED, startedTime, endedTime, asked, overThreshold, summary, null, last);
    }

    /** Whether a user asked for the run. */
    boolean manual() {
        return asked != null;
    }

    private static boolean hasOwnDetail(Kind kind) {
        return kind == Kind.SKIPPED || kind == Kind.POSTPONED;
    }

    /** The result of the run whose end a row records. */
    static RunResult of(JobExecutionStatus row) {
        Kind kind = switch (row.outcome()) {
            case SUCCEEDED, FAILURE_DELIVERED -> Kind.SUCCEEDED;
            case ATTEMPT_FAILED -> Kind.FAILED;
            case SKIPPED -> Kind.SKIPPED;
            case POSTPONED -> Kind.POSTPONED;
            default -> Kind.FAILED_FOR_GOOD;
        };
        Duration retryAfter =
                row.nextFireTime() == null ? null : Duration.between(row.updatedTime(), row.nextFireTime());
        return new RunResult(
                kind,
                row.startedTime(),
                row.updatedTime(),
                row.manual() ? Objects.requireNonNullElse(row.fireTime(), row.updatedTime()) : null,
                row.overThreshold(),
                row.error(),
                retryAfter,
                new Left(row.state(), row.note(), hasOwnDetail(kind) ? row.detail() : null, row.nextFireTime()));
    }
}
