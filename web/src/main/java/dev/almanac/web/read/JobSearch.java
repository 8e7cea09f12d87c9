package dev.almanac.web.read;

import dev.almanac.model.JobQuery;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.JobList;
import dev.almanac.store.StoreOverview.Counted;
import dev.almanac.store.StoredJob;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The search for one page of jobs, and for the number of all that match. Filters without an index examine all jobs, so it
 * goes on with each request for the page, for a bounded time, until the page is full and all matches are counted.
 * Thread-safe.
 */
public final class JobSearch {
    private static final int WINDOW = 25_000;
    private static final long PATIENCE_NANOS = 500_000_000;
    private static final long KEPT_NANOS = 300_000_000_000L;

    private final JobQuery query;
    private final boolean counts;
    private final List<StoredJob> jobs = new ArrayList<>();
    private final List<DamagedJob> damaged = new ArrayList<>();
    /** What is still to be listed, and to be counted then; absent if nothing is. */
    private @Nullable JobQuery toList;

    private @Nullable JobQuery toCount;
    private @Nullable String next;
    private long matches;
    private long examined;
    private @Nullable Long touched;

    /** How the search reads the store. */
    interface Source {
        JobList list(JobQuery query);

        Counted count(JobQuery query, int limit);
    }

    /**
     * How far a search is.
     *
     * @param jobs of the page, in the order of their keys
     * @param damaged those of the page whose documents cannot be read
     * @param next the key behind which the next page begins; absent = there is none, or it is not known yet
     * @param matches how many jobs match, as far as they are counted; absent if they are not counted
     * @param isOver whether the page is complete, and all matches are counted
     * @param examined how many jobs without a match were examined, at least
     */
    public record Progress(
            List<StoredJob> jobs,
            List<DamagedJob> damaged,
            @Nullable String next,
            @Nullable Long matches,
            boolean isOver,
            long examined) {}

    /** @param counts whether the matches are counted, not only listed */
    JobSearch(JobQuery query, boolean counts) {
        // an index finds the jobs that run in a group
        this.query = query.runningGroup() == null ? query.window(WINDOW) : query;
        this.counts = counts;
        this.toList = this.query;
    }

    synchronized Progress go(Source source, LongSupplier nanos) {
        long start = nanos.getAsLong();
        touched = start;
        do {
            if (toList != null) {
                list(source, toList);
            } else if (toCount != null) {
                count(source, toCount);
            }
        } while (!isOver() && nanos.getAsLong() - start <= PATIENCE_NANOS);
        return new Progress(List.copyOf(jobs), List.copyOf(damaged), next, counts ? matches : null, isOver(), examined);
    }

    /** Whether the last request for it is so long ago that its first jobs may have changed. */
    synchronized boolean isAbandoned(long now) {
        return touched != null && now - touched > KEPT_NANOS;
    }

    private boolean isOver() {
        return toList == null && toCount == null;
    }

    private void list(Source source, JobQuery part) {
        JobList page = source.list(part);
        jobs.addAll(page.jobs());
        damaged.addAll(page.damaged());
        int found = jobs.size() + damaged.size();
        String last = page.lastKey();
        boolean first = query.afterKey() == null;
        matches = first ? found : 0;
        if (last != null && found < query.limit()) {
            examined += WINDOW;
            toList = part.after(last).limit(query.limit() - found);
            return;
        }
        toList = null;
        next = last;
        // what comes before a later page is counted, too
        toCount = !counts || first && last == null ? null : first ? query.after(last) : query.after(null);
    }

    private void count(Source source, JobQuery part) {
        Counted counted = source.count(part, (int) (StoreReader.COUNTED - matches));
        matches += counted.jobs();
        String last = counted.lastKey();
        boolean further = last != null && matches < StoreReader.COUNTED;
        examined += further ? WINDOW : 0;
        toCount = further ? part.after(last) : null;
    }
}
