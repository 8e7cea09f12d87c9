package dev.almanac.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Queries for pages that show many jobs at once. A {@link JobStore} may implement it; the engine works without it.
 * Reads only. Each query uses an index and examines a bounded number of jobs, however many are stored. Thread-safe;
 * every method throws {@link StoreException} if the store does not answer.
 */
public interface StoreOverview {
    /**
     * Jobs that a node holds a lease on, in the order of their planned fires.
     *
     * @param now by the server's clock
     * @param horizon leases are looked for among the jobs that may be claimed (again) within this time
     * @param limit most jobs to return; at most 10 000 jobs are examined
     */
    List<StoredJob> running(Instant now, Duration horizon, int limit);

    /**
     * The same with a horizon that suffices for leases of the default length. If nothing is found although nodes report
     * runs, it is 15 minutes.
     */
    default List<StoredJob> running(Instant now, int limit, long reported) {
        List<StoredJob> jobs = running(now, Duration.ofMinutes(1), limit);
        return jobs.isEmpty() && reported > 0 ? running(now, Duration.ofMinutes(15), limit) : jobs;
    }

    /**
     * How many jobs may be claimed within a span, by command type and slice of the span.
     *
     * @param from included
     * @param until excluded
     * @param slice length of a slice, 1 ms or more
     * @param limit how many jobs are counted one by one; if there are more, one partition is counted for all
     */
    DueCounts dueCounts(Instant from, Instant until, Duration slice, int limit);

    /** Of the jobs of these types those that may have been claimed for the longest, the oldest first. */
    List<StoredJob> earliestDue(Set<String> types, Instant until, int limit);

    /** How many rows since {@code from} record a fire that failed for good; counting ends at the limit. */
    long failures(Instant from, int limit);
}
