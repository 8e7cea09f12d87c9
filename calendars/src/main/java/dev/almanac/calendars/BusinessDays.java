package dev.almanac.calendars;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Optional;

/** Arithmetic on business days. Pure functions; a business day is what a {@link DayCalendar} does not exclude. */
public final class BusinessDays {
    private static final int MOST_DAYS = 20 * 366;

    private BusinessDays() {}

    /**
     * The date itself if it is a business day, else where the convention sends it: the date on which a job with that
     * calendar policy fires (rule C4).
     *
     * @throws InvalidCalendarException if there is no business day within 20 years; for the modified conventions, if
     *     the month of the date has none
     */
    public static LocalDate adjust(LocalDate date, BusinessDayConvention convention, DayCalendar calendar) {
        return switch (convention) {
            case NONE -> date;
            case FOLLOWING -> search(date, 1, calendar);
            case PRECEDING -> search(date, -1, calendar);
            case MODIFIED_FOLLOWING -> withinMonth(date, 1, calendar);
            case MODIFIED_PRECEDING -> withinMonth(date, -1, calendar);
        };
    }

    /** To the first business day that way or, where the month ends before it, to the first one the other way. */
    private static LocalDate withinMonth(LocalDate date, int step, DayCalendar calendar) {
        YearMonth month = YearMonth.from(date);
        for (int direction : new int[] {step, -step}) {
            for (LocalDate at = date; YearMonth.from(at).equals(month); at = at.plusDays(direction)) {
                if (calendar.isBusinessDay(at)) {
                    return at;
                }
            }
        }
        throw new InvalidCalendarException(
                "calendar",
                calendar.description(),
                "has no business day in " + month + ", and the date stays in its month");
    }

    private static LocalDate search(LocalDate from, int step, DayCalendar calendar) {
        LocalDate date = from;
        for (int days = 0; days <= MOST_DAYS; days++) {
            if (calendar.isBusinessDay(date)) {
                return date;
            }
            date = date.plusDays(step);
        }
        throw new InvalidCalendarException(
                "calendar", calendar.description(), "has no business day within 20 years of " + from);
    }

    /**
     * So many business days later, or earlier if negative. Zero gives the date itself, adjusted to the following
     * business day.
     *
     * @param days -10 000 to 10 000
     * @throws InvalidCalendarException if there is no further business day within 20 years of the last one
     */
    public static LocalDate addBusinessDays(LocalDate date, int days, DayCalendar calendar) {
        if (days < -10_000 || days > 10_000) {
            throw new IllegalArgumentException(days + " business days are not within -10000 to 10000");
        }
        if (days == 0) {
            return search(date, 1, calendar);
        }
        int step = days > 0 ? 1 : -1;
        LocalDate at = date;
        for (int i = 0; i < Math.abs(days); i++) {
            at = search(at.plusDays(step), step, calendar);
        }
        return at;
    }

    /** The nth business day of a month, from 1; empty if the month has fewer. */
    public static Optional<LocalDate> nthBusinessDayOfMonth(YearMonth month, int n, DayCalendar calendar) {
        if (n < 1) {
            throw new IllegalArgumentException("n " + n + " is less than 1");
        }
        return month.atDay(1)
                .datesUntil(month.plusMonths(1).atDay(1))
                .filter(calendar::isBusinessDay)
                .skip(n - 1L)
                .findFirst();
    }

    /** The last business day of a month; empty if it has none. */
    public static Optional<LocalDate> lastBusinessDayOfMonth(YearMonth month, DayCalendar calendar) {
        return month.atDay(1)
                .datesUntil(month.plusMonths(1).atDay(1))
                .filter(calendar::isBusinessDay)
                .reduce((earlier, later) -> later);
    }
}
