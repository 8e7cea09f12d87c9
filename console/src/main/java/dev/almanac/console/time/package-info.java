/**
 * The commands about time, which need no database: {@code cron}, {@code calendars check}, {@code business-days}. Each
 * answers one question, or with {@code --batch} a line for each line of its input.
 */
@NullMarked
package dev.almanac.console.time;

import org.jspecify.annotations.NullMarked;
