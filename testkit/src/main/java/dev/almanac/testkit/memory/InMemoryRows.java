package dev.almanac.testkit.memory;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.RowLimit;
import dev.almanac.store.RowQuery;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Status rows by job and id. Not thread-safe; the store guards it. */
final class InMemoryRows {
    private final Map<String, Map<String, JobExecutionStatus>> byJob = new HashMap<>();

    /** Adds a row; one of its id that is there may get its log. */
    void add(JobExecutionStatus row) {
        byJob.computeIfAbsent(row.jobSpecificationId(), id -> new LinkedHashMap<>())
                .merge(row.id(), row, InMemoryRows::withLog);
    }

    private static JobExecutionStatus withLog(JobExecutionStatus there, JobExecutionStatus added) {
        return there.log().isEmpty() && !added.log().isEmpty()
                ? there.toBuilder().log(added.log()).build()
                : there;
    }

    /** @param isStored of a document: rows are found by the key of those that are */
    List<JobExecutionStatus> find(RowQuery query, Predicate<String> isStored) {
        String id = query.jobSpecificationId();
        Collection<Map<String, JobExecutionStatus>> ofJobs =
                id == null ? byJob.values() : List.of(byJob.getOrDefault(id, Map.of()));
        return ofJobs.stream()
                .flatMap(rows -> rows.values().stream())
                .filter(row -> query.key() == null
                        || row.jobSpecificationKey().equals(query.key()) && isStored.test(row.jobSpecificationId()))
                .filter(row -> query.before() == null || row.updatedTime().isBefore(query.before()))
                .filter(row -> query.failed() == null || isFailure(row, query.failed()))
                .sorted(Comparator.comparing(JobExecutionStatus::updatedTime).reversed())
                .limit(query.limit())
                .toList();
    }

    private static boolean isFailure(JobExecutionStatus row, RowQuery.Span span) {
        return row.isFailedFire()
                && (span.from() == null || !row.updatedTime().isBefore(span.from()))
                && (span.until() == null || row.updatedTime().isBefore(span.until()));
    }

    void limit(String jobId, RowLimit limit) {
        byJob.getOrDefault(jobId, new HashMap<>())
                .replaceAll(
                        (id, row) -> row.toBuilder().deleteTime(limit.of(row)).build());
    }

    void keep(Collection<String> ids, Instant least, Instant until) {
        for (Map<String, JobExecutionStatus> rows : byJob.values()) {
            ids.forEach(id -> rows.computeIfPresent(
                    id,
                    (same, row) -> InMemoryJobStore.isOver(row.deleteTime(), least)
                            ? row.toBuilder().deleteTime(until).build()
                            : row));
        }
    }

    long purge(Instant now, long limit) {
        long removed = 0;
        for (Map<String, JobExecutionStatus> rows : byJob.values()) {
            int before = rows.size();
            List<String> over = rows.values().stream()
                    .filter(row -> InMemoryJobStore.isOver(row.deleteTime(), now))
                    .map(JobExecutionStatus::id)
                    .limit(limit - removed)
                    .toList();
            over.forEach(rows::remove);
            removed += before - rows.size();
        }
        byJob.values().removeIf(Map::isEmpty);
        return removed;
    }

    Map<String, Map<String, JobExecutionStatus>> byJob() {
        return byJob;
    }
}
