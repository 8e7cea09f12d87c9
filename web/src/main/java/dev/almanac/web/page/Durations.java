package dev.almanac.web.page;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long the good runs of a job took.
 *
 * @param runs how many are on record, 1 or more
 * @param half half of them took no longer
 * @param most 95 of 100 took no longer
 * @param worst the longest one
 */
record Durations(int runs, Duration half, Duration most, Duration worst) {
    private static final double HALF = 0.5;
    private static final double MOST = 0.95;

    /** Absent if no good run is on record. */
    static @Nullable Durations of(List<JobExecutionStatus> rows) {
        List<Duration> sorted = rows.stream()
                .filter(row -> row.outcome() == Outcome.SUCCEEDED && row.startedTime() != null)
                .map(row -> Duration.between(row.startedTime(), row.updatedTime()))
                .sorted()
                .toList();
        return sorted.isEmpty()
                ? null
                : new Durations(sorted.size(), at(sorted, HALF), at(sorted, MOST), sorted.get(sorted.size() - 1));
    }

    private static Duration at(List<Duration> sorted, double part) {
        return sorted.get((int) Math.ceil(part * sorted.size()) - 1);
    }

    /** When a run that began then ends, if it takes as long as half of them. */
    Instant expected(Instant begun) {
        return begun.plus(half);
    }
}
