package dev.almanac.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * What a node says of itself.
 *
 * @param id identity of this process start, never the host name
 * @param label host and process, for people
 * @param started when it started, by the server's clock
 * @param seen when it last reported, by the server's clock
 * @param zoneRules version of its time zone database
 * @param clockOffset server's clock minus its own
 * @param types command types that it runs
 * @param runs how many runs it holds
 * @param stopped whether it has left in order: it claims no more, and holds nothing
 */
public record NodeReport(
        String id,
        String label,
        Instant started,
        Instant seen,
        String zoneRules,
        Duration clockOffset,
        Set<String> types,
        int runs,
        boolean stopped) {
    /** One that is at work. */
    public NodeReport(
            String id,
            String label,
            Instant started,
            Instant seen,
            String zoneRules,
            Duration clockOffset,
            Set<String> types,
            int runs) {
        this(id, label, started, seen, zoneRules, clockOffset, types, runs, false);
    }

    /** The last report of a node that leaves in order. */
    public NodeReport leaving() {
        return new NodeReport(id, label, started, seen, zoneRules, clockOffset, types, runs, true);
    }
}
