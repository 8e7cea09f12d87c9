package dev.almanac.calendars;

import dev.almanac.calendars.CalendarDefinition.Kind;
import dev.almanac.time.ZoneRulesVersion;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the calendar that a definition describes; collects all problems on the way. */
final class DefinitionReader {
    private static final List<String> OF_EVERY_KIND = List.of("timezone", "description");
    private static final int MOST_ITEMS = 100_000;
    private static final int LONGEST_DESCRIPTION = 1_000;

    private final Map<String, String> values;
    private final ProblemList problems = new ProblemList("C2");

    private DefinitionReader(Map<String, String> values) {
        this.values = values;
    }

    static List<String> fields(Kind kind) {
        List<String> fields = new ArrayList<>(kind.fields());
        fields.addAll(OF_EVERY_KIND);
        return fields;
    }

    /** @throws InvalidCalendarException with every problem */
    static RuleCalendar read(Kind kind, Map<String, String> values) {
        DefinitionReader reader = new DefinitionReader(values);
        reader.rejectForeignFields(kind);
        RuleCalendar calendar = reader.calendar(kind);
        ZoneId zone = reader.optional("timezone", DefinitionReader::zone);
        String description = reader.optional("description", DefinitionReader::description);
        reader.problems.refuseIfAny();
        if (calendar == null) {
            throw new IllegalStateException("a calendar was refused without a problem");
        }
        RuleCalendar placed = zone == null ? calendar : calendar.inZone(zone);
        return description == null ? placed : placed.described(description);
    }

    private void rejectForeignFields(Kind kind) {
        List<String> known = fields(kind);
        values.keySet().stream()
                .filter(field -> !known.contains(field))
                .sorted()
                .forEach(field -> problems.add(
                        ShortText.shown(field),
                        values.get(field),
                        "is no field of a " + kind.title() + " calendar" + NearNames.advice(field, known)
                                + "; known are " + known));
    }

    private @Nullable RuleCalendar calendar(Kind kind) {
        return switch (kind) {
            case DAILY -> daily();
            case WEEKLY -> made(() -> Calendars.weekly(items("exclude-days", DefinitionItems::weekday)));
            case MONTHLY -> made(() -> Calendars.monthly(items("exclude-days", DefinitionItems::monthday)));
            case ANNUAL -> made(() -> Calendars.annual(items("exclude-dates", DefinitionItems::yearday)));
            case HOLIDAY -> made(() -> Calendars.holiday(items("exclude-dates", DefinitionItems::date)));
            case RANGE -> made(() -> Calendars.ranges(items("exclude-ranges", DefinitionItems::range)));
            case CRON -> required("exclude-expression", Calendars::cron);
        };
    }

    private @Nullable RuleCalendar daily() {
        LocalTime start = required("exclude.start-time", DefinitionItems::time);
        LocalTime end = required("exclude.end-time", DefinitionItems::time);
        Boolean inverted = optional("inverted", DefinitionReader::truth);
        if (start == null || end == null) {
            return null;
        }
        return made(() -> {
            DailyCalendar daily = Calendars.daily(start, end);
            return Boolean.TRUE.equals(inverted) ? daily.inverted() : daily;
        });
    }

    private @Nullable RuleCalendar made(Supplier<RuleCalendar> make) {
        try {
            return make.get();
        } catch (InvalidCalendarException e) {
            problems.addAll(e);
            return null;
        }
    }

    private <T> @Nullable T required(String field, Function<String, T> parse) {
        if (!values.containsKey(field)) {
            problems.add(field, null, "is required");
        }
        return optional(field, parse);
    }

    private <T> @Nullable T optional(String field, Function<String, T> parse) {
        String value = values.get(field);
        return value == null ? null : parsed(field, value, parse);
    }

    private <T> List<T> items(String field, Function<String, T> parse) {
        String text = values.get(field);
        String[] parts = text == null ? new String[0] : text.split(",", MOST_ITEMS + 1);
        if (parts.length > MOST_ITEMS) {
            problems.add(field, null, "has more items than the limit of " + MOST_ITEMS);
            return List.of();
        }
        List<T> items = new ArrayList<>();
        for (String part : parts) {
            T parsed = parsed(field, part, parse);
            if (parsed != null) {
                items.add(parsed);
            }
        }
        return items;
    }

    private <T> @Nullable T parsed(String field, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (InvalidCalendarException e) {
            problems.addAll(e);
        } catch (DateTimeException | IllegalArgumentException e) {
            problems.add(field, text, "is not understood: " + ShortText.shown(String.valueOf(e.getMessage())));
        }
        return null;
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            String near = NearNames.advice(text, ZoneId.getAvailableZoneIds());
            throw new InvalidCalendarException(
                    "timezone",
                    ShortText.shown(text),
                    "is not known to time zone database " + ZoneRulesVersion.current() + near);
        }
    }

    private static String description(String text) {
        if (text.length() > LONGEST_DESCRIPTION) {
            throw new InvalidCalendarException(
                    "description", ShortText.shown(text), "is longer than the limit of " + LONGEST_DESCRIPTION);
        }
        return text;
    }

    private static boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new InvalidCalendarException("inverted", ShortText.shown(text), "must be true or false");
        }
        return text.equals("true");
    }
}
