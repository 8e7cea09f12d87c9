/**
 * Schedules, exclusion calendars and clock changes: pure arithmetic on java.time, no clock and no store.
 *
 * <p>Start with {@link dev.almanac.time.Schedule} for one text in its dialect and with {@link dev.almanac.time.Recurrence}
 * for all that decides when a job fires. Inside, three steps follow each other: {@code CronReader} turns text into a
 * {@code LocalPattern}; the pattern searches local time, in which every day has 86,400 seconds; {@code WallSearch} lays
 * local time on the instants of a zone, one stretch of constant offset after the other.
 */
@NullMarked
package dev.almanac.time;

import org.jspecify.annotations.NullMarked;
