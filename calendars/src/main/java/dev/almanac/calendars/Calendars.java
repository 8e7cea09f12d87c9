package dev.almanac.calendars;

import dev.almanac.time.CronDialect;
import dev.almanac.time.CronExpression;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.InvalidCronException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The kinds of exclusion calendars (rule C2). Each can be given a zone of its own ({@code inZone}) and a description;
 * without a zone it is read in the job's.
 *
 * <p>A calendar that leaves nothing is a calendar all the same: it includes no instant. A job that names it has no fire
 * and is refused (rule M2).
 */
public final class Calendars {
    /** Stands for the last day of a month in {@link #monthly}: {@value}. */
    public static final int LAST_DAY = 0;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private Calendars() {}

    /**
     * Excludes a range of each day, both ends to the millisecond: 03:00 to 05:00 excludes 05:00:00.000 and not
     * 05:00:00.001. A start after the end crosses midnight.
     *
     * @throws InvalidCalendarException if the ends are equal
     */
    public static DailyCalendar daily(LocalTime start, LocalTime end) {
        long from = start.toNanoOfDay() / NANOS_PER_MILLI;
        long to = end.toNanoOfDay() / NANOS_PER_MILLI;
        if (from == to) {
            throw new InvalidCalendarException(
                    "exclude.start-time", start.toString(), "equals exclude.end-time; name a range");
        }
        return new DailyCalendar(new DailyRule(from, to, false), null, "");
    }

    /** Excludes days of the week; none excludes nothing. */
    public static DayCalendar weekly(Collection<DayOfWeek> days) {
        Set<DayOfWeek> excluded = days.isEmpty() ? EnumSet.noneOf(DayOfWeek.class) : EnumSet.copyOf(days);
        return new DayCalendar(date -> !excluded.contains(date.getDayOfWeek()), null, "");
    }

    /**
     * Excludes days of the month.
     *
     * @param days 1 to 31, or {@link #LAST_DAY}
     * @throws InvalidCalendarException if a number is out of range
     */
    public static DayCalendar monthly(Collection<Integer> days) {
        Set<Integer> excluded = new TreeSet<>(days);
        for (int day : excluded) {
            if (day < 0 || day > 31) {
                throw new InvalidCalendarException("exclude-days", "" + day, "is not within 1 to 31, or L");
            }
        }
        return new DayCalendar(
                date -> !excluded.contains(date.getDayOfMonth())
                        && !(excluded.contains(LAST_DAY) && date.getDayOfMonth() == date.lengthOfMonth()),
                null,
                "");
    }

    /** Excludes days of the year; 29 February in leap years only. */
    public static DayCalendar annual(Collection<MonthDay> days) {
        Set<MonthDay> excluded = Set.copyOf(days);
        return new DayCalendar(date -> !excluded.contains(MonthDay.from(date)), null, "");
    }

    /** Excludes single dates. */
    public static DayCalendar holiday(Collection<LocalDate> dates) {
        Set<LocalDate> excluded = Set.copyOf(dates);
        return new DayCalendar(date -> !excluded.contains(date), null, "");
    }

    /**
     * Excludes stretches of wall time, such as a planned outage; they may overlap. {@link java.time.LocalDateTime#MIN} and
     * {@link java.time.LocalDateTime#MAX} leave a stretch open.
     */
    public static RuleCalendar ranges(Collection<DateTimeRange> ranges) {
        return new RuleCalendar(RangeRule.of(ranges), null, "");
    }

    /**
     * Excludes the whole seconds that an expression of the QUARTZ dialect names.
     *
     * @throws InvalidCalendarException if the expression is refused
     */
    public static RuleCalendar cron(String expression) {
        try {
            return new RuleCalendar(new CronRule(CronExpression.parse(expression, CronDialect.QUARTZ)), null, "");
        } catch (InvalidCronException e) {
            throw new InvalidCalendarException(
                    "exclude-expression", ShortText.shown(expression), ShortText.plain(String.valueOf(e.getMessage())));
        }
    }

    /** Excludes what any of these excludes; their order has no effect (rule C3). */
    public static ExclusionCalendar allOf(List<? extends ExclusionCalendar> calendars) {
        return ExclusionCalendar.allOf(calendars);
    }

    /** Saturday and Sunday. */
    public static DayCalendar weekends() {
        return weekly(List.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY)).described("weekends");
    }
}
