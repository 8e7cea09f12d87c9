package dev.almanac.calendars;

import java.time.LocalDate;

/**
 * The dates of interest.
 *
 * @param from the first
 * @param through the last
 */
record ICalendarWindow(LocalDate from, LocalDate through) {
    boolean holds(LocalDate date) {
        return !date.isBefore(from) && !date.isAfter(through);
    }
}
