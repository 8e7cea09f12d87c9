package dev.almanac.calendars;

import dev.almanac.time.ExclusionCalendar;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A calendar as data, with the names that configuration uses (rule C2). Immutable.
 *
 * @param kind which kind
 * @param values the fields by their configuration names
 */
public record CalendarDefinition(Kind kind, Map<String, String> values) {
    /** The kinds. */
    public enum Kind {
        /** {@code exclude.start-time}, {@code exclude.end-time}, {@code inverted}. */
        DAILY("exclude.start-time", "exclude.end-time", "inverted"),
        /** {@code exclude-days}: 1 = Sunday to 7, or names. */
        WEEKLY("exclude-days"),
        /** {@code exclude-days}: 1 to 31 and L. */
        MONTHLY("exclude-days"),
        /** {@code exclude-dates}: MM-dd. */
        ANNUAL("exclude-dates"),
        /** {@code exclude-dates}: yyyy-MM-dd. */
        HOLIDAY("exclude-dates"),
        /** {@code exclude-expression}: QUARTZ dialect. */
        CRON("exclude-expression");

        private final List<String> fields;

        Kind(String... fields) {
            this.fields = List.of(fields);
        }

        /** Reads a kind's name in any case. */
        public static Kind of(String name) {
            try {
                return valueOf(name.strip().toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new InvalidCalendarException(
                        "kind", name, "is not known; Daily, Weekly, Monthly, Annual, Holiday or Cron");
            }
        }
    }

    private static final Set<String> COMMON = Set.of("timezone", "description");

    /** @throws InvalidCalendarException if a field is not of the kind */
    public CalendarDefinition {
        values = Map.copyOf(new LinkedHashMap<>(values));
        for (String field : values.keySet()) {
            if (!kind.fields.contains(field) && !COMMON.contains(field)) {
                throw new InvalidCalendarException(
                        field,
                        values.get(field),
                        "is no field of a " + kind + " calendar; known are " + kind.fields + " and " + COMMON);
            }
        }
    }

    /**
     * The calendar.
     *
     * @throws InvalidCalendarException naming the field and value that is wrong
     */
    public ExclusionCalendar calendar() {
        RuleCalendar calendar = switch (kind) {
            case DAILY -> daily();
            case WEEKLY -> Calendars.weekly(items("exclude-days", CalendarDefinition::weekday));
            case MONTHLY -> Calendars.monthly(items("exclude-days", CalendarDefinition::monthday));
            case ANNUAL -> Calendars.annual(items("exclude-dates", text -> MonthDay.parse("--" + text)));
            case HOLIDAY -> Calendars.holiday(items("exclude-dates", LocalDate::parse));
            case CRON -> Calendars.cron(required("exclude-expression"));
        };
        String zone = values.get("timezone");
        RuleCalendar placed =
                zone == null || zone.isBlank() ? calendar : calendar.inZone(parsed("timezone", zone, ZoneId::of));
        return placed.described(values.getOrDefault("description", ""));
    }

    private RuleCalendar daily() {
        DailyCalendar daily = Calendars.daily(
                parsed("exclude.start-time", required("exclude.start-time"), LocalTime::parse),
                parsed("exclude.end-time", required("exclude.end-time"), LocalTime::parse));
        String inverted = values.getOrDefault("inverted", "false");
        if (!inverted.equals("true") && !inverted.equals("false")) {
            throw new InvalidCalendarException("inverted", inverted, "must be true or false");
        }
        return inverted.equals("true") ? daily.inverted() : daily;
    }

    private String required(String field) {
        String value = values.get(field);
        if (value == null || value.isBlank()) {
            throw new InvalidCalendarException(field, value, "is required");
        }
        return value.strip();
    }

    private <T> List<T> items(String field, Function<String, T> parse) {
        String text = values.getOrDefault(field, "").strip();
        List<T> items = new ArrayList<>();
        if (!text.isEmpty()) {
            for (String item : text.split(",", -1)) {
                items.add(parsed(field, item.strip(), parse));
            }
        }
        return items;
    }

    private static <T> T parsed(String field, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (InvalidCalendarException e) {
            throw e;
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new InvalidCalendarException(field, text, "is not understood: " + e.getMessage());
        }
    }

    private static DayOfWeek weekday(String text) {
        if (text.matches("[1-7]")) {
            int fromSunday = Integer.parseInt(text);
            return DayOfWeek.of(fromSunday == 1 ? 7 : fromSunday - 1);
        }
        for (DayOfWeek day : DayOfWeek.values()) {
            String name = text.toUpperCase(Locale.ROOT);
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
        if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) < 1) {
            throw new InvalidCalendarException("exclude-days", text, "is no day of a month; 1 to 31, or L");
        }
        return Integer.parseInt(text);
    }
}
