package dev.almanac.store;

import java.time.Instant;
import java.util.List;

/**
 * A batch to be claimed with one token.
 *
 * @param ids specification documents
 * @param horizon only documents whose {@code due} is not after this
 * @param lease what they get
 * @param visibleAgain their new {@code due}: the end of the lease plus the margin
 */
public record ClaimRequest(List<String> ids, Instant horizon, Lease lease, Instant visibleAgain) {}
