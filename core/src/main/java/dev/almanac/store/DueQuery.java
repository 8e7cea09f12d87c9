package dev.almanac.store;

import java.time.Instant;
import java.util.Set;

/**
 * A look for due jobs.
 *
 * @param types registered command names that it can run; an empty set finds nothing
 * @param exceptTags jobs that carry one of these tags are not found
 * @param exceptGroups jobs of these exclusive groups are not found
 * @param partitions claim partitions to look in
 * @param minPriority most urgent priority, 0 to 7
 * @param maxPriority least urgent priority, {@code minPriority} to 7
 * @param until latest {@code due}, by the server's clock
 * @param limit most jobs to return, 1 or more; if there are that many, up to as many urgent ones are added
 * @param anyNeeds whether jobs are found, too, with needs that this process does not support
 */
public record DueQuery(
        Set<String> types,
        Set<String> exceptTags,
        Set<String> exceptGroups,
        Set<Integer> partitions,
        int minPriority,
        int maxPriority,
        Instant until,
        int limit,
        boolean anyNeeds) {
    /** As the canonical constructor, for jobs that this process supports. */
    public DueQuery(
            Set<String> types,
            Set<String> exceptTags,
            Set<String> exceptGroups,
            Set<Integer> partitions,
            int minPriority,
            int maxPriority,
            Instant until,
            int limit) {
        this(types, exceptTags, exceptGroups, partitions, minPriority, maxPriority, until, limit, false);
    }

    /** As the canonical constructor, for jobs of any group that this process supports. */
    public DueQuery(
            Set<String> types,
            Set<String> exceptTags,
            Set<Integer> partitions,
            int minPriority,
            int maxPriority,
            Instant until,
            int limit) {
        this(types, exceptTags, Set.of(), partitions, minPriority, maxPriority, until, limit);
    }

    /** The same look, for jobs with any needs. */
    public DueQuery withAnyNeeds() {
        return new DueQuery(types, exceptTags, exceptGroups, partitions, minPriority, maxPriority, until, limit, true);
    }
}
