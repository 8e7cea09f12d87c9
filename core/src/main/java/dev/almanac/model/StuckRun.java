package dev.almanac.model;

import java.time.Instant;

/**
 * A run of this node that is stuck: it should have ended or begun.
 *
 * @param run the run
 * @param since from when on it counts as stuck
 * @param why one sentence: for how long, and in which place
 */
public record StuckRun(OpenRun run, Instant since, String why) {}
