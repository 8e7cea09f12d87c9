package dev.almanac.model;

import java.time.Instant;

/**
 * A run of this node that ought to have ended, or ought to have begun.
 *
 * @param run what is known of it
 * @param since from when on it counts as stuck
 * @param why one sentence: how long it has taken for what, and where it is
 */
public record StuckRun(OpenRun run, Instant since, String why) {}
