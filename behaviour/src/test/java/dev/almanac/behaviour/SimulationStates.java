package dev.almanac.behaviour;

import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Judges the state between runs: a run is handed what the last run has left whose end was applied, and nobody else's. */
final class SimulationStates {
    private final Map<String, Map<String, Object>> left = new HashMap<>();
    private final List<String> complaints;

    SimulationStates(List<String> complaints) {
        this.complaints = complaints;
    }

    /** The document has this state by now. */
    void left(StoredJob job) {
        left.put(job.id(), job.state());
    }

    void note(List<?> changes, List<?> applied) {
        for (int i = 0; i < changes.size(); i++) {
            JobChange change = (JobChange) changes.get(i);
            boolean set = !change.after().state().equals(change.before().state());
            if (set && Boolean.TRUE.equals(applied.get(i))) {
                left(change.after());
            }
        }
    }

    void judge(StoredJob job) {
        Map<String, Object> expected = left.getOrDefault(job.id(), Map.of());
        if (!job.state().equals(expected)) {
            complaints.add(job.key() + " has the state " + new TreeMap<>(job.state())
                    + ", and the last end of a run that was applied left " + new TreeMap<>(expected));
        }
    }
}
