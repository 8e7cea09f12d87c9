package dev.almanac.behaviour;

import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which rows a job is to have, and whether the one before a change is there as the change is written. */
final class SimulationRows {
    private final InMemoryJobStore store;
    private final List<String> complaints;

    /** @param complaints what is found wrong is added there */
    SimulationRows(InMemoryJobStore store, List<String> complaints) {
        this.store = store;
        this.complaints = complaints;
    }

    /** Whether the job keeps all of its rows; else what it shows last may have none. */
    static boolean keeps(StoredJob job) {
        return job.specification().history() == History.ALL;
    }

    /** Whether what the document shows last is a user's change. */
    static boolean isOfRequest(StoredJob job) {
        return job.lastStatus().id().endsWith(":v" + job.specification().version());
    }

    /**
     * What a document has shown is stored once it shows it no longer (rule N3). The row of the job's creation is excepted, and
     * what the server refuses.
     *
     * @param refused whether the server has refused rows of the job
     */
    void judge(List<?> changes, List<?> applied, Predicate<String> refused) {
        for (int i = 0; i < changes.size(); i++) {
            JobChange change = (JobChange) changes.get(i);
            if (Boolean.TRUE.equals(applied.get(i))
                    && !refused.test(change.before().key())) {
                leftOut(change)
                        .forEach(row -> complaints.add(
                                "a change of " + change.before().key() + " leaves out the row " + row + " before it"));
            }
        }
    }

    private Set<String> leftOut(JobChange change) {
        StoredJob before = change.before();
        boolean replaced = change.removes()
                || !before.lastStatus().id().equals(change.after().lastStatus().id());
        Set<String> shown = before.shownRows().stream()
                .filter(row -> keeps(before) || row.outcome() != Outcome.SUCCEEDED)
                .filter(row -> !NewJob.isCreation(row))
                .map(JobExecutionStatus::id)
                .collect(Collectors.toSet());
        return replaced && !shown.isEmpty() ? store.missingRows(shown) : Set.of();
    }
}
