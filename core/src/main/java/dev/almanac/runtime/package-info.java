/**
 * Clocks, threads and settings: {@link dev.almanac.runtime.TimeSource} is the only clock,
 * {@link dev.almanac.runtime.Lanes} the only place where the engine's steps are run, and
 * {@link dev.almanac.runtime.SchedulerSettings} holds the numeric settings.
 */
@NullMarked
package dev.almanac.runtime;

import org.jspecify.annotations.NullMarked;
