package dev.almanac.calendars;

import dev.almanac.model.Problem;
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
     * @param name in upper case
     * @param number of its line in the file
     * @param parameters by upper-case name
     * @param value unchanged
     */
    record Line(String name, int number, Map<String, String> parameters, String value) {}

    private final int number;
    private final Map<String, List<Line>> lines = new LinkedHashMap<>();

    /** @param number of the line where it begins */
    RawEvent(int number) {
        this.number = number;
    }

    void add(Line line) {
        lines.computeIfAbsent(line.name(), absent -> new ArrayList<>()).add(line);
    }

    List<Line> all(String name) {
        return lines.getOrDefault(name, List.of());
    }

    /** The only line of that name, or null if there is none. */
    @Nullable
    Line single(String name) {
        List<Line> found = all(name);
        if (found.size() > 1) {
            throw refused(found.get(1), "occurs more than once");
        }
        return found.isEmpty() ? null : found.get(0);
    }

    /** The only line of that name. */
    Line required(String name) {
        Line line = single(name);
        if (line == null) {
            throw lacking(name, "is required");
        }
        return line;
    }

    /** A problem of a property, with line and event. */
    InvalidCalendarException refused(Line line, String reason) {
        return refused(line.name(), line.value(), reason, line.number());
    }

    /** A problem of the event as a whole, such as a missing property. */
    InvalidCalendarException lacking(String property, String reason) {
        return refused(property, null, reason, number);
    }

    private InvalidCalendarException refused(String property, @Nullable String value, String reason, int line) {
        List<Line> uid = all("UID");
        String event = uid.isEmpty()
                ? "an event without UID"
                : "event '" + ShortText.shown(uid.get(0).value()) + "'";
        return new InvalidCalendarException(List.of(new Problem(
                property,
                value == null ? null : ShortText.shown(value),
                ICalendarImport.RULE,
                ShortText.plain(reason) + ", line " + line + ", in " + event)));
    }
}
