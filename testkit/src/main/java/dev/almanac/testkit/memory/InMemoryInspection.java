package dev.almanac.testkit.memory;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.StoreInspection.Page;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoreInspection.State;
import dev.almanac.store.StoreInspection.UnstampedRow;
import dev.almanac.store.StoreInspection.Why;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds violations of invariants among jobs and rows in memory. */
final class InMemoryInspection {
    private InMemoryInspection() {}

    static State inspect(
            Map<String, StoredJob> jobs, Map<String, Map<String, JobExecutionStatus>> rowsByJob, int limit) {
        List<JobExecutionStatus> rows = rowsByJob.values().stream()
                .flatMap(ofJob -> ofJob.values().stream())
                .sorted(Comparator.comparing(JobExecutionStatus::jobSpecificationId)
                        .thenComparing(JobExecutionStatus::updatedTime))
                .toList();
        List<StoredJob> finished = jobs.values().stream()
                .filter(job -> !job.isLive())
                .sorted(Comparator.comparing(job -> job.specification().deleteTime()))
                .toList();
        List<StoredJob> some = finished.subList(0, Math.min(limit, finished.size()));
        List<String> withDue = some.stream()
                .filter(job -> job.due() != null)
                .map(StoredJob::key)
                .toList();
        boolean more = rows.size() > limit || finished.size() > limit;
        List<JobExecutionStatus> someRows = rows.subList(0, Math.min(limit, rows.size()));
        return new State(List.of(), unstamped(jobs, someRows), withDue, withoutRow(rowsByJob, some), more);
    }

    private static List<String> withoutRow(
            Map<String, Map<String, JobExecutionStatus>> rowsByJob, List<StoredJob> jobs) {
        Set<String> missing = missing(
                rowsByJob, jobs.stream().map(job -> job.lastStatus().id()).toList());
        return jobs.stream()
                .filter(job -> missing.contains(job.lastStatus().id()))
                .map(StoredJob::id)
                .toList();
    }

    private static List<UnstampedRow> unstamped(Map<String, StoredJob> jobs, List<JobExecutionStatus> rows) {
        List<UnstampedRow> unstamped = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            JobExecutionStatus row = rows.get(i);
            StoredJob job = jobs.get(row.jobSpecificationId());
            if (row.deleteTime() == null) {
                unstamped(row, next(rows, i), job).ifPresent(unstamped::add);
            }
        }
        return unstamped;
    }

    /** When the row was replaced; absent if it is the newest of its job. */
    private static @Nullable Instant next(List<JobExecutionStatus> rows, int place) {
        JobExecutionStatus row = rows.get(place);
        JobExecutionStatus next = place + 1 < rows.size() ? rows.get(place + 1) : row;
        boolean ofSameJob = next != row && next.jobSpecificationId().equals(row.jobSpecificationId());
        return ofSameJob ? next.updatedTime() : null;
    }

    private static Optional<UnstampedRow> unstamped(
            JobExecutionStatus row, @Nullable Instant replaced, @Nullable StoredJob job) {
        String key = row.jobSpecificationKey();
        boolean requested = row.author() != null;
        boolean failed = row.executionStatus() == ExecutionStatus.FAILED;
        if (job == null) {
            return Optional.of(
                    new UnstampedRow(row.id(), key, row.updatedTime(), failed, Why.ORPHANED, null, requested));
        }
        Instant newest = job.lastStatus().updatedTime();
        Instant deleteTime = job.specification().deleteTime();
        if (deleteTime != null) {
            return Optional.of(new UnstampedRow(row.id(), key, newest, failed, Why.FINISHED, deleteTime, requested));
        }
        boolean superseded =
                job.specification().isRecurring() && row.updatedTime().isBefore(newest);
        return superseded
                ? Optional.of(new UnstampedRow(
                        row.id(), key, replaced == null ? newest : replaced, failed, Why.SUPERSEDED, null, requested))
                : Optional.empty();
    }

    static Page<ShownRow> newestRows(Map<String, StoredJob> jobs, @Nullable String after, int limit) {
        List<StoredJob> page = jobs.values().stream()
                .sorted(Comparator.comparing(StoredJob::id))
                .filter(job -> after == null || job.id().compareTo(after) > 0)
                .limit(limit)
                .toList();
        List<ShownRow> shown = page.stream()
                .flatMap(job -> job.shownRows().stream()
                        .map(row -> new ShownRow(job.id(), job.specification().history(), row)))
                .toList();
        return new Page<>(
                shown, page.size() < limit ? null : page.get(page.size() - 1).id());
    }

    /** All rows of a job are on one page. */
    static Page<UnstampedRow> unstampedRows(
            Map<String, StoredJob> jobs,
            Map<String, Map<String, JobExecutionStatus>> rowsByJob,
            @Nullable String after,
            int limit) {
        List<UnstampedRow> found = new ArrayList<>();
        int seen = 0;
        String last = null;
        for (Map.Entry<String, Map<String, JobExecutionStatus>> ofJob : new TreeMap<>(rowsByJob).entrySet()) {
            if (seen < limit && (after == null || ofJob.getKey().compareTo(after) > 0)) {
                found.addAll(unstamped(
                        jobs,
                        ofJob.getValue().values().stream()
                                .sorted(Comparator.comparing(JobExecutionStatus::updatedTime))
                                .toList()));
                seen += ofJob.getValue().size();
                last = ofJob.getKey();
            }
        }
        return new Page<>(found, seen < limit ? null : last);
    }

    static Set<String> missing(Map<String, Map<String, JobExecutionStatus>> rowsByJob, Collection<String> rowIds) {
        Set<String> missing = new HashSet<>(rowIds);
        rowsByJob.values().forEach(ofJob -> missing.removeAll(ofJob.keySet()));
        return missing;
    }
}
