package dev.almanac.faults;

import dev.almanac.model.SchedulingCommand;

/**
 * What the jobs of these tests carry.
 *
 * @param millis how long a run takes
 */
public record TimedCommand(long millis) implements SchedulingCommand {}
