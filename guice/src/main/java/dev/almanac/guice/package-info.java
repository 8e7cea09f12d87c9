/**
 * Almanac in a Guice service: install {@link dev.almanac.guice.SchedulerModule}, and tell
 * {@link dev.almanac.guice.SchedulingHelperBinder} of helpers, command types, calendars and listeners. The service
 * starts and stops {@link dev.almanac.guice.SchedulerService} with itself.
 */
@NullMarked
package dev.almanac.guice;

import org.jspecify.annotations.NullMarked;
