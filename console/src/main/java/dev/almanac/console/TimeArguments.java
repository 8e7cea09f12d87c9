package dev.almanac.console;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.calendars.Calendars;
import dev.almanac.calendars.DayCalendar;
import dev.almanac.calendars.Target2;
import dev.almanac.time.CronDialect;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads arguments about time; errors name the field. */
final class TimeArguments {
    private static final String EMPTY = "<empty>";

    /** Short names of what a calendar is made of. */
    private static final Map<String, String> SHORT = Map.of(
            "days", "exclude-days",
            "dates", "exclude-dates",
            "start", "exclude.start-time",
            "end", "exclude.end-time",
            "invert", "inverted",
            "expr", "exclude-expression",
            "zone", "timezone");

    private TimeArguments() {}

    static <T> T field(String name, Supplier<T> parse) {
        try {
            return parse.get();
        } catch (RuntimeException e) {
            throw InvalidFieldException.of(name, e);
        }
    }

    /** @param read throws IllegalArgumentException with the allowed forms; the error quotes the text before them */
    static <T> T quoted(String name, String text, Function<String, T> read) {
        try {
            return read.apply(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidFieldException(name, 1, "'" + text + "' " + e.getMessage());
        }
    }

    static <E extends Enum<E>> E word(String name, Class<E> type, String text) {
        return quoted(name, text, word -> Nearest.constant(type, word));
    }

    /** @param anchor from where steps are counted */
    static Schedule schedule(String dialect, String expression, Instant anchor) {
        CronDialect parsed = word("dialect", CronDialect.class, dialect);
        return field("expression", () -> Schedule.parse(expression.equals(EMPTY) ? "" : expression, parsed, anchor));
    }

    static ZoneId zone(String text) {
        return quoted("zone", text, Times::zone);
    }

    /** A moment in any of the forms that all commands read. */
    static Instant instant(String name, String text, ZoneId zone) {
        return quoted(name, text, moment -> Times.moment(moment, zone, Instant.now()));
    }

    static int count(String text) {
        int count = quoted("count", text, JobField::number);
        if (count < 1 || count > 10_000) {
            throw new InvalidFieldException("count", 1, count + " is not within 1 to 10000");
        }
        return count;
    }

    /** A chain such as {@code Weekly+Daily} with parameters {@code days=1,7 | start=09:00;end=17:30;invert=true}. */
    static ExclusionCalendar calendar(String kinds, String parameters) {
        String[] kind = kinds.split("\\+");
        String[] values = parameters.split("\\|", -1);
        if (kind.length != values.length) {
            throw new InvalidFieldException(
                    "parameters", 1, kind.length + " kinds need as many parameters, separated by ' | '");
        }
        List<ExclusionCalendar> chain = new ArrayList<>();
        for (int i = 0; i < kind.length; i++) {
            chain.add(single(kind[i].strip(), values[i].strip()));
        }
        return Calendars.allOf(chain);
    }

    /** The days that need no parameters, by their names; null for other names. */
    static @Nullable DayCalendar named(String name) {
        return switch (name.strip().toUpperCase(Locale.ROOT)) {
            case "TARGET2" -> Target2.calendar();
            case "WEEKENDS" -> Calendars.weekends();
            default -> null;
        };
    }

    /** The first of a chain of kinds that is neither a kind nor {@link #named}, and what may be meant; null if all are. */
    static @Nullable String unknown(String kinds) {
        List<String> known =
                List.of("Daily", "Weekly", "Monthly", "Annual", "Holiday", "Range", "Cron", "TARGET2", "WEEKENDS");
        return Arrays.stream(kinds.split("\\+"))
                .map(String::strip)
                .filter(kind -> known.stream().noneMatch(kind::equalsIgnoreCase))
                .findFirst()
                .map(kind -> {
                    String meant = Nearest.meant(kind, known);
                    return "'" + kind + "' is no kind and no built-in calendar"
                            + (meant.isEmpty()
                                    ? "; one that is stored is shown by almanac calendars show, and what it does to a job"
                                            + " by almanac jobs preview KEY"
                                    : meant);
                })
                .orElse(null);
    }

    /**
     * One calendar, as a kind and {@code name=value;name=value}.
     *
     * @throws IllegalArgumentException with the problem
     */
    static CalendarDefinition definition(String kindName, String parameters) {
        CalendarDefinition.Kind kind = CalendarDefinition.Kind.of(kindName);
        return new CalendarDefinition(kind, fields(parameters));
    }

    /**
     * The fields that {@code name=value;name=value} gives, by their names in a file.
     *
     * @throws InvalidFieldException with the problem
     */
    static Map<String, String> fields(String parameters) {
        Map<String, String> values = new LinkedHashMap<>();
        if (!parameters.isEmpty() && !parameters.equals(EMPTY)) {
            for (String part : parameters.split(";")) {
                int equals = part.indexOf('=');
                if (equals < 0) {
                    throw new InvalidFieldException("parameters", 1, "'" + part + "' is no name=value");
                }
                String name = part.substring(0, equals).strip();
                String field = SHORT.getOrDefault(name, name);
                if (values.put(field, part.substring(equals + 1).strip()) != null) {
                    throw new InvalidFieldException("parameters", 1, "'" + part + "' gives " + field + " twice");
                }
            }
        }
        return values;
    }

    private static ExclusionCalendar single(String kindName, String parameters) {
        DayCalendar named = named(kindName);
        if (named != null) {
            if (!parameters.isEmpty() && !parameters.equals(EMPTY)) {
                throw new InvalidFieldException("parameters", 1, kindName + " has none");
            }
            return named;
        }
        return field("calendar", () -> definition(kindName, parameters).calendar());
    }
}
