package dev.almanac.store;

import java.time.Instant;
import java.util.Map;

/**
 * Leases to be lengthened.
 *
 * @param tokens the lease token by specification document
 * @param until their new end
 * @param visibleAgain the documents' new {@code due}: that end plus the margin
 */
public record Renewal(Map<String, Long> tokens, Instant until, Instant visibleAgain) {}
