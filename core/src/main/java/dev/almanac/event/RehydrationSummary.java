package dev.almanac.event;

import dev.almanac.model.MissedFirePolicy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The stored state when a node started to claim (rule R12). Everything is counted up to a bound, so that a start costs
 * the same with ten jobs and with ten million; {@code capped} says that a bound was reached.
 *
 * @param store the server and where it is
 * @param liveNodes how many nodes are live, this one included
 * @param oneOffJobs how many live jobs fire once, of the first 1 000 jobs by key
 * @param recurringJobs how many live jobs recur, of the first 1 000 jobs by key
 * @param dueJobs how many jobs that this node can run were due at that moment, at most 1 000
 * @param missedFires for the recurring ones among the due jobs of which more than one planned fire has passed: how many
 *     fires have passed, by {@code missedFirePolicy}; policies without any are absent
 * @param unrunnableTypes of the first 1 000 jobs: command types that no live node can run, with the number of their jobs
 * @param capped whether a bound was reached, so that the true numbers may be higher
 * @param warnings for the operator
 */
public record RehydrationSummary(
        String store,
        int liveNodes,
        int oneOffJobs,
        int recurringJobs,
        int dueJobs,
        Map<MissedFirePolicy.Kind, Long> missedFires,
        Map<String, Integer> unrunnableTypes,
        boolean capped,
        List<String> warnings) {

    /** Copies what can be changed. */
    public RehydrationSummary {
        missedFires = Map.copyOf(missedFires);
        unrunnableTypes = Map.copyOf(unrunnableTypes);
        warnings = List.copyOf(warnings);
    }

    /** One line for the log; what there is none of is left out. */
    @Override
    public String toString() {
        String missed = missedFires.isEmpty() ? "" : "; missed fires by policy: " + new TreeMap<>(missedFires);
        String unrunnable = unrunnableTypes.isEmpty()
                ? ""
                : "; jobs with command types that no live node can run: " + new TreeMap<>(unrunnableTypes);
        return store + "; " + liveNodes + (liveNodes == 1 ? " live node" : " live nodes") + "; live jobs: " + oneOffJobs
                + " one-off, " + recurringJobs + " recurring; " + dueJobs + " due now" + missed + unrunnable
                + (capped ? "; there may be more, since only a part was counted" : "")
                + (warnings.isEmpty() ? "" : "; warnings: " + String.join("; ", warnings));
    }
}
