package dev.almanac.store;

import java.util.List;

/**
 * What a claim brought.
 *
 * @param jobs the claimed documents as they are under the lease
 * @param setAside documents that cannot be read; they hold no lease, are not due, and say why in {@code blocked}
 */
public record ClaimResult(List<StoredJob> jobs, List<DamagedJob> setAside) {}
