package dev.almanac.time;

import java.time.LocalDate;

/**
 * Finds matching wall times by pure arithmetic. A wall time is a number: the seconds since 1970-01-01T00:00 on a clock
 * that knows no zone.
 */
final class LocalSearch {
    /** No such time. */
    static final long NONE = Long.MIN_VALUE;

    private static final int DAY = 86_400;
    /** A satisfiable expression may need 40 years, over a century that is no leap year. */
    private static final int HORIZON_YEARS = 45;

    private static final int FIRST_YEAR = 1;
    private static final int LAST_YEAR = 9_999;

    private static final long FULL_SIXTY = (1L << 60) - 1;

    private final CronFields fields;

    LocalSearch(CronFields fields) {
        this.fields = fields;
    }

    /** The smallest matching wall time that is not before {@code from}. */
    long atOrAfter(long from) {
        long epochDay = Math.floorDiv(from, (long) DAY);
        LocalDate date = LocalDate.ofEpochDay(epochDay);
        int year = date.getYear();
        int month = date.getMonthValue();
        long days = daysOf(year, month);
        if ((days >> date.getDayOfMonth() & 1) != 0) {
            int second = secondAtOrAfter((int) Math.floorMod(from, (long) DAY));
            if (second >= 0) {
                return epochDay * DAY + second;
            }
        }
        return firstDayAfter(year, month, days & -(2L << date.getDayOfMonth()));
    }

    private long firstDayAfter(int fromYear, int fromMonth, long rest) {
        int year = fromYear;
        int month = fromMonth;
        long days = rest;
        int last = Math.min(LAST_YEAR, lastYear(fromYear));
        while (days == 0) {
            month++;
            if (month > 12) {
                month = 1;
                year++;
            }
            if (year > last) {
                return NONE;
            }
            days = daysOf(year, month);
        }
        int day = Long.numberOfTrailingZeros(days);
        return LocalDate.of(year, month, day).toEpochDay() * DAY + secondAtOrAfter(0);
    }

    private int lastYear(int from) {
        return fields.years() == null
                ? from + HORIZON_YEARS
                : 1970 + fields.years().length();
    }

    /** The largest matching wall time that is not after {@code from}. */
    long atOrBefore(long from) {
        long epochDay = Math.floorDiv(from, (long) DAY);
        LocalDate date = LocalDate.ofEpochDay(epochDay);
        int year = date.getYear();
        int month = date.getMonthValue();
        long days = daysOf(year, month);
        if ((days >> date.getDayOfMonth() & 1) != 0) {
            int second = secondAtOrBefore((int) Math.floorMod(from, (long) DAY));
            if (second >= 0) {
                return epochDay * DAY + second;
            }
        }
        return lastDayBefore(year, month, days & ((1L << date.getDayOfMonth()) - 1));
    }

    private long lastDayBefore(int fromYear, int fromMonth, long rest) {
        int year = fromYear;
        int month = fromMonth;
        long days = rest;
        int first = Math.max(FIRST_YEAR, fields.years() == null ? fromYear - HORIZON_YEARS : 1970);
        while (days == 0) {
            month--;
            if (month < 1) {
                month = 12;
                year--;
            }
            if (year < first) {
                return NONE;
            }
            days = daysOf(year, month);
        }
        int day = 63 - Long.numberOfLeadingZeros(days);
        return LocalDate.of(year, month, day).toEpochDay() * DAY + secondAtOrBefore(DAY - 1);
    }

