package dev.almanac.model;

import java.time.Duration;

/**
 * Jobs of the types and priorities that the asked node runs that should have been claimed longer than a poll interval ago, are
 * not paused, and that no node holds. A started node leaves out those of groups whose members were waiting for each other, or
 * for their rate, half a minute ago or less.
 *
 * @param overdueJobs how many; counted up to {@value #COUNTED}
 * @param oldestOverdue how long the most overdue of them has been due; zero if there is none
 */
public record Backlog(long overdueJobs, Duration oldestOverdue) {
    /** Counting of overdue jobs, and of open failures, ends at this number. */
    public static final int COUNTED = 10_000;
}
