/**
 * {@code almanac calendars}: the calendars that are stored in a database, and {@code check}, which needs none.
 * {@link dev.almanac.console.calendars.CalendarsCommand} lists the commands.
 */
@NullMarked
package dev.almanac.console.calendars;

import org.jspecify.annotations.NullMarked;
