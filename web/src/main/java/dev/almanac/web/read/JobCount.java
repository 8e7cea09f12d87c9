package dev.almanac.web.read;

import dev.almanac.model.JobQuery;
import dev.almanac.store.JobList;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoredJob;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How many live jobs are of a kind. Counting ends at {@link StoreReader#COUNTED} jobs, or after ten windows of a filter
 * that has no index.
 *
 * @param jobs how many were found
 * @param more whether there may be more
 * @param applications of those that were found; a job may have none
 * @param examples the first three keys
 */
public record JobCount(long jobs, boolean more, Set<String> applications, List<String> examples) {
    private static final int WINDOW = 25_000;
    private static final int PAGE = 1_000;
    private static final int MOST_WINDOWS = 10;
    private static final int EXAMPLES = 3;

    static JobCount of(JobStore store, JobQuery kind) {
        Set<String> applications = new TreeSet<>();
        List<String> examples = List.of();
        JobQuery part = kind.limit(PAGE).window(WINDOW);
        long jobs = 0;
        for (int windows = 0; windows < MOST_WINDOWS && jobs < StoreReader.COUNTED; ) {
            JobList page = store.list(part);
            if (jobs == 0) {
                examples =
                        page.jobs().stream().map(StoredJob::key).limit(EXAMPLES).toList();
            }
            jobs += page.jobs().size();
            page.jobs().stream()
                    .flatMap(job -> job.specification().applicationTag().stream())
                    .forEach(applications::add);
            String next = page.lastKey();
            if (next == null) {
                return new JobCount(jobs, false, applications, examples);
            }
            windows += page.jobs().size() < PAGE ? 1 : 0;
            part = part.after(next);
        }
        return new JobCount(jobs, true, applications, examples);
    }
}
