package dev.almanac.model;

import java.time.Duration;
import java.util.List;

/**
 * The live and overdue jobs of the whole cluster.
 *
 * @param liveJobs live jobs of every type
 * @param overdueJobs of the types and priorities that the asked node runs: jobs that should have been claimed longer than a poll
 *     interval ago, are not paused, and that no node holds; counted up to {@value #COUNTED}. A started node leaves out
 *     those of groups whose members were waiting for each other, or for their rate, half a minute ago or less
 * @param oldestOverdue how long the most overdue of them has been due; zero if there is none
 * @param openFailures how many jobs have a fire that has failed for good, since which none has gone well, and which no user
 *     has acknowledged (rule S19); counted up to {@value #COUNTED}
 * @param unserved due jobs of any type that no live node takes, from the moment at which they are due; empty if there are
 *     none
 */
public record Backlog(
        long liveJobs, long overdueJobs, Duration oldestOverdue, long openFailures, List<UnservedJobs> unserved) {
    /** Counting of overdue jobs, and of open failures, ends at this number. */
    public static final int COUNTED = 10_000;

    /** Copies the list. */
    public Backlog {
        unserved = List.copyOf(unserved);
    }

    /** How many due jobs no live node takes. */
    public long unservedJobs() {
        return unserved.stream().mapToLong(UnservedJobs::jobs).sum();
    }

    /** How long the first of those has been due; zero if there are none. */
    public Duration oldestUnserved() {
        return unserved.stream()
                .map(UnservedJobs::oldest)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
