package dev.almanac.web.page;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.StandingPause;
import dev.almanac.store.Lease;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.List;

/**
 * A state as a coloured word; the colour adds no information.
 *
 * @param tone good, bad, warn, info, hold or quiet
 */
record Chip(String text, String tone) {
    static Chip of(StoredJob job, List<StandingPause> pauses, Instant now) {
        Lease lease = job.lease();
        if (!job.isLive()) {
            return of(job.lastStatus().executionStatus());
        }
        if (job.blocked() != null) {
            return new Chip("blocked", "bad");
        }
        if (lease != null) {
            return lease.until().isAfter(now) ? new Chip("running", "info") : new Chip("lost, to recover", "warn");
        }
        if (job.requests().pause() != null || heldBy(job, pauses, now) != null) {
            return new Chip("paused", "hold");
        }
        if (job.plan().attempts() > 0) {
            return new Chip("retrying", "warn");
        }
        return of(job.lastStatus().executionStatus());
    }

    /** The pause of a kind of jobs that applies to this one. */
    static @org.jspecify.annotations.Nullable StandingPause heldBy(
            StoredJob job, List<StandingPause> pauses, Instant now) {
        return pauses.stream()
                .filter(pause -> pause.isInForce(now)
                        && pause.holds(job.specification(), job.command().type()))
                .findFirst()
                .orElse(null);
    }

    static Chip of(ExecutionStatus status) {
        return switch (status) {
            case SCHEDULED -> new Chip("scheduled", "quiet");
            case TRIGGERED -> new Chip("done", "good");
            case CANCELED -> new Chip("canceled", "quiet");
            case FAILED -> new Chip("failed", "bad");
        };
    }

    static Chip of(JobExecutionStatus row) {
        if (row.outcome() == Outcome.NONE) {
            return new Chip("planned", "quiet");
        }
        String text = row.outcome().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
        return new Chip(text, tone(row.outcome()));
    }

    private static String tone(Outcome outcome) {
        return switch (outcome) {
            case SUCCEEDED, FAILURE_DELIVERED -> "good";
            case ATTEMPT_FAILED, ABANDONED, MISSED, EXCLUDED, POSTPONED -> "warn";
            case RETRIES_EXHAUSTED, NON_RETRYABLE, CRASHED, EXPIRED, BLOCKED, FAILURE_UNDELIVERED -> "bad";
            default -> "quiet";
        };
    }
}
