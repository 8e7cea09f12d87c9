package dev.almanac.web.read;

import dev.almanac.model.JobQuery;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.JobList;
import dev.almanac.store.StoredJob;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs. Filters without an index examine all jobs, so a page reads windows until it is full or a time limit has
 * passed, and contains the number of jobs that were examined.
 *
 * @param jobs in the order of their keys
 * @param damaged those whose documents cannot be read
 * @param next the key behind which the next page begins; absent = there is none
 * @param examined how many jobs were examined at least; 0 if no window was, or the page is full or the last one
 */
public record JobScan(
        List<StoredJob> jobs,
        List<DamagedJob> damaged,
        @Nullable String next,
        int examined) {
    private static final int WINDOW = 25_000;
    private static final long PATIENCE_NANOS = 60_000_000;
    private static final int MOST_WINDOWS = 3;

    static JobScan of(Function<JobQuery, JobList> store, JobQuery query, LongSupplier nanos) {
        long start = nanos.getAsLong();
        List<StoredJob> jobs = new ArrayList<>();
        List<DamagedJob> damaged = new ArrayList<>();
        int windows = 0;
        // an index finds the jobs that run in a group
        JobQuery part = query.runningGroup() == null ? query.window(WINDOW) : query;
        while (true) {
            JobList page = store.apply(part);
            windows += page.windowOver() ? 1 : 0;
            jobs.addAll(page.jobs());
            damaged.addAll(page.damaged());
            int missing = query.limit() - jobs.size() - damaged.size();
            String next = page.lastKey();
            boolean over = windows >= MOST_WINDOWS || nanos.getAsLong() - start > PATIENCE_NANOS;
            if (next == null || missing <= 0 || over) {
                return new JobScan(jobs, damaged, next, next != null && missing > 0 ? windows * WINDOW : 0);
            }
            part = part.after(next).limit(missing);
        }
    }
}
