package dev.almanac.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs to be claimed with one token: a batch of jobs without an exclusive group, or a single one of a group.
 *
 * @param ids specification documents
 * @param horizon only documents whose {@code due} is not after this
 * @param lease what they get
 * @param visibleAgain their new {@code due}: the end of the lease plus the margin
 * @param group the exclusive group of the single job; absent = none of them has one. A job that has another by now is
 *     left alone
 */
public record ClaimRequest(
        List<String> ids,
        Instant horizon,
        Lease lease,
        Instant visibleAgain,
        @Nullable String group) {
    /** @throws IllegalArgumentException if a group is to be claimed for several jobs */
    public ClaimRequest {
        if (group != null && ids.size() != 1) {
            throw new IllegalArgumentException("a group is claimed for one job, not for " + ids.size());
        }
    }

    /** A batch of jobs without a group. */
    public ClaimRequest(List<String> ids, Instant horizon, Lease lease, Instant visibleAgain) {
        this(ids, horizon, lease, visibleAgain, null);
    }
}
