/** Cron expressions, exclusion calendars and clock changes: pure arithmetic on java.time, no clock and no store. */
@NullMarked
package dev.almanac.time;

import org.jspecify.annotations.NullMarked;
