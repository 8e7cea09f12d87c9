package dev.almanac.behaviour;

import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoredJob;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The jobs of a simulation that are deleted: only who holds the newest claim deletes a job, and only as it knows it. */
final class SimulationRemovals {
    private final JobStore store;
    private final List<String> complaints;
    private final Set<String> removed = new HashSet<>();

    /** @param complaints what is found wrong is added there */
    SimulationRemovals(JobStore store, List<String> complaints) {
        this.store = store;
        this.complaints = complaints;
    }

    boolean contains(String key) {
        return removed.contains(key);
    }

    /** An election brings it back. */
    void takeBack(String key) {
        removed.remove(key);
    }

    /** The documents that these changes delete, as they are before. */
    Map<String, StoredJob> before(List<?> changes) {
        return SimulationServer.byId(
                store,
                changes.stream()
                        .map(JobChange.class::cast)
                        .filter(JobChange::removes)
                        .map(change -> change.before().id())
                        .collect(Collectors.toSet()));
    }

    void judge(List<?> changes, Map<String, StoredJob> before) {
        for (Object any : changes) {
            JobChange change = (JobChange) any;
            StoredJob stored = before.get(change.before().id());
            if (stored != null && store.load(List.of(stored.id())).isEmpty()) {
                removed.add(stored.key());
                if (stored.sequences().claimSeq() != change.before().sequences().claimSeq()
                        || stored.specification().version()
                                != change.before().specification().version()) {
                    complaints.add(stored.key() + " was deleted by claim "
                            + change.before().sequences().claimSeq() + ", which does not hold it any more");
                }
            }
        }
    }
}
