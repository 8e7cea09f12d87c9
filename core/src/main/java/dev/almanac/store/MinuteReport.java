package dev.almanac.store;

import java.time.Instant;
import java.util.Map;

/**
 * What one node has run within one minute.
 *
 * @param node identity of the process start
 * @param minute when the minute began, by the server's clock
 * @param types by registered command type
 * @param missed how many planned fires passed without a run
 */
public record MinuteReport(String node, Instant minute, Map<String, OfType> types, long missed) {
    /** Copies the types. */
    public MinuteReport {
        types = Map.copyOf(types);
    }

    /**
     * Of one command type.
     *
     * @param outcomes how many status rows of runs were written, by outcome
     * @param failed how many of these rows record that a fire failed for good
     * @param retries how many of the tries that began were not the first of their fire
     * @param late how many of the tries began later than the threshold of their job allows
     * @param missed how many planned fires passed without a run
     * @param tooLate how many of those, since their start deadline was over
     * @param lateness how late the tries began; without those of manual runs
     */
    public record OfType(
            Map<String, Long> outcomes,
            long failed,
            long retries,
            long late,
            long missed,
            long tooLate,
            LatenessCounts lateness) {
        /** Without a run. */
        public static final OfType NONE = new OfType(Map.of(), 0, 0, 0, 0, 0, LatenessCounts.NONE);

        /** Copies the outcomes. */
        public OfType {
            outcomes = Map.copyOf(outcomes);
        }
    }
}
