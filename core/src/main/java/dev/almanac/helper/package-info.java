/**
 * The interfaces of the service's own code: {@link dev.almanac.helper.SchedulingHelper} runs commands,
 * {@link dev.almanac.helper.CommandRegistry} knows their types by name.
 */
@NullMarked
package dev.almanac.helper;

import org.jspecify.annotations.NullMarked;
