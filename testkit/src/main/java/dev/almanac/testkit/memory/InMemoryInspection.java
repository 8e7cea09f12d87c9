package dev.almanac.testkit.memory;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.StoreInspection.Page;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoreInspection.State;
import dev.almanac.store.StoredJob;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds violations of invariants among jobs and rows in memory. */
final class InMemoryInspection {
    private InMemoryInspection() {}

    static State inspect(
            Map<String, StoredJob> jobs, Map<String, Map<String, JobExecutionStatus>> rowsByJob, int limit) {
        List<StoredJob> finished = jobs.values().stream()
                .filter(job -> !job.isLive())
                .sorted(Comparator.comparing(
                        job -> job.specification().deleteTime().orElseThrow()))
                .toList();
        List<StoredJob> some = finished.subList(0, Math.min(limit, finished.size()));
        List<String> withDue = some.stream()
                .filter(job -> job.due() != null)
                .map(StoredJob::key)
                .toList();
        return new State(List.of(), List.of(), withDue, withoutRow(rowsByJob, some), finished.size() > limit);
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

    static Page<ShownRow> newestRows(Map<String, StoredJob> jobs, @Nullable String after, int limit) {
        List<StoredJob> page = jobs.values().stream()
                .sorted(Comparator.comparing(StoredJob::id))
                .filter(job -> after == null || job.id().compareTo(after) > 0)
                .limit(limit)
                .toList();
        List<ShownRow> shown =
                page.stream().flatMap(job -> ShownRow.of(job).stream()).toList();
        return new Page<>(
                shown, page.size() < limit ? null : page.get(page.size() - 1).id());
    }

    static Set<String> missing(Map<String, Map<String, JobExecutionStatus>> rowsByJob, Collection<String> rowIds) {
        Set<String> missing = new HashSet<>(rowIds);
        rowsByJob.values().forEach(ofJob -> missing.removeAll(ofJob.keySet()));
        return missing;
    }
}
