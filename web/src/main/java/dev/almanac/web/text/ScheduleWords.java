package dev.almanac.web.text;

import dev.almanac.model.JobSpecification;
import dev.almanac.time.CronDialect;
import dev.almanac.time.Schedule;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When a job fires, in words where there are short ones, else as it is written. */
public final class ScheduleWords {
    private static final Pattern STEP = Pattern.compile("(?:\\*|0)/([0-9]{1,2})");
    private static final Pattern NUMBERS = Pattern.compile("[0-9]{1,2}(,[0-9]{1,2}){0,5}");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,2})-([0-9]{1,2})");
    private static final int SIXTY = 60;
    private static final int DAY = 24;

    private ScheduleWords() {}

    /** Of a job, without its zone; that of a one-off is "once". */
    public static String of(JobSpecification job) {
        return job.schedulingSpecification()
                .map(text -> of(text, job.cronDialect()))
                .orElse("once");
    }

    /** Of the text of a schedule, which may be wrong. */
    public static String of(String text, CronDialect dialect) {
        String canonical = Schedule.canonical(text, dialect);
        return switch (dialect) {
            case QUARTZ, UNIX, SPRING -> {
                String words = ofCron(canonical, dialect);
                yield words == null ? "by the cron " + text : words;
            }
            case EVERY -> "every " + length(canonical);
            case EVERY_AFTER_END -> length(canonical) + " after the end of each run";
            case RRULE -> "by the rule " + text;
        };
    }

    private static String length(String text) {
        try {
            return length(Duration.parse(text));
        } catch (DateTimeException ofMonths) {
            return text;
        }
    }

    /** All of it, in the largest units of which there are at least two. */
    private static String length(Duration step) {
        if (step.toDays() >= 2 && step.equals(Duration.ofDays(step.toDays()))) {
            return step.toDays() + " days";
        }
        long hours = step.toHours() >= 2 ? step.toHours() : 0;
        Duration rest = step.minusHours(hours);
        long minutes = hours > 0 || rest.toMinutes() >= 2 ? rest.toMinutes() : 0;
        BigDecimal seconds = BigDecimal.valueOf(rest.minusMinutes(minutes).toMillis(), 3);
        return Stream.of(
                        hours == 0 ? "" : hours + " h",
                        minutes == 0 ? "" : minutes + " min",
                        seconds.signum() == 0
                                ? ""
                                : seconds.stripTrailingZeros().toPlainString() + " s")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
    }

    /** Of a cron expression in its canonical form; absent if there are no short words. */
    public static @Nullable String ofCron(String canonical, CronDialect dialect) {
        List<String> fields = List.of(canonical.split(" "));
        int date = dialect == CronDialect.UNIX ? 2 : 3;
        boolean years = fields.size() > date + 3 && !fields.get(date + 3).equals("*");
        if (years || fields.size() < date + 3) {
            return null;
        }
        String days = CronDays.words(fields.subList(date, date + 3), dialect == CronDialect.SPRING);
        List<String> times = fields.subList(0, date);
        String time =
                date == 2 ? time("0", times.get(0), times.get(1)) : time(times.get(0), times.get(1), times.get(2));
        if (days == null || time == null) {
            return null;
        }
        boolean eachDay = days.equals("every day") && !time.startsWith("at ");
        return eachDay ? time.replaceFirst(",$", "") : time + " " + days;
    }

    private static @Nullable String time(String second, String minute, String hour) {
        if (isNumber(second) && isNumber(minute) && NUMBERS.matcher(hour).matches()) {
            String rest = ":" + two(minute) + (second.equals("0") ? "" : ":" + two(second));
            return "at " + Stream.of(hour.split(",")).map(h -> two(h) + rest).collect(Collectors.joining(", "));
        }
        String within = within(hour);
        if (within != null && minute.equals("*") && !isNumber(second)) {
            return repeated(second, "second", within);
        }
        if (within != null && second.equals("0") && !isNumber(minute)) {
            return repeated(minute, "minute", within);
        }
        String hours = step(hour, DAY);
        if (isNumber(second) && isNumber(minute) && (hours != null || within != null)) {
            String at = minute.equals("0") && second.equals("0")
                    ? ""
                    : " at minute " + minute + (second.equals("0") ? "" : ":" + two(second));
            return (hours == null ? "every hour" : "every " + hours + " hours") + at + (within == null ? "" : within);
        }
        return null;
    }

    private static @Nullable String repeated(String field, String unit, String within) {
        String step = step(field, SIXTY);
        String every = field.equals("*") || "1".equals(step) ? "every " + unit : "every " + step + " " + unit + "s";
        return step == null && !field.equals("*") ? null : every + within;
    }

    /** A step that meets the same places in each round; any other one has no short words. */
    private static @Nullable String step(String field, int round) {
        Matcher step = STEP.matcher(field);
        return step.matches() && round % Math.max(1, Integer.parseInt(step.group(1))) == 0 ? step.group(1) : null;
    }

    private static @Nullable String within(String hour) {
        Matcher range = RANGE.matcher(hour);
        if (range.matches()) {
            return ", from " + two(range.group(1)) + ":00 to " + two(range.group(2)) + ":59,";
        }
        return hour.equals("*") ? "" : null;
    }

    private static boolean isNumber(String field) {
        return field.matches("[0-9]{1,2}");
    }

    private static String two(String number) {
        return number.length() == 1 ? "0" + number : number;
    }
}
