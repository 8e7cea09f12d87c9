package dev.almanac.console;

import dev.almanac.model.SchedulingCommand;
import org.jspecify.annotations.Nullable;

/**
 * The command of type {@code log}: a line is printed.
 *
 * @param message what is printed beside the job's key; may be absent
 */
record LogLine(@Nullable String message) implements SchedulingCommand {}
