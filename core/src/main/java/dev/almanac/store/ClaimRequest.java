package dev.almanac.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs to be claimed with one token: a batch of jobs without an exclusive group, or a single one of a group.
 *
 * @param ids specification documents
 * @param horizon only documents whose {@code due} is not after this
 * @param lease their lease; the store sets its slot
 * @param visibleAgain their new {@code due}: the end of the lease plus the margin
 * @param entry how the single job enters its group; absent = none of the jobs has a group
 */
public record ClaimRequest(
        List<String> ids,
        Instant horizon,
        Lease lease,
        Instant visibleAgain,
        @Nullable Entry entry) {
    /**
     * How a job enters its exclusive group. The claim changes nothing if the job has another group by now, or holds
     * another slot.
     *
     * @param group the job's exclusive group as the look has read it
     * @param seenSlot the slot of an ended lease that the look has read; absent = none
     * @param slots one of them is taken, the first that is free; empty = none may be taken
     */
    public record Entry(String group, @Nullable String seenSlot, List<String> slots) {
        /** Copies the list. */
        public Entry {
            slots = List.copyOf(slots);
        }
    }

    /** @throws IllegalArgumentException if a group is to be claimed for several jobs */
    public ClaimRequest {
        if (entry != null && ids.size() != 1) {
            throw new IllegalArgumentException("a group is claimed for one job, not for " + ids.size());
        }
    }

    /** A batch of jobs without a group. */
    public ClaimRequest(List<String> ids, Instant horizon, Lease lease, Instant visibleAgain) {
        this(ids, horizon, lease, visibleAgain, null);
    }

    /** For how long the slot of a lease that is over is kept. */
    public Duration margin() {
        return Duration.between(lease.until(), visibleAgain);
    }

    /** The exclusive group of the single job; absent = none of them has one. */
    public @Nullable String group() {
        return entry == null ? null : entry.group();
    }
}
