package dev.almanac.web.page;

import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the console.
 *
 * @param title the title of the pages
 * @param zone of moments, until a browser chooses another
 * @param changes whether anything may be changed here
 * @param payloads whether commands are shown, to those who may see them
 * @param reader makes calendars of stored definitions
 * @param calendars those that code declares, by name
 * @param metrics the metrics of a node in Prometheus' text format; absent if there are none
 */
public record Setup(
        String title,
        ZoneId zone,
        boolean changes,
        boolean payloads,
        CalendarReader reader,
        Map<String, ExclusionCalendar> calendars,
        @Nullable Supplier<String> metrics) {
    /** Copies the calendars. */
    public Setup {
        calendars = Map.copyOf(calendars);
    }
}
