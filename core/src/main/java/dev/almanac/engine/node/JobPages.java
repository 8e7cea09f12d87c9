package dev.almanac.engine.node;

import dev.almanac.model.JobQuery;
import dev.almanac.store.JobList;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoredJob;
import java.util.Objects;
import java.util.stream.Stream;

/** All jobs of a query, read page by page as they are asked for; documents that cannot be read are skipped. */
public final class JobPages {
    private JobPages() {}

    public static Stream<StoredJob> jobs(JobStore store, JobQuery query) {
        return Stream.iterate(
                        store.list(query),
                        Objects::nonNull,
                        page -> page.lastKey() == null ? null : store.list(query.after(page.lastKey())))
                .map(JobList::jobs)
                .flatMap(jobs -> jobs.stream());
    }
}
