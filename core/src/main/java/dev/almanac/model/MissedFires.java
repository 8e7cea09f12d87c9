package dev.almanac.model;

import java.time.Instant;

/**
 * Planned fires that passed without a run.
 *
 * @param first the earliest
 * @param last the latest
 * @param count how many, 1 or more
 * @param more whether counting stopped at {@code count} and there were more
 */
public record MissedFires(Instant first, Instant last, long count, boolean more) {}
