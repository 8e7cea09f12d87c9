package dev.almanac.engine.insight;

import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reasons from the newest status rows of a job: fires that were missed, excluded, abandoned, or failed. */
final class PastReasons {
    /** The largest number of reasons from past events. */
    private static final int MOST = 5;

    private PastReasons() {}

    /** The newest first. */
    static List<Reason> of(ExplainerInput known) {
        return known.rows().stream()
                .map(PastReasons::of)
                .flatMap(Optional::stream)
                .limit(MOST)
                .toList();
    }

    private static Optional<Reason> of(JobExecutionStatus row) {
        MissedFires missed = row.missed();
        if (row.outcome() == Outcome.MISSED && missed != null) {
            return Optional.of(missed(missed, row));
        }
        if (row.outcome() == Outcome.EXCLUDED || row.outcome() == Outcome.SKIPPED) {
            String by = row.outcome() == Outcome.SKIPPED ? ", since its helper skipped it" : "";
            return Optional.of(
                    reason(Kind.EXCLUDED, row, "has not run its fire of " + row.fireTime() + by + detail(row)));
        }
        if (row.outcome() == Outcome.ABANDONED) {
            String text = "was abandoned in its fire of " + row.fireTime() + " by a claim" + detail(row);
            return Optional.of(reason(Kind.ABANDONED, row, text));
        }
        if (row.isFailedFire() || row.outcome() == Outcome.FAILURE_UNDELIVERED) {
            return Optional.of(reason(
                    Kind.FAILED,
                    row,
                    "has failed in its fire of " + row.fireTime() + " as " + row.outcome()
                            + Explainer.error(row.error()) + detail(row)));
        }
        return Optional.empty();
    }

    private static Reason missed(MissedFires missed, JobExecutionStatus row) {
        String text = "has missed " + missed.counted() + " fires from " + missed.first() + " to " + missed.last()
                + detail(row);
        return new Reason(Kind.MISSED, text, missed.first(), missed.last(), null);
    }

    private static Reason reason(Kind kind, JobExecutionStatus row, String text) {
        return new Reason(kind, text, row.updatedTime(), null, row.node());
    }

    static String detail(JobExecutionStatus row) {
        return row.detail() == null ? "" : " (" + row.detail() + ")";
    }

    /** When the job was blocked; absent if that row is not among the newest. */
    static @Nullable Instant blockedAt(ExplainerInput known) {
        return newest(known.rows(), Outcome.BLOCKED);
    }

    /** When the job's own pause began; absent if that row is not among the newest. */
    static @Nullable Instant pausedAt(List<JobExecutionStatus> rows) {
        return newest(rows, Outcome.PAUSED);
    }

    private static @Nullable Instant newest(List<JobExecutionStatus> rows, Outcome outcome) {
        return rows.stream()
                .filter(row -> row.outcome() == outcome)
                .findFirst()
                .map(JobExecutionStatus::updatedTime)
                .orElse(null);
    }
}
