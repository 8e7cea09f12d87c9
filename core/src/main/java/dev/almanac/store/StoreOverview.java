package dev.almanac.store;

import dev.almanac.model.JobQuery;
import dev.almanac.model.StandingPause;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Queries for pages that show many jobs at once. A {@link JobStore} may implement it; the engine works without it.
 * Reads only. Each query uses an index and examines a bounded number of jobs, however many are stored. Thread-safe;
 * every method throws {@link StoreException} if the store does not answer.
 */
public interface StoreOverview {
    /**
     * The same store for someone who waits: each question ends with {@link StoreException} if it is not answered within
     * this time, finding a server included. Opening the store may take longer once a server has answered.
     *
     * @param limit from 1 ms on; a shorter limit of the store stays as it is
     * @return by default this store, if it cannot limit its questions
     */
    default JobStore answeringWithin(Duration limit) {
        return (JobStore) this;
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

    /**
     * What nodes have run within a span, by command type and slice of the span; at most 100 000 reports are read, the
     * oldest first.
     *
     * @param from included
     * @param until excluded
     * @param slice length of a slice, a minute or more
     */
    RunCounts runCounts(Instant from, Instant until, Duration slice);

    /** Of the jobs of these types those that may have been claimed for the longest, the oldest first. */
    List<StoredJob> earliestDue(Set<String> types, Instant until, int limit);

    /**
     * How many jobs match a query, within its window.
     *
     * @param now for the state that the query names
     * @param limit counting ends there
     */
    Counted count(JobQuery query, Instant now, Collection<StandingPause> pauses, int limit);

    /**
     * Jobs that were counted.
     *
     * @param jobs how many
     * @param lastKey the last key that was examined, after which the next window begins; absent = there is none
     */
    record Counted(long jobs, @Nullable String lastKey) {}

    /** About how many jobs are stored, those that have ended included; reads none of them. */
    long stored();

    /** How many rows since {@code from} record a fire that failed for good; counting ends at the limit. */
    long failures(Instant from, int limit);
}
