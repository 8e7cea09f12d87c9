/**
 * The interfaces of the service's own code: {@link dev.almanac.helper.SchedulingHelper} runs commands,
 * {@link dev.almanac.helper.CommandRegistry} maps names to their types.
 */
@NullMarked
package dev.almanac.helper;

import org.jspecify.annotations.NullMarked;
