package dev.almanac.web.page;

import dev.almanac.model.FireAccount;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobState;
import dev.almanac.model.Outcome;
import dev.almanac.model.StandingPause;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.time.Instant;
import java.util.List;

/**
 * A state as a coloured word; the colour adds no information.
 *
 * @param tone good, bad, warn, info, hold or quiet
 */
record Chip(String text, String tone) {
    static Chip of(StoredJob job, List<StandingPause> pauses, Instant now) {
        return of(job.stateAt(now, pauses));
    }

    private static Chip of(JobState state) {
        return new Chip(
                state.name(),
                switch (state) {
                    case SUCCEEDED -> "good";
                    case FAILED, BLOCKED -> "bad";
                    case RETRYING, OWING, RECOVERING -> "warn";
                    case CLAIMED, RUNNING, STORING_FOLLOW_UPS -> "info";
                    case PAUSED -> "hold";
                    case SCHEDULED, CANCELED -> "quiet";
                });
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

    static Chip of(JobExecutionStatus row) {
        return new Chip(words(row.outcome()), tone(row.outcome()));
    }

    /** What became of a planned fire; of a run how it ended. */
    static Chip of(FireAccount account) {
        Outcome outcome = account.outcome();
        return outcome == null ? of(account.kind()) : new Chip(words(outcome), tone(outcome));
    }

    static Chip of(FireAccount.Kind kind) {
        return new Chip(
                Printable.words(kind),
                switch (kind) {
                    case RAN -> "good";
                    case UNACCOUNTED -> "bad";
                    case MISSED, TOO_LATE -> "warn";
                    case WAITING -> "info";
                    case PAUSED -> "hold";
                    case EXCLUDED, MOVED, CANCELED, NOT_KEPT -> "quiet";
                });
    }

    /** An outcome as people read it. */
    static String words(Outcome outcome) {
        return outcome == Outcome.NONE ? "planned" : Printable.words(outcome);
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
