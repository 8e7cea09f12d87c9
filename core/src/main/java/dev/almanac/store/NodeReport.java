package dev.almanac.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The report of a node about itself.
 *
 * @param id identity of this process start, never the host name
 * @param label host and process, for people
 * @param started when it started, by the server's clock
 * @param seen when it last reported, by the server's clock
 * @param zoneRules version of its time zone database
 * @param clockOffset server's clock minus its own
 * @param types command types that it runs
 * @param runs how many claims it holds
 * @param slots how many it may hold at a time; 0 = unknown, for a node of an earlier release
 * @param reasons why an operator should look at it, as only it knows; bounded in number and length, empty if there is
 *     none
 * @param stopped whether it was shut down by a drain: it claims nothing and holds no lease
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
        int slots,
        List<String> reasons,
        boolean stopped) {
    /** Copies the reasons. */
    public NodeReport {
        reasons = List.copyOf(reasons);
    }

    /** The report of a running node without slots and reasons. */
    public NodeReport(
            String id,
            String label,
            Instant started,
            Instant seen,
            String zoneRules,
            Duration clockOffset,
            Set<String> types,
            int runs) {
        this(id, label, started, seen, zoneRules, clockOffset, types, runs, 0, List.of(), false);
    }

    /** Whether it has reported within this time before {@code now} and was not shut down. */
    public boolean isLive(Instant now, Duration within) {
        return !stopped && seen.isAfter(now.minus(within));
    }

    /** The last report of a node that is shut down. */
    public NodeReport leaving() {
        return new NodeReport(id, label, started, seen, zoneRules, clockOffset, types, runs, slots, List.of(), true);
    }
}
