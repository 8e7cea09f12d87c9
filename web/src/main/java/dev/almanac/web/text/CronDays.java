package dev.almanac.web.text;

import static java.time.temporal.ChronoField.DAY_OF_MONTH;
import static java.time.temporal.ChronoField.DAY_OF_WEEK;
import static java.time.temporal.ChronoField.MONTH_OF_YEAR;

import dev.almanac.time.CronDialect;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The days of a cron expression in words; null where there are none. */
final class CronDays {
    private static final Pattern BEFORE_LAST = Pattern.compile("L-([0-9]+)(W?)");
    private static final Pattern RANGE = Pattern.compile("([A-Z]{3})-([A-Z]{3})");
    private static final List<String> WEEK = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

    private CronDays() {}

    /** Such as {@code on the 1st of every month, and on every Monday}. */
    static @Nullable String words(CronFields fields) {
        String ofMonth = fields.text(DAY_OF_MONTH);
        String ofWeek = fields.text(DAY_OF_WEEK);
        boolean anyDay = ofMonth.equals("*") || ofMonth.equals("?");
        boolean anyWeekday = ofWeek.equals("*") || ofWeek.equals("?");
        boolean counted = isCounted(ofWeek);
        String weekday = anyWeekday ? "" : weekday(fields, ofWeek);
        if (weekday == null || counted && !anyDay) {
            return null;
        }
        boolean always = fields.isAny(MONTH_OF_YEAR);
        String month = always ? "every month" : CronFields.runs(fields.values(MONTH_OF_YEAR), CronDays::month);
        String inMonth = counted ? " of " + month : always ? "" : " in " + month;
        if (anyDay) {
            return !anyWeekday ? weekday + inMonth : always ? "every day" : "every day of " + month;
        }
        String date = "on the " + day(fields, ofMonth) + " of " + month;
        if (anyWeekday) {
            return date;
        }
        // Vixie's rule: where both are restricted, either will do, unless one begins with a star
        boolean both = fields.dialect == CronDialect.SPRING || ofMonth.startsWith("*") || ofWeek.startsWith("*");
        return both
                ? date + " that is " + CronFields.list(weekdays(fields, "a "), " or ")
                : date + ", and " + weekday + inMonth;
    }

    private static String month(int number) {
        return Month.of(number).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }

    /** The numbers of a list, and then its forms. */
    private static String day(CronFields fields, String text) {
        List<String> days = new ArrayList<>();
        String numbers =
                Stream.of(text.split(",")).filter(item -> !isForm(item)).collect(Collectors.joining(","));
        if (!numbers.isEmpty()) {
            days.add(CronFields.runs(fields.values(DAY_OF_MONTH, numbers), CronDays::ordinal));
        }
        Stream.of(text.split(",")).filter(CronDays::isForm).forEach(item -> days.add(form(item)));
        return String.join(" and the ", days);
    }

    private static boolean isForm(String day) {
        return day.contains("L") || day.contains("W");
    }

    private static String form(String text) {
        Matcher before = BEFORE_LAST.matcher(text);
        if (text.equals("L")) {
            return "last day";
        } else if (text.equals("LW")) {
            return "last weekday";
        } else if (before.matches()) {
            String day = ordinal(Integer.parseInt(before.group(1))) + " day before the last";
            return before.group(2).isEmpty() ? day : "weekday nearest to the " + day;
        }
        return "weekday nearest to the " + ordinal(Integer.parseInt(text.replace("W", "")));
    }

    /** Whether it names some of the weekdays of a month only, such as {@code MON#1} and {@code FRIL}. */
    private static boolean isCounted(String weekday) {
        return weekday.contains("#") || weekday.contains("L");
    }

    private static @Nullable String weekday(CronFields fields, String text) {
        Matcher range = RANGE.matcher(text);
        if (range.matches()) {
            return "from " + weekdayName(range.group(1)) + " to " + weekdayName(range.group(2));
        } else if (!isCounted(text)) {
            return "on " + CronFields.list(weekdays(fields, "every "), " and ");
        } else if (text.contains(",")) {
            return null;
        }
        String which = text.endsWith("L") ? "last" : ordinal(Integer.parseInt(text.substring(4)));
        return "on the " + which + " " + weekdayName(text.substring(0, 3));
    }

    /** Sunday first. */
    private static List<String> weekdays(CronFields fields, String before) {
        return fields.values(DAY_OF_WEEK).stream()
                .sorted(Comparator.comparing(value -> value % WEEK.size()))
                .map(value -> before + weekdayName(DayOfWeek.of(value)))
                .toList();
    }

    private static String ordinal(int value) {
        int last = value / 10 == 1 ? 0 : value % 10;
        return value + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
    }

    /** @param name three letters of {@link #WEEK} */
    private static String weekdayName(String name) {
        return weekdayName(DayOfWeek.SATURDAY.plus(1 + WEEK.indexOf(name)));
    }

    private static String weekdayName(DayOfWeek day) {
        return day.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }
}
