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
     * @param retries how many of the tries that began were not the first of their fire
     * @param lateness how late the tries began
     */
    public record OfType(Map<String, Long> outcomes, long retries, LatenessCounts lateness) {
        /** Copies the outcomes. */
        public OfType {
            outcomes = Map.copyOf(outcomes);
        }
    }
}
