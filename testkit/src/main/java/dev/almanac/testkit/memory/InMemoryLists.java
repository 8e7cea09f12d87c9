package dev.almanac.testkit.memory;

import dev.almanac.model.JobQuery;
import dev.almanac.store.JobList;
import dev.almanac.store.StoredJob;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Pages of jobs, in the order of their keys. */
final class InMemoryLists {
    private InMemoryLists() {}

    static JobList page(Collection<StoredJob> jobs, JobQuery query, Predicate<StoredJob> matches) {
        List<StoredJob> all = jobs.stream()
                .filter(job -> JobMatch.isLookedAt(query, job))
                .sorted(Comparator.comparing(StoredJob::key).thenComparing(StoredJob::id))
                .toList();
        int looked = query.window() == null ? all.size() : upTo(query.window(), all);
        List<StoredJob> found = all.subList(0, looked).stream().filter(matches).toList();
        List<StoredJob> page = found.subList(0, upTo(query.limit(), found));
        if (page.size() < found.size()) {
            return new JobList(page, List.of(), page.get(page.size() - 1).key());
        }
        return new JobList(
                page, List.of(), looked < all.size() ? all.get(looked - 1).key() : null);
    }

    /** A number of jobs, and those that have the key of the last of them. */
    private static int upTo(int number, List<StoredJob> jobs) {
        int end = Math.min(number, jobs.size());
        while (end > 0
                && end < jobs.size()
                && jobs.get(end).key().equals(jobs.get(end - 1).key())) {
            end++;
        }
        return end;
    }
}
