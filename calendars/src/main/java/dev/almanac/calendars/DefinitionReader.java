package dev.almanac.calendars;

import dev.almanac.calendars.CalendarDefinition.Kind;
import dev.almanac.model.Problem;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the calendar that a definition describes; collects all problems on the way. */
final class DefinitionReader {
    private static final List<String> OF_EVERY_KIND = List.of("timezone", "description");
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

    private final Map<String, String> values;
    private final List<Problem> problems = new ArrayList<>();

    private DefinitionReader(Map<String, String> values) {
        this.values = values;
    }

    static List<String> fields(Kind kind) {
        List<String> fields = new ArrayList<>(kind.fields());
        fields.addAll(OF_EVERY_KIND);
        return fields;
    }

    static void check(Kind kind, Map<String, String> values) {
        read(kind, values);
    }

    /** @throws InvalidCalendarException with every problem */
    static RuleCalendar read(Kind kind, Map<String, String> values) {
        DefinitionReader reader = new DefinitionReader(values);
        reader.rejectForeignFields(kind);
        RuleCalendar calendar = reader.calendar(kind);
        ZoneId zone = reader.optional("timezone", ZoneId::of);
        if (calendar == null || !reader.problems.isEmpty()) {
            throw new InvalidCalendarException(reader.problems);
        }
        RuleCalendar placed = zone == null ? calendar : calendar.inZone(zone);
        return placed.described(values.getOrDefault("description", ""));
    }

    private void rejectForeignFields(Kind kind) {
        List<String> known = fields(kind);
        values.keySet().stream()
                .filter(field -> !known.contains(field))
                .sorted()
                .forEach(field -> problem(
                        field, values.get(field), "is no field of a " + kind + " calendar; known are " + known));
    }

    private @Nullable RuleCalendar calendar(Kind kind) {
        return switch (kind) {
            case DAILY -> daily();
            case WEEKLY -> days(() -> Calendars.weekly(items("exclude-days", DefinitionReader::weekday)));
            case MONTHLY -> days(() -> Calendars.monthly(items("exclude-days", DefinitionReader::monthday)));
            case ANNUAL -> days(() -> Calendars.annual(items("exclude-dates", text -> MonthDay.parse("--" + text))));
            case HOLIDAY -> days(() -> Calendars.holiday(items("exclude-dates", text -> LocalDate.parse(text, DATE))));
            case CRON -> required("exclude-expression", Calendars::cron);
        };
    }

    private @Nullable RuleCalendar daily() {
        LocalTime start = required("exclude.start-time", LocalTime::parse);
        LocalTime end = required("exclude.end-time", LocalTime::parse);
        Boolean inverted = optional("inverted", DefinitionReader::truth);
        if (start == null || end == null) {
            return null;
        }
        return days(() -> {
            DailyCalendar daily = Calendars.daily(start, end);
            return Boolean.TRUE.equals(inverted) ? daily.inverted() : daily;
        });
    }

    private @Nullable RuleCalendar days(Supplier<RuleCalendar> make) {
        try {
            return make.get();
        } catch (InvalidCalendarException e) {
            problems.addAll(e.problems());
            return null;
        }
    }

    private <T> @Nullable T required(String field, Function<String, T> parse) {
        if (!values.containsKey(field)) {
            problem(field, null, "is required");
        }
        return optional(field, parse);
    }

    private <T> @Nullable T optional(String field, Function<String, T> parse) {
        String value = values.get(field);
        return value == null ? null : parsed(field, value, parse);
    }

    private <T> List<T> items(String field, Function<String, T> parse) {
        List<T> items = new ArrayList<>();
        String text = values.get(field);
        for (String item : text == null ? new String[0] : text.split(",", -1)) {
            T parsed = parsed(field, item, parse);
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
            problems.addAll(e.problems());
        } catch (DateTimeException | IllegalArgumentException e) {
            problem(field, text, "is not understood: " + e.getMessage());
        }
        return null;
    }

    private void problem(String field, @Nullable String value, String reason) {
        problems.add(new Problem(field, value, "C2", reason));
    }

    private static boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new InvalidCalendarException("inverted", text, "must be true or false");
        }
        return text.equals("true");
    }

    private static DayOfWeek weekday(String text) {
        if (text.matches("[1-7]")) {
            int fromSunday = Integer.parseInt(text);
            return DayOfWeek.of(fromSunday == 1 ? 7 : fromSunday - 1);
        }
        String name = text.toUpperCase(Locale.ROOT);
        for (DayOfWeek day : DayOfWeek.values()) {
            if (day.name().equals(name) || day.name().substring(0, 3).equals(name)) {
                return day;
            }
        }
        throw new InvalidCalendarException("exclude-days", text, "is no day; 1 (Sunday) to 7, or SUN to SAT");
    }

    private static int monthday(String text) {
        if (text.equalsIgnoreCase("L")) {
            return Calendars.LAST_DAY;
        }
        if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > 31) {
            throw new InvalidCalendarException("exclude-days", text, "is no day of a month; 1 to 31, or L");
        }
        return Integer.parseInt(text);
    }
}
