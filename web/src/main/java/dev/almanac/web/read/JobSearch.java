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
 * The search for one page of jobs, and for the number of all that match. Filters without an index examine all jobs, window
 * after window. A request for the page searches for a moment; the rest is searched beside the requests, while there are
 * any, until the page is full and all matches are counted. Thread-safe.
 */
public final class JobSearch {
    /** Small, so that an answer waits for few of the jobs that a filter examines. */
    private static final int WINDOW = 5_000;

    /** One for the page, and one for the number. */
    private static final int FIRST = 2;

    private static final long PATIENCE_NANOS = 30_000_000;
    /** A page that searches is refreshed each second, or every two seconds without scripts. */
    private static final long LEFT_NANOS = 10_000_000_000L;
    /** Longer: on a slow store a request asks much else before it goes on with its search. */
    private static final long ABANDONED_NANOS = 60_000_000_000L;

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
    /** Whether a thread reads a window now. */
    private boolean reading;

    private boolean goesOn;
    private boolean dropped;

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

    /**
     * Searches for a moment, unless that is done elsewhere, and tells how far the search is. A list with few jobs, or without
     * a filter, is complete then, however slow the store is.
     */
    Progress go(Source source, LongSupplier nanos) {
        long start = nanos.getAsLong();
        boolean more = !touch(start);
        for (int windows = 0; more && (windows < FIRST || nanos.getAsLong() - start <= PATIENCE_NANOS); windows++) {
            more = step(source);
        }
        // on a slow store the next request may come long after this one has begun
        touch(nanos.getAsLong());
        return progress();
    }

    /** Whether it is gone on with elsewhere. */
    private synchronized boolean touch(long now) {
        touched = now;
        return goesOn;
    }

    private synchronized Progress progress() {
        return new Progress(List.copyOf(jobs), List.copyOf(damaged), next, counts ? matches : null, isOver(), examined);
    }

    /** Whether it has to be gone on with elsewhere; says so once, until {@link #goOn} has said that it ends there. */
    synchronized boolean isToGoOn() {
        boolean begins = !isOver() && !goesOn && !dropped;
        goesOn |= begins;
        return begins;
    }

    /** Searches through one window; whether there is more to be searched, and a request for it was made lately. */
    boolean goOn(Source source, LongSupplier nanos) {
        boolean more = false;
        try {
            more = !isLeft(nanos.getAsLong(), LEFT_NANOS) && step(source);
            return more;
        } finally {
            if (!more) {
                end();
            }
        }
    }

    private synchronized void end() {
        goesOn = false;
    }

    private synchronized boolean isLeft(long now, long after) {
        return dropped || touched != null && now - touched > after;
    }

    /** No request finds it any more: it is not gone on with elsewhere. */
    synchronized void drop() {
        dropped = true;
    }

    /** Reads a window without the lock, which requests need meanwhile; whether more is to be read. */
    private boolean step(Source source) {
        JobQuery listed;
        JobQuery counted;
        int limit;
        synchronized (this) {
            if (reading || isOver()) {
                return false;
            }
            reading = true;
            listed = toList;
            counted = toCount;
            limit = (int) (StoreReader.COUNTED - matches);
        }
        try {
            if (listed != null) {
                list(listed, source.list(listed));
            } else if (counted != null) {
                count(counted, source.count(counted, limit));
            }
        } finally {
            synchronized (this) {
                reading = false;
            }
        }
        synchronized (this) {
            return !isOver();
        }
    }

    /** Whether no page waits for it any more: a later request begins again, since the jobs that were found may have changed. */
    synchronized boolean isAbandoned(long now) {
        return !reading && isLeft(now, ABANDONED_NANOS);
    }

    private boolean isOver() {
        return toList == null && toCount == null;
    }

    private synchronized void list(JobQuery part, JobList page) {
        jobs.addAll(page.jobs());
        damaged.addAll(page.damaged());
        int found = jobs.size() + damaged.size();
        String last = page.lastKey();
        boolean first = query.afterKey() == null;
        matches = first ? found : 0;
        if (last != null && found < query.limit()) {
            examined += page.windowOver() ? WINDOW : 0;
            toList = part.after(last).limit(query.limit() - found);
            return;
        }
        toList = null;
        next = last;
        // what comes before a later page is counted, too
        toCount = !counts || first && last == null ? null : first ? query.after(last) : query.after(null);
    }

    private synchronized void count(JobQuery part, Counted counted) {
        matches += counted.jobs();
        String last = counted.lastKey();
        boolean further = last != null && matches < StoreReader.COUNTED;
        examined += further ? WINDOW : 0;
        toCount = further ? part.after(last) : null;
    }
}
