package dev.almanac.examples.demo;

import dev.almanac.model.SchedulingCommand;
import java.math.BigDecimal;

/**
 * The command of the demo's jobs.
 *
 * @param kind what the helper does: release, settle, cutoff, refuse, mend
 * @param amount in euro
 * @param millis how long it takes
 */
record Payment(String kind, BigDecimal amount, long millis) implements SchedulingCommand {}
