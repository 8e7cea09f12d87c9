package dev.almanac.time;

/**
 * Which days of a month match. A month is known by its length (28 to 31) and the day of the week of its first day: 28
 * sorts of months, so the answer for each is computed once, when the expression is read.
 */
final class DayRule {
    static final int ALL_DAYS_OF_MONTH = -2;
    static final int ALL_DAYS_OF_WEEK = 0x7f;
    private static final int NONE = -1;

    /** Bits 1 to 31. */
    int daysOfMonth = ALL_DAYS_OF_MONTH;
    /** Bits 0 = Sunday to 6. */
    int daysOfWeek = ALL_DAYS_OF_WEEK;
    /** {@code L-n}: so many days before the last; -1 = none. */
    int beforeLast = NONE;
    /** {@code L-nW}: the weekday nearest to {@link #beforeLast}. */
    boolean weekdayBeforeLast;
    /** {@code nW}: the weekday nearest to this day; -1 = none. */
    int weekdayNear = NONE;
    /** {@code LW}. */
    boolean lastWeekday;
    /** Occurrence in the month of the one day of the week: 1 to 5, 6 = the last; 0 = all. */
    int occurrence;
    /** Both day fields are restricted, and a day that satisfies either matches: the rule of Vixie cron. */
    boolean either;

    /** {@code nW} names no day if that is a Sunday at the end of the month, as in Spring; else it is the Friday before. */
    boolean sundayEndsMonth;

    static final int LAST = 6;
    /** How many sorts of months there are. */
    static final int SORTS = 28;

    /** Matching days as bits 1 to 31 for each sort of month, at {@link #index}. */
    int[] table() {
        int[] table = new int[SORTS];
        for (int length = 28; length <= 31; length++) {
            for (int first = 0; first < 7; first++) {
                table[index(length, first)] = days(length, first);
            }
        }
        return table;
    }

    static int index(int length, int firstDayOfWeek) {
        return (length - 28) * 7 + firstDayOfWeek;
    }

    private int days(int length, int first) {
        int inMonth = (int) ((2L << length) - 2);
        int byMonth = daysOfMonth | special(length, first);
        int byWeek = occurrence == 0 ? everyWeek(first) : oneWeek(length, first);
        return (either ? byMonth | byWeek : byMonth & byWeek) & inMonth;
    }

    private int special(int length, int first) {
        int days = 0;
        if (beforeLast != NONE && beforeLast < length) {
            int day = length - beforeLast;
            days |= 1 << (weekdayBeforeLast ? nearestWeekday(day, length, first) : day);
        }
        if (lastWeekday) {
            days |= 1 << nearestWeekday(length, length, first);
        }
        boolean dropped = sundayEndsMonth && weekdayNear == length && (first + weekdayNear - 1) % 7 == 0;
        if (weekdayNear != NONE && weekdayNear <= length && !dropped) {
            days |= 1 << nearestWeekday(weekdayNear, length, first);
        }
        return days;
    }

    /** Saturday gives Friday, Sunday gives Monday, but never in another month. */
    private static int nearestWeekday(int day, int length, int first) {
        int dayOfWeek = (first + day - 1) % 7;
        if (dayOfWeek == 6) {
            return day == 1 ? 3 : day - 1;
        }
        if (dayOfWeek == 0) {
            return day == length ? day - 2 : day + 1;
        }
        return day;
    }

    private int everyWeek(int first) {
        int days = 0;
        for (int day = 1; day <= 31; day++) {
            days |= (daysOfWeek >> (first + day - 1) % 7 & 1) << day;
        }
        return days;
    }

    private int oneWeek(int length, int first) {
        int firstMatch = 1 + Math.floorMod(Integer.numberOfTrailingZeros(daysOfWeek) - first, 7);
        int day = occurrence == LAST ? firstMatch + (length - firstMatch) / 7 * 7 : firstMatch + 7 * (occurrence - 1);
        return day <= length ? 1 << day : 0;
    }
}
