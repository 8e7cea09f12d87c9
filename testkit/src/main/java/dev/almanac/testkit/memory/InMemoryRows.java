package dev.almanac.testkit.memory;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.RowQuery;
import dev.almanac.store.Stamp;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Status rows by job and id. Not thread-safe; the store guards it. */
final class InMemoryRows {
    private final Map<String, Map<String, JobExecutionStatus>> byJob = new HashMap<>();

    /** Adds a row, unless one of its id is there. */
    void add(JobExecutionStatus row) {
        byJob.computeIfAbsent(row.jobSpecificationId(), id -> new LinkedHashMap<>())
                .putIfAbsent(row.id(), row);
    }

    List<JobExecutionStatus> find(RowQuery query) {
        String id = query.jobSpecificationId();
        Collection<Map<String, JobExecutionStatus>> ofJobs =
                id == null ? byJob.values() : List.of(byJob.getOrDefault(id, Map.of()));
        return ofJobs.stream()
                .flatMap(rows -> rows.values().stream())
                .filter(row -> query.key() == null || row.jobSpecificationKey().equals(query.key()))
                .filter(row -> query.before() == null || row.updatedTime().isBefore(query.before()))
                .filter(row -> query.failed() == null || isFailure(row, query.failed()))
                .sorted(Comparator.comparing(JobExecutionStatus::updatedTime).reversed())
                .limit(query.limit())
                .toList();
    }

    private static boolean isFailure(JobExecutionStatus row, RowQuery.Span span) {
        return row.executionStatus() == ExecutionStatus.FAILED
                && row.outcome() != Outcome.FAILURE_DELIVERED
                && row.outcome() != Outcome.FAILURE_UNDELIVERED
                && (span.from() == null || !row.updatedTime().isBefore(span.from()))
                && (span.until() == null || row.updatedTime().isBefore(span.until()));
    }

    void stamp(String jobId, Stamp stamp) {
        byJob.getOrDefault(jobId, new HashMap<>()).replaceAll((id, row) -> stamped(row, stamp));
    }

    /** Each names its row. */
    void stamp(List<Stamp> stamps) {
        for (Map<String, JobExecutionStatus> rows : byJob.values()) {
            stamps.forEach(stamp ->
                    rows.computeIfPresent(Objects.requireNonNull(stamp.rowId()), (id, row) -> stamped(row, stamp)));
        }
    }

    private static JobExecutionStatus stamped(JobExecutionStatus row, Stamp stamp) {
        boolean meant = stamp.isFor(row.id());
        return meant ? row.toBuilder().deleteTime(stamp.over(row)).build() : row;
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
