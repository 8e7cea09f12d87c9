package dev.almanac.time;

import org.jspecify.annotations.Nullable;

/**
 * The local times that an expression names, and the search among them. A local second counts from 1970-01-01T00:00
 * local time; every day has 86,400 of them. Dates and times of day are independent: a local time matches if its date
 * does and its time does. Immutable.
 */
final class LocalPattern implements LocalTimes {
    static final long END = (long) Civil.END_DAY * Civil.DAY;

    final TimesOfDay times;
    private final int months;
    private final int[] days;
    private final long @Nullable [] years;

    /**
     * @param months bits 1 to 12
     * @param days from {@link DayRule#table()}
     * @param years bits from 1970 on; absent = every year
     */
    LocalPattern(TimesOfDay times, int months, int[] days, long @Nullable [] years) {
        this.times = times;
        this.months = months;
        this.days = days;
        this.years = years;
    }

    /** The same times on every day. */
    static LocalPattern everyDay(TimesOfDay times) {
        return new LocalPattern(times, 0x1ffe, new DayRule().table(), null);
    }

    /** Whether any date at all matches, decided by the at most 14 sorts of years (rule T4). */
    boolean canFire() {
        int seen = 0;
        for (int year = nextYear(Civil.FIRST_YEAR); year <= Civil.LAST_YEAR; year = nextYear(year + 1)) {
            int sort = Civil.dayOfWeek(Civil.dayOf(year, 1, 1)) + (Civil.isLeap(year) ? 7 : 0);
            if ((seen >> sort & 1) == 0) {
                seen |= 1 << sort;
                if (firstDay(Civil.dayOf(year, 1, 1), Civil.dayOf(year + 1, 1, 1)) != NONE) {
                    return true;
                }
            }
            if (seen == 0x3fff) {
                return false;
            }
        }
        return false;
    }

    @Override
    public TimesOfDay timesOfDay() {
        return times;
    }

    @Override
    public boolean matches(int day, int time) {
        return matchesDay(day) && times.matches(time);
    }

    /** Each day has all the times. */
    @Override
    public long nextDay(int from, int time, int last) {
        long day = nextDay(from);
        return day <= last ? day : NONE;
    }

    @Override
    public long previousDay(int from, int time, int first) {
        long day = previousDay(from);
        return day >= first ? day : NONE;
    }

    boolean matches(long local) {
        if (local < 0 || local >= END) {
            return false;
        }
        int day = (int) (local / Civil.DAY);
        return matchesDay(day) && times.matches((int) (local - (long) day * Civil.DAY));
    }

    @Override
    public long next(long from) {
        if (from >= END) {
            return NONE;
        }
        long local = Math.max(from, 0);
        int day = (int) (local / Civil.DAY);
        if (matchesDay(day)) {
            int time = times.next((int) (local - (long) day * Civil.DAY));
            if (time >= 0) {
                return (long) day * Civil.DAY + time;
            }
        }
        long found = nextDay(day + 1);
        return found == NONE ? NONE : found * Civil.DAY + times.first();
    }

    @Override
    public long previous(long from) {
        if (from < 0) {
            return NONE;
        }
        long local = Math.min(from, END - 1);
        int day = (int) (local / Civil.DAY);
        if (matchesDay(day)) {
            int time = times.previous((int) (local - (long) day * Civil.DAY));
            if (time >= 0) {
                return (long) day * Civil.DAY + time;
            }
        }
        long found = previousDay(day - 1);
        return found == NONE ? NONE : found * Civil.DAY + times.last();
    }

