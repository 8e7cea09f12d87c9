/**
 * Almanac in a Guice service: install {@link dev.almanac.guice.SchedulerModule}, and register helpers, command types,
 * calendars and listeners with {@link dev.almanac.guice.SchedulingHelperBinder}. The service starts and stops
 * {@link dev.almanac.guice.SchedulerService} with itself.
 */
@NullMarked
package dev.almanac.guice;

import org.jspecify.annotations.NullMarked;
