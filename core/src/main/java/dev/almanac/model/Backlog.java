package dev.almanac.model;

import java.time.Duration;

/**
 * The live and overdue jobs of the whole cluster.
 *
 * @param liveJobs live jobs of every type
 * @param overdueJobs of the types that the asked node runs: jobs that should have been claimed longer than a poll
 *     interval ago, are not paused, and that no node holds; counted up to {@value #COUNTED}
 * @param oldestOverdue how long the most overdue of them has been due; zero if there is none
 */
public record Backlog(long liveJobs, long overdueJobs, Duration oldestOverdue) {
    /** Counting of overdue jobs ends at this number. */
    public static final int COUNTED = 10_000;
}
