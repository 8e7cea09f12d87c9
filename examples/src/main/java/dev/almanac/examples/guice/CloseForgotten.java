package dev.almanac.examples.guice;

import dev.almanac.model.SchedulingCommand;

/** Closes orders that nobody has touched for some days. */
record CloseForgotten(int afterDays) implements SchedulingCommand {}
