package dev.almanac.time;

import dev.almanac.time.CronValues.Special;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which days of a month an expression names.
 *
 * @param byMonth bits 1 to 31 of the day-of-month field
 * @param byWeek bits 1 (Sunday) to 7 of the day-of-week field
 * @param either whether one of the two fields is enough (Vixie: if neither begins with a star); else both must match
 * @param special a rule instead of, or for {@link Special#LAST} beside, plain values
 * @param n number of the rule
 * @param k second number of the rule
 */
record CronDays(long byMonth, long byWeek, boolean either, Special special, int n, int k) {
    private static final long ALL_DAYS = 0xFFFF_FFFEL;
    private static final long ALL_WEEK = 0xFEL;
    private static final int SUNDAY = 1;
    private static final int SATURDAY = 7;

    static CronDays quartz(CronValues month, CronValues week) {
        if (month.special() == Special.OTHER_FIELD) {
            boolean plain = week.special() == Special.NONE;
            return new CronDays(
                    plain ? ALL_DAYS : 0, plain ? week.bits() : ALL_WEEK, false, week.special(), week.n(), week.k());
        }
        return new CronDays(month.bits(), ALL_WEEK, false, month.special(), month.n(), month.k());
    }

    static CronDays unix(CronValues month, CronValues week, boolean monthStar, boolean weekStar) {
        return new CronDays(month.bits(), week.bits(), !monthStar && !weekStar, Special.NONE, 0, 0);
    }

    /** The named days of a month as bits 1 to 31. */
    long of(int year, int month) {
        long firstDay = LocalDate.of(year, month, 1).toEpochDay();
        return inMonth((int) Math.floorMod(firstDay + 4, 7L) + 1, lengthOf(year, month));
    }

    /**
     * @param first day of the week of the first, 1 (Sunday) to 7
     * @param length number of days
     */
    private long inMonth(int first, int length) {
        long all = (2L << length) - 2;
        long week = byWeek == ALL_WEEK ? all : spread(first) & all;
        long plain = either ? byMonth | week : byMonth & week;
        return plain & all | specialDay(first, length);
    }

    private long spread(int first) {
        long days = 0;
        for (int day = 1; day <= 31; day++) {
            if ((byWeek >> weekday(first, day) & 1) != 0) {
                days |= 1L << day;
            }
        }
        return days;
    }

    private long specialDay(int first, int length) {
        return switch (special) {
            case NONE, OTHER_FIELD -> 0;
            case LAST -> bit(length - n, length);
            case LAST_WEEKDAY -> bit(nearest(first, length, length), length);
            case NEAREST_WEEKDAY -> n > length ? 0 : bit(nearest(first, n, length), length);
            case LAST_OF_WEEK -> bit(length - Math.floorMod(weekday(first, length) - n, 7), length);
            case NTH -> bit(1 + Math.floorMod(n - first, 7) + 7 * (k - 1), length);
        };
    }

    /** The weekday next to a day, within the month: Saturday the 1st goes to the 3rd, a Sunday last day to Friday. */
    private static int nearest(int first, int day, int length) {
        int weekday = weekday(first, day);
        if (weekday == SATURDAY) {
            return day == 1 ? 3 : day - 1;
        }
        if (weekday == SUNDAY) {
            return day == length ? day - 2 : day + 1;
        }
        return day;
    }

    private static int weekday(int first, int day) {
        return (first + day - 2) % 7 + 1;
    }

    private static long bit(int day, int length) {
        return day < 1 || day > length ? 0 : 1L << day;
    }

    private static int lengthOf(int year, int month) {
        return YearMonth.of(year, month).lengthOfMonth();
    }

    /** Whether some year has such a day: 14 kinds of year are all there are; with a year field those that it names. */
    boolean canEverMatch(long months, @Nullable BitSet years) {
        if (years == null) {
            // 2000 to 2027 is one cycle of 28 years, which holds every kind of year
            for (int year = 2000; year < 2028; year++) {
                if (hasDay(year, months)) {
                    return true;
                }
            }
            return false;
        }
        return years.stream().anyMatch(year -> hasDay(1970 + year, months));
    }

    private boolean hasDay(int year, long months) {
        for (int month = 1; month <= 12; month++) {
            if ((months >> month & 1) != 0 && of(year, month) != 0) {
                return true;
            }
        }
        return false;
    }
}
