package dev.almanac.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open failures of a span (rule S19).
 *
 * @param rows the newest failure of each job that is open, newest first; at most 1 000
 * @param before failures before this moment were not read: ask again with it as the end of the span; absent if all were
 */
public record OpenFailures(
        List<JobExecutionStatus> rows, @Nullable Instant before) {
    /** Copies the list. */
    public OpenFailures {
        rows = List.copyOf(rows);
    }
}
