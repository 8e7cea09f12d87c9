package dev.almanac.web.text;

import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The days of a canonical cron expression in words; null where there are none. */
public final class CronDays {
    private static final Pattern NUMBERS = Pattern.compile("[0-9]+(,[0-9]+)*");
    private static final Pattern BEFORE_LAST = Pattern.compile("L-([0-9]+)(W?)");
    private static final Pattern NEAR = Pattern.compile("([0-9]+)W");
    private static final Pattern OCCURRENCE = Pattern.compile("([A-Z]{3})#([1-5])");
    private static final Pattern LAST = Pattern.compile("([A-Z]{3})L");
    private static final Pattern STEP = Pattern.compile("\\*/([0-9]+)");
    private static final List<String> WEEK = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final int DAYS = 31;

    private CronDays() {}

    /**
     * Such as {@code on the 1st of every month, and on every Monday}.
     *
     * @param days day of the month, month and day of the week, as canonical text writes them
     * @param spring whether a day must match both fields, and steps of weekdays begin with Monday
     */
    public static @Nullable String words(List<String> days, boolean spring) {
        String ofMonth = days.get(0);
        String ofWeek = days.get(2);
        String month = month(days.get(1));
        boolean anyDay = ofMonth.equals("*") || ofMonth.equals("?");
        boolean anyWeekday = ofWeek.equals("*") || ofWeek.equals("?");
        String day = anyDay ? null : day(steps(ofMonth, 1, DAYS));
        boolean hard = spring && (STEP.matcher(ofWeek).matches() || !anyDay && !ofWeek.matches("[A-Z,-]*[A-KM-Z]"));
        String weekday = anyWeekday || hard ? null : weekday(weekdays(ofWeek));
        if (month == null || !anyDay && day == null || !anyWeekday && weekday == null) {
            return null;
        }
        boolean always = month.equals("every month");
        if (anyDay && anyWeekday) {
            return always ? "every day" : "every day of " + month;
        }
        if (anyDay) {
            boolean counted = ofWeek.contains("#") || ofWeek.endsWith("L");
            return counted ? weekday + " of " + month : always ? weekday : weekday + " in " + month;
        }
        String date = "on the " + day + " of " + month;
        // Vixie's rule: where both are restricted, either will do, unless one begins with a star
        boolean both = spring || ofMonth.startsWith("*") || ofWeek.startsWith("*");
        return anyWeekday ? date : both ? date + " that is " + one(weekdays(ofWeek)) : date + ", and " + weekday;
    }

    /** The values of a star with a step, as a list; other texts as they are. */
    private static String steps(String text, int first, int last) {
        Matcher step = STEP.matcher(text);
        return step.matches()
                ? IntStream.iterate(first, i -> i <= last, i -> i + Integer.parseInt(step.group(1)))
                        .mapToObj(String::valueOf)
                        .collect(Collectors.joining(","))
                : text;
    }

    private static String weekdays(String text) {
        return STEP.matcher(text).matches()
                ? Arrays.stream(steps(text, 0, WEEK.size() - 1).split(","))
                        .map(index -> WEEK.get(Integer.parseInt(index)))
                        .collect(Collectors.joining(","))
                : text;
    }

    /** Such as {@code a Monday or a Tuesday}. */
    private static String one(String weekdays) {
        String names = weekdays;
        if (weekdays.contains("-")) {
            int first = WEEK.indexOf(weekdays.substring(0, 3));
            int days = Math.floorMod(WEEK.indexOf(weekdays.substring(4)) - first, WEEK.size());
            names = IntStream.rangeClosed(first, first + days)
                    .mapToObj(day -> WEEK.get(day % WEEK.size()))
                    .collect(Collectors.joining(","));
        }
        return list(names, name -> "a " + weekdayName(name)).replace(" and ", " or ");
    }

    private static @Nullable String month(String text) {
        if (text.equals("*")) {
            return "every month";
        }
        return NUMBERS.matcher(text).matches()
                ? list(
                        text,
                        number -> Month.of(Integer.parseInt(number)).getDisplayName(TextStyle.FULL, Locale.ENGLISH))
                : null;
    }

    private static @Nullable String day(String text) {
        Matcher before = BEFORE_LAST.matcher(text);
        Matcher near = NEAR.matcher(text);
        if (NUMBERS.matcher(text).matches()) {
            return list(text, CronDays::ordinal);
        } else if (text.equals("L")) {
            return "last day";
        } else if (text.equals("LW")) {
            return "last weekday";
        } else if (near.matches()) {
            return "weekday nearest to the " + ordinal(near.group(1));
        } else if (before.matches()) {
            String day = ordinal(before.group(1)) + " day before the last";
            return before.group(2).isEmpty() ? day : "weekday nearest to the " + day;
        }
        return null;
    }

    private static @Nullable String weekday(String text) {
        Matcher occurrence = OCCURRENCE.matcher(text);
        Matcher last = LAST.matcher(text);
        if (occurrence.matches()) {
            return "on the " + ordinal(occurrence.group(2)) + " " + weekdayName(occurrence.group(1));
        } else if (last.matches()) {
            return "on the last " + weekdayName(last.group(1));
        } else if (text.matches("[A-Z]{3}-[A-Z]{3}")) {
            return "from " + weekdayName(text.substring(0, 3)) + " to " + weekdayName(text.substring(4));
        }
        boolean names = Arrays.stream(text.split(",")).allMatch(WEEK::contains);
        return names ? "on " + list(text, name -> "every " + weekdayName(name)) : null;
    }

    private static String list(String text, Function<String, String> word) {
        List<String> words = Arrays.stream(text.split(",")).map(word).toList();
        int last = words.size() - 1;
        return last == 0
                ? words.get(0)
                : words.subList(0, last).stream().collect(Collectors.joining(", ")) + " and " + words.get(last);
    }

    private static String ordinal(String number) {
        int value = Integer.parseInt(number);
        int last = value / 10 == 1 ? 0 : value % 10;
        return value + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
    }

    /** @param name three letters of {@link #WEEK} */
    private static String weekdayName(String name) {
        DayOfWeek day = DayOfWeek.SATURDAY.plus(1 + WEEK.indexOf(name));
        return day.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }
}
