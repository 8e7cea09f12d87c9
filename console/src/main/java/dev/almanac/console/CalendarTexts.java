package dev.almanac.console;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.calendars.CalendarDefinition.Kind;
import java.util.LinkedHashMap;
import java.util.Map;

/** Calendars as people type them: a kind and {@code name=value;name=value}. */
final class CalendarTexts {
    private static final String EMPTY = "<empty>";

    private CalendarTexts() {}

    /**
     * The definition of one calendar.
     *
     * @throws IllegalArgumentException with the problem
     */
    static CalendarDefinition definition(String kindName, String parameters) {
        Kind kind = Kind.of(kindName);
        Map<String, String> values = new LinkedHashMap<>();
        if (!parameters.isEmpty() && !parameters.equals(EMPTY)) {
            for (String part : parameters.split(";")) {
                int equals = part.indexOf('=');
                if (equals < 0) {
                    throw new InvalidFieldException("parameters", 1, "'" + part + "' is no name=value");
                }
                String field = configurationName(part.substring(0, equals).strip());
                if (values.put(field, part.substring(equals + 1).strip()) != null) {
                    throw new InvalidFieldException("parameters", 1, "'" + part + "' gives " + field + " twice");
                }
            }
        }
        return new CalendarDefinition(kind, values);
    }

    private static String configurationName(String shortName) {
        return switch (shortName) {
            case "days" -> "exclude-days";
            case "dates" -> "exclude-dates";
            case "start" -> "exclude.start-time";
            case "end" -> "exclude.end-time";
            case "invert" -> "inverted";
            case "expr" -> "exclude-expression";
            case "zone" -> "timezone";
            default -> shortName;
        };
    }
}