    /** Each day that matches has all the times, so that only the first and the last day are looked into. */
    @Override
    public long count(long from, long to, long most) {
        long first = Math.max(from, 0);
        long last = Math.min(to, END - 1);
        if (first > last) {
            return 0;
        }
        int firstDay = (int) (first / Civil.DAY);
        int lastDay = (int) (last / Civil.DAY);
        long days = 0;
        for (long day = nextDay(firstDay); day != NONE && day <= lastDay; day = nextDay((int) day + 1)) {
            days++;
        }
        int before = (int) (first - (long) firstDay * Civil.DAY);
        int after = (int) (last - (long) lastDay * Civil.DAY) + 1;
        return days * times.count()
                - (matchesDay(firstDay) ? times.countBefore(before) : 0)
                - (matchesDay(lastDay) ? times.count() - times.countBefore(after) : 0);
    }

    /** The first local second not before the given one that does not match, or {@link #NONE} if all do up to a limit. */
    long nextUnmatched(long from, long limit) {
        long local = from;
        while (matches(local)) {
            int day = (int) (local / Civil.DAY);
            int time = times.nextUnmatched((int) (local - (long) day * Civil.DAY));
            if (time >= 0) {
                return (long) day * Civil.DAY + time;
            }
            local = (long) (day + 1) * Civil.DAY;
            if (local > limit) {
                return NONE;
            }
        }
        return local;
    }

    boolean matchesDay(int day) {
        int date = Civil.packed(day);
        int month = Civil.month(date);
        int dayOfMonth = Civil.dayOfMonth(date);
        return (months >> month & 1) != 0
                && hasYear(Civil.year(date))
                && (daysOf(Civil.year(date), month, day - dayOfMonth + 1) >> dayOfMonth & 1) != 0;
    }

    /** The first matching day that is not before the given one, or {@link #NONE}. */
    long nextDay(int from) {
        return firstDay(from, Civil.END_DAY);
    }

    private long firstDay(int from, int end) {
        int day = Math.max(from, 0);
        while (day < end) {
            int date = Civil.packed(day);
            int year = Civil.year(date);
            int month = Civil.month(date);
            if (!hasYear(year)) {
                day = Civil.dayOf(nextYear(year), 1, 1);
            } else if (months >> month == 0) {
                day = Civil.dayOf(year + 1, 1, 1);
            } else if ((months >> month & 1) == 0) {
                day = Civil.dayOf(year, month + Integer.numberOfTrailingZeros(months >> month), 1);
            } else {
                int start = day - Civil.dayOfMonth(date) + 1;
                int left = daysOf(year, month, start) & -1 << Civil.dayOfMonth(date);
                if (left != 0) {
                    return start + Integer.numberOfTrailingZeros(left) - 1L;
                }
                day = start + Civil.lengthOfMonth(year, month);
            }
        }
        return NONE;
    }

    /** The last matching day that is not after the given one, or {@link #NONE}. */
    long previousDay(int from) {
        int day = Math.min(from, Civil.END_DAY - 1);
        while (day >= 0) {
            int date = Civil.packed(day);
            int year = Civil.year(date);
            int start = day - Civil.dayOfMonth(date) + 1;
            int upTo = months & (2 << Civil.month(date)) - 1;
            if (!hasYear(year) || upTo == 0) {
                day = Civil.dayOf(year, 1, 1) - 1;
            } else if ((upTo >> Civil.month(date)) == 0) {
                day = Civil.dayOf(year, 32 - Integer.numberOfLeadingZeros(upTo), 1) - 1;
            } else {
                int left = daysOf(year, Civil.month(date), start) & (int) ((2L << Civil.dayOfMonth(date)) - 1);
                if (left != 0) {
                    return start + 30L - Integer.numberOfLeadingZeros(left);
                }
                day = start - 1;
            }
        }
        return NONE;
    }

    private int daysOf(int year, int month, int firstDay) {
        return days[DayRule.index(Civil.lengthOfMonth(year, month), Civil.dayOfWeek(firstDay))];
    }

    private boolean hasYear(int year) {
        int index = year - Civil.FIRST_YEAR;
        return years == null || (years[index >> 6] >> index & 1) != 0;
    }

    private int nextYear(int from) {
        int year = from;
        while (year <= Civil.LAST_YEAR && !hasYear(year)) {
            year++;
        }
        return year;
    }
}
