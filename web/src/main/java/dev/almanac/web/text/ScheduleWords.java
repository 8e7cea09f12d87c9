package dev.almanac.web.text;

import static java.time.temporal.ChronoField.HOUR_OF_DAY;
import static java.time.temporal.ChronoField.MINUTE_OF_HOUR;
import static java.time.temporal.ChronoField.SECOND_OF_MINUTE;
import static java.time.temporal.ChronoField.YEAR;

import dev.almanac.model.JobSpecification;
import dev.almanac.time.CronDialect;
import dev.almanac.time.CronExpression;
import dev.almanac.time.InvalidCronException;
import dev.almanac.time.Schedule;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When a job fires, in words where there are true ones, else as it is written. */
public final class ScheduleWords {
    private static final Pattern STEP = Pattern.compile("(?:\\*|0)/([0-9]{1,2})");
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

    /** Of the text of a schedule; one that its dialect refuses or that never fires is shown as it is written. */
    public static String of(String text, CronDialect dialect) {
        String canonical = Schedule.canonical(text, dialect);
        return switch (dialect) {
            case QUARTZ, UNIX, SPRING -> {
                String words = ofText(text, dialect);
                yield words == null ? "by the cron " + text : words;
            }
            case EVERY -> "every " + length(canonical);
            case EVERY_AFTER_END -> length(canonical) + " after the end of each run";
            case RRULE -> "by the rule " + text;
        };
    }

    private static @Nullable String ofText(String text, CronDialect dialect) {
        try {
            return ofCron(CronExpression.parse(text, dialect));
        } catch (InvalidCronException refused) {
            return null;
        }
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

    /** What a cron expression names, and nothing else; absent if it never fires or its days have no words. */
    public static @Nullable String ofCron(CronExpression cron) {
        CronFields fields = new CronFields(cron);
        String days = cron.canFire() ? CronDays.words(fields) : null;
        if (days == null) {
            return null;
        }
        String time = time(fields);
        boolean eachDay = days.equals("every day") && !time.startsWith("at ");
        String years = fields.isAny(YEAR) ? "" : ", in " + CronFields.runs(fields.values(YEAR), Integer::toString);
        return (eachDay ? time.replaceFirst(",$", "") : time + " " + days) + years;
    }

    private static String time(CronFields fields) {
        String second = fields.text(SECOND_OF_MINUTE);
        String minute = fields.text(MINUTE_OF_HOUR);
        String within = within(fields.text(HOUR_OF_DAY));
        if (isNumber(second) && isNumber(minute)) {
            return once(fields, within);
        }
        String every = minute.equals("*") && !isNumber(second)
                ? every(second, SIXTY, "second")
                : second.equals("0") ? every(minute, SIXTY, "minute") : null;
        return within == null || every == null ? listed(fields) : every + within;
    }

    /** Of one minute and one second. */
    private static String once(CronFields fields, @Nullable String within) {
        String hour = fields.text(HOUR_OF_DAY);
        String minute = fields.text(MINUTE_OF_HOUR);
        String second = fields.text(SECOND_OF_MINUTE);
        String seconds = second.equals("0") ? "" : ":" + two(second);
        String every = within == null ? every(hour, DAY, "hour") : "every hour";
        if (every == null) {
            return fields.values(HOUR_OF_DAY).stream()
                    .map(value -> two(value.toString()) + ":" + two(minute) + seconds)
                    .collect(Collectors.joining(", ", "at ", ""));
        }
        String at = minute.equals("0") && second.equals("0") ? "" : " at minute " + minute + seconds;
        return every + at + (within == null ? "" : within);
    }

    /** A step that divides the round; the values of any other one are listed. */
    private static @Nullable String every(String field, int round, String unit) {
        Matcher step = STEP.matcher(field);
        if (!field.equals("*") && !(step.matches() && round % Integer.parseInt(step.group(1)) == 0)) {
            return null;
        }
        return field.equals("*") || step.group(1).equals("1")
                ? "every " + unit
                : "every " + step.group(1) + " " + unit + "s";
    }

    /** All values of each field, which is true of all fields. */
    private static String listed(CronFields fields) {
        String seconds =
                fields.text(SECOND_OF_MINUTE).equals("0") ? "" : all(fields, SECOND_OF_MINUTE, "second") + " of ";
        String text = seconds + all(fields, MINUTE_OF_HOUR, "minute") + " of " + all(fields, HOUR_OF_DAY, "hour") + ",";
        return text.startsWith("every ") ? text : "at " + text;
    }

    private static String all(CronFields fields, ChronoField field, String unit) {
        List<Integer> values = fields.values(field);
        return fields.isAny(field)
                ? "every " + unit
                : unit + (values.size() == 1 ? " " : "s ") + CronFields.runs(values, Integer::toString);
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
