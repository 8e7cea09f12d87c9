package dev.almanac.helper;

import dev.almanac.model.SchedulingCommand;

/**
 * What runs commands: a {@link SchedulingHelper}, or a {@link TypedHelper.Call} for one type. Implement one of these.
 *
 * @param <C> the type of the commands
 */
public sealed interface CommandRunner<C extends SchedulingCommand> permits SchedulingHelper, TypedHelper.Call {}
