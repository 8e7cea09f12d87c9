package dev.almanac.examples.guice;

import dev.almanac.model.SchedulingCommand;

/** Closes orders that were not changed for some days. */
record CloseForgotten(int afterDays) implements SchedulingCommand {}
