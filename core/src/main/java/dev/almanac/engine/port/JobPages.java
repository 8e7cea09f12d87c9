package dev.almanac.engine.port;

import dev.almanac.engine.rules.BatchSplit;
import dev.almanac.model.JobQuery;
import dev.almanac.store.JobList;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoredJob;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads many jobs a part at a time, so that few are in memory together. */
public final class JobPages {
    /** Of jobs of the largest size they are some 50 MiB in memory. */
    private static final int READ_AT_ONCE = 20;

    /** Of which few may match, or all: so many are looked at for one page. */
    private static final int LOOKED_AT = 2_000;

    private JobPages() {}

    /** The jobs of these ids that exist and can be read, a few at a time as they are asked for. */
    public static Stream<StoredJob> load(JobStore store, Collection<String> ids) {
        return parts(ids).flatMap(some -> store.load(some).stream());
    }

    /** The ids, or what names a job each, in parts whose jobs may be in memory together. */
    public static <T> Stream<List<T>> parts(Collection<T> ids) {
        return BatchSplit.parts(List.copyOf(ids), READ_AT_ONCE).stream();
    }

    /** All jobs of a query, page by page as they are asked for; documents that cannot be read are skipped. */
    public static Stream<StoredJob> jobs(JobStore store, JobQuery query) {
        return pages(query, store::list);
    }

    /** As {@link #jobs}, of those whose plans were not made by these zone rules, and some others, perhaps. */
    public static Stream<StoredJob> plannedByOthers(JobStore store, String zoneRules) {
        return pages(
                JobQuery.all().limit(LOOKED_AT / 2).window(LOOKED_AT),
                query -> store.plannedByOthers(zoneRules, query));
    }

    private static Stream<StoredJob> pages(JobQuery query, Function<JobQuery, JobList> list) {
        return Stream.iterate(
                        list.apply(query),
                        Objects::nonNull,
                        page -> page.lastKey() == null ? null : list.apply(query.after(page.lastKey())))
                .map(JobList::jobs)
                .flatMap(jobs -> jobs.stream());
    }
}
