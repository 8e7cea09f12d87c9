package dev.almanac.store;

import java.util.List;

/**
 * The result of a claim.
 *
 * @param jobs the claimed documents as they are under the lease
 * @param blocked documents that cannot be read; they have no lease, are not due, and {@code blocked} says why
 * @param leftToOthers documents that this node cannot read, but others may (rule X6); they have no lease and are due
 * @param groupBusy whether another job of the group is running; then nothing was claimed and nothing has changed
 */
public record ClaimResult(
        List<StoredJob> jobs, List<DamagedJob> blocked, List<DamagedJob> leftToOthers, boolean groupBusy) {
    /** The group is busy. */
    public static final ClaimResult BUSY = new ClaimResult(List.of(), List.of(), List.of(), true);

    /** The result of a claim whose group, if any, was not busy. */
    public ClaimResult(List<StoredJob> jobs, List<DamagedJob> blocked) {
        this(jobs, blocked, List.of(), false);
    }
}
