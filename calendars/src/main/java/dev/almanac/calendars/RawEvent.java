package dev.almanac.calendars;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of a VEVENT as they stand in the file. */
final class RawEvent {
    /**
     * One property.
     *
     * @param parameters by upper-case name
     * @param value unchanged
     */
    record Line(Map<String, String> parameters, String value) {}

    private final Map<String, List<Line>> lines = new LinkedHashMap<>();

    void add(String name, Map<String, String> parameters, String value) {
        lines.computeIfAbsent(name, absent -> new ArrayList<>()).add(new Line(Map.copyOf(parameters), value));
    }

    List<Line> all(String name) {
        return lines.getOrDefault(name, List.of());
    }

    /** The only line of that name, or null if there is none. */
    @Nullable
    Line single(String name) {
        List<Line> found = all(name);
        if (found.size() > 1) {
            throw refused(name, found.get(1).value(), "occurs more than once");
        }
        return found.isEmpty() ? null : found.get(0);
    }

    /** A problem that says in which event it is. */
    InvalidCalendarException refused(String property, @Nullable String value, String reason) {
        List<Line> uid = all("UID");
        String event = uid.isEmpty()
                ? "an event without UID"
                : "event '" + shortened(uid.get(0).value()) + "'";
        return new InvalidCalendarException(property, value, reason + ", in " + event);
    }

    /** Fit for a message: bounded, and without characters that would steer a terminal. */
    static String shortened(@Nullable String value) {
        String text = String.valueOf(value).replaceAll("\\p{Cntrl}", " ");
        return text.length() > 80 ? text.substring(0, 80) + "…" : text;
    }
}
