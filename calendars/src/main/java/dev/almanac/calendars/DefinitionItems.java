package dev.almanac.calendars;

import dev.almanac.text.Ascii;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The single values of a definition, as configuration writes them (rule C2). */
final class DefinitionItems {
    private static final String DAYS = "exclude-days";
    private static final String DATES = "exclude-dates";
    private static final String RANGES = "exclude-ranges";
    private static final Pattern TIME = Pattern.compile("[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final String MOMENT = "([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?)";
    private static final Pattern RANGE = Pattern.compile(MOMENT + "/" + MOMENT);
    private static final Pattern YEARDAY = Pattern.compile("[0-9]{2}-[0-9]{2}");
    private static final Pattern WEEKDAY = Pattern.compile("[1-7]");
    private static final Pattern MONTHDAY = Pattern.compile("0?[1-9]|[12][0-9]|3[01]");

    private DefinitionItems() {}

    static LocalTime time(String text) {
        if (!TIME.matcher(text).matches()) {
            throw new DateTimeException("no time of day such as 03:00, 23:59:59 or 23:59:59.999");
        }
        return LocalTime.parse(text);
    }

    static LocalDate date(String text) {
        return parsed(DATE, text, "is no date such as 2026-12-25", LocalDate::parse);
    }

    static DateTimeRange range(String text) {
        Matcher parts = RANGE.matcher(text);
        if (parts.matches()) {
            try {
                return new DateTimeRange(LocalDateTime.parse(parts.group(1)), LocalDateTime.parse(parts.group(4)));
            } catch (DateTimeException e) {
                // the form is right and a day or hour does not exist: the same refusal
            }
        }
        throw new InvalidCalendarException(
                RANGES,
                ShortText.shown(text),
                "is not from one date-time to another, such as 2026-12-24T18:00/2026-12-27T06:00");
    }

    static MonthDay yearday(String text) {
        return parsed(YEARDAY, text, "is no day of a year such as 12-25", day -> MonthDay.parse("--" + day));
    }

    private static <T> T parsed(Pattern pattern, String text, String refusal, Function<String, T> parse) {
        if (pattern.matcher(text).matches()) {
            try {
                return parse.apply(text);
            } catch (DateTimeException e) {
                // the form is right and the day does not exist: the same refusal
            }
        }
        throw new InvalidCalendarException(DATES, ShortText.shown(text), refusal);
    }

    static DayOfWeek weekday(String text) {
        if (WEEKDAY.matcher(text).matches()) {
            int fromSunday = Integer.parseInt(text);
            return DayOfWeek.of(fromSunday == 1 ? 7 : fromSunday - 1);
        }
        String name = Ascii.upper(text);
        for (DayOfWeek day : DayOfWeek.values()) {
            if (day.name().equals(name) || day.name().substring(0, 3).equals(name)) {
                return day;
            }
        }
        throw new InvalidCalendarException(DAYS, ShortText.shown(text), "is no day; 1 (Sunday) to 7, or SUN to SAT");
    }

    static int monthday(String text) {
        if (text.equalsIgnoreCase("L")) {
            return Calendars.LAST_DAY;
        }
        if (!MONTHDAY.matcher(text).matches()) {
            throw new InvalidCalendarException(DAYS, ShortText.shown(text), "is no day of a month; 1 to 31, or L");
        }
        return Integer.parseInt(text);
    }
}
