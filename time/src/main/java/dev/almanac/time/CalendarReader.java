package dev.almanac.time;

import java.util.Map;

/** Makes calendars of definitions that are stored in the database. Thread-safe and pure. */
@FunctionalInterface
public interface CalendarReader {
    /** Understands no definition at all: for services whose calendars are all declared in code. */
    CalendarReader NONE = definition -> {
        throw new IllegalArgumentException(
                "this service reads no stored calendars; give its builder a calendarReader, such as that of"
                        + " almanac-calendars");
    };

    /**
     * The calendar of a definition.
     *
     * @param definition plain values: texts, numbers, booleans, lists and maps of them
     * @throws IllegalArgumentException with every problem of the definition
     */
    ExclusionCalendar read(Map<String, Object> definition);
}
