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
 */
public record NodeReport(
        String id,
        String label,
        Instant started,
        Instant seen,
        String zoneRules,
        Duration clockOffset,
        Set<String> types,
        int runs) {}
