package dev.almanac.console;

import dev.almanac.model.SchedulingCommand;
import java.util.List;

/**
 * The command of type {@code shell}: a program is started.
 *
 * @param command the program and its arguments; no shell reads them unless it is the program
 */
record ShellCommand(List<String> command) implements SchedulingCommand {}