    /** Whether the wall time matches. */
    boolean matches(long local) {
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(local, (long) DAY));
        int second = (int) Math.floorMod(local, (long) DAY);
        return isDay(date)
                && (fields.hours() >> second / 3_600 & 1) != 0
                && (fields.minutes() >> second / 60 % 60 & 1) != 0
                && (fields.seconds() >> second % 60 & 1) != 0;
    }

    /**
     * The smallest wall time that is not before {@code from} and does not match; {@link #NONE} if there is none within
     * 20 years. Jumps over what matches by the second, minute, hour or day as a whole.
     */
    long firstUnmatched(long from) {
        long bound = from + 20L * 366 * DAY;
        long at = from;
        while (at <= bound) {
            if (!matches(at)) {
                return at;
            }
            long second = gap(fields.seconds(), (int) Math.floorMod(at, 60L), 60);
            long minute = gap(fields.minutes(), (int) Math.floorMod(at / 60, 60L), 60);
            if (second >= 0) {
                return at - Math.floorMod(at, 60L) + second;
            }
            if (fields.seconds() != FULL_SIXTY) {
                at = at - Math.floorMod(at, 60L) + 60;
            } else if (minute >= 0) {
                return at - Math.floorMod(at, 3_600L) + minute * 60;
            } else if (fields.minutes() != FULL_SIXTY) {
                at = at - Math.floorMod(at, 3_600L) + 3_600;
            } else {
                at = afterHours(at);
            }
        }
        return NONE;
    }

    private long afterHours(long at) {
        long midnight = at - Math.floorMod(at, (long) DAY);
        long hour = gap(fields.hours(), (int) ((at - midnight) / 3_600), 24);
        return hour >= 0 ? midnight + hour * 3_600 : midnight + DAY;
    }

    /** The next number from {@code from} that the set lacks; negative if it lacks none before {@code end}. */
    private static long gap(long bits, int from, int end) {
        int next = next(~bits, from);
        return next < end ? next : -1;
    }

    private boolean isDay(LocalDate date) {
        return (daysOf(date.getYear(), date.getMonthValue()) >> date.getDayOfMonth() & 1) != 0;
    }

    private long daysOf(int year, int month) {
        boolean named = (fields.months() >> month & 1) != 0
                && (fields.years() == null || year >= 1970 && fields.years().get(year - 1970));
        return named ? fields.days().of(year, month) : 0;
    }

    private int secondAtOrAfter(int secondOfDay) {
        int hour = secondOfDay / 3_600;
        int minute = secondOfDay / 60 % 60;
        int second = next(fields.seconds(), secondOfDay % 60);
        if (second < 0) {
            minute++;
        }
        int wantedMinute = next(fields.minutes(), minute);
        if (wantedMinute != minute || second < 0) {
            second = next(fields.seconds(), 0);
        }
        if (wantedMinute < 0) {
            hour++;
        }
        int wantedHour = next(fields.hours(), hour);
        if (wantedHour < 0) {
            return -1;
        }
        if (wantedHour != hour || wantedMinute < 0) {
            wantedMinute = next(fields.minutes(), 0);
            second = next(fields.seconds(), 0);
        }
        return wantedHour * 3_600 + wantedMinute * 60 + second;
    }

    private int secondAtOrBefore(int secondOfDay) {
        int hour = secondOfDay / 3_600;
        int minute = secondOfDay / 60 % 60;
        int second = previous(fields.seconds(), secondOfDay % 60);
        if (second < 0) {
            minute--;
        }
        int wantedMinute = previous(fields.minutes(), minute);
        if (wantedMinute != minute || second < 0) {
            second = previous(fields.seconds(), 59);
        }
        if (wantedMinute < 0) {
            hour--;
        }
        int wantedHour = previous(fields.hours(), hour);
        if (wantedHour < 0) {
            return -1;
        }
        if (wantedHour != hour || wantedMinute < 0) {
            wantedMinute = previous(fields.minutes(), 59);
            second = previous(fields.seconds(), 59);
        }
        return wantedHour * 3_600 + wantedMinute * 60 + second;
    }

    private static int next(long bits, int from) {
        long rest = from > 63 ? 0 : bits & -1L << from;
        return rest == 0 ? -1 : Long.numberOfTrailingZeros(rest);
    }

    private static int previous(long bits, int from) {
        long rest = from < 0 ? 0 : bits & (from >= 63 ? -1L : (1L << from + 1) - 1);
        return rest == 0 ? -1 : 63 - Long.numberOfLeadingZeros(rest);
    }
}
