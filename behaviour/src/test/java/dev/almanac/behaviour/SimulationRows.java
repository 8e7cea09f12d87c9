package dev.almanac.behaviour;

import dev.almanac.model.History;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.util.List;
import java.util.Set;

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

    /** Whether the row that the document shows last is written after it: that of a user's change, or of missed fires. */
    static boolean followsDocument(StoredJob job) {
        return isOfRequest(job) || job.lastStatus().missed() != null;
    }

    /** Whether what the document shows last is a user's change. */
    static boolean isOfRequest(StoredJob job) {
        return job.lastStatus().id().endsWith(":v" + job.specification().version());
    }

    /**
     * Once a user's change is written whole, or a holder has written what became of the job, the row before it is there,
     * too, be it of a user's change or of missed fires (rules P7, R4). That of the job's creation is left to users: holders
     * do not look.
     */
    void judge(List<?> changes, List<?> applied) {
        for (int i = 0; i < changes.size(); i++) {
            JobChange change = (JobChange) changes.get(i);
            if (Boolean.TRUE.equals(applied.get(i)) && leavesOut(change)) {
                complaints.add("a change of " + change.before().key() + " leaves out the row "
                        + change.before().lastStatus().id() + " before it");
            }
        }
    }

    private boolean leavesOut(JobChange change) {
        String earlier = change.before().lastStatus().id();
        boolean none = !keeps(change.before())
                && (change.before().specification().version() == 1
                        || change.before().lastStatus().outcome() == Outcome.SUCCEEDED);
        boolean due = isOfRequest(change.after())
                ? !change.rows().isEmpty()
                : followsDocument(change.before()) && !earlier.endsWith(":0:0:v1");
        // while the document still has the status, its row can be written later
        boolean replaced = !earlier.equals(change.after().lastStatus().id());
        return replaced && !none && due && !store.missingRows(Set.of(earlier)).isEmpty();
    }
}
