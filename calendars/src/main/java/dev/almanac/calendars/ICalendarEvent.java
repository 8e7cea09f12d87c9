package dev.almanac.calendars;

import java.time.LocalDate;
import java.util.List;
import java.util.TreeSet;

/**
 * One event of an iCalendar file with the dates that it covers. Immutable.
 *
 * @param uid by which a later import recognises it
 * @param summary for people; may be empty; no control characters
 * @param dates in order, each once; none if the event was cancelled or lies outside the window
 */
public record ICalendarEvent(String uid, String summary, List<LocalDate> dates) {
    /** Sorts the dates. */
    public ICalendarEvent {
        dates = List.copyOf(new TreeSet<>(dates));
    }
}
