package dev.almanac.testkit.memory;

import dev.almanac.model.JobQuery;
import dev.almanac.store.JobList;
import dev.almanac.store.StoredJob;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Pages of jobs, in the order of their keys; of one key in that of their ids. */
final class InMemoryLists {
    private static final Comparator<StoredJob> ORDER =
            Comparator.comparing(StoredJob::key).thenComparing(StoredJob::id);

    private InMemoryLists() {}

    static JobList page(Collection<StoredJob> jobs, JobQuery query, Predicate<StoredJob> matches) {
        JobList.Place after = JobList.Place.of(query.afterKey());
        List<StoredJob> all = jobs.stream()
                .filter(job -> JobMatch.isLookedAt(query, job) && isBehind(after, job))
                .sorted(ORDER)
                .toList();
        int looked = query.window() == null ? all.size() : Math.min(query.window(), all.size());
        List<StoredJob> found = all.subList(0, looked).stream().filter(matches).toList();
        if (found.size() > query.limit()) {
            return new JobList(found.subList(0, query.limit()), List.of(), place(found, query.limit()));
        }
        boolean more = looked < all.size();
        return new JobList(found, List.of(), more ? place(all, looked) : null, more && found.size() < query.limit());
    }

    private static boolean isBehind(JobList.Place place, StoredJob job) {
        int order = job.key().compareTo(place.key());
        return order > 0 || order == 0 && place.job() != null && job.id().compareTo(place.job()) > 0;
    }

    /** The place before the job of that number. */
    private static String place(List<StoredJob> jobs, int next) {
        StoredJob last = jobs.get(next - 1);
        boolean within = last.key().equals(jobs.get(next).key());
        return new JobList.Place(last.key(), within ? last.id() : null).toString();
    }
}
