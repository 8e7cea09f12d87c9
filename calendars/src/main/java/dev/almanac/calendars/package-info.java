/**
 * Calendars that exclude fires: start with {@link dev.almanac.calendars.Calendars} for the kinds,
 * {@link dev.almanac.calendars.BusinessDays} for date arithmetic, {@link dev.almanac.calendars.CalendarDefinition} for
 * calendars as data, {@link dev.almanac.calendars.ICalendarImport} for holidays from iCalendar files.
 */
@NullMarked
package dev.almanac.calendars;

import org.jspecify.annotations.NullMarked;
