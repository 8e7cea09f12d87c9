package dev.almanac.time;

/**
 * Calendar arithmetic on plain numbers, for years 1970 to 2200. Days are counted from 1970-01-01; days of the week are
 * 0 = Sunday to 6 = Saturday.
 */
final class Civil {
    static final int FIRST_YEAR = 1970;
    static final int LAST_YEAR = 2199;
    static final int DAY = 86_400;
    /** The first day that is no longer in range. */
    static final int END_DAY = dayOf(LAST_YEAR + 1, 1, 1);

    private static final int DAYS_TO_1970 = 719_468;
    private static final int DAYS_IN_400_YEARS = 146_097;

    private Civil() {}

    /** Year, month and day of month of a day, packed; years begin in March so that the leap day comes last. */
    static int packed(int day) {
        int shifted = day + DAYS_TO_1970;
        int era = shifted / DAYS_IN_400_YEARS;
        int ofEra = shifted - era * DAYS_IN_400_YEARS;
        int yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365;
        int ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int fromMarch = (5 * ofYear + 2) / 153;
        int dayOfMonth = ofYear - (153 * fromMarch + 2) / 5 + 1;
        int month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
        int year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
        return year << 9 | month << 5 | dayOfMonth;
    }

    static int year(int packed) {
        return packed >> 9;
    }

    static int month(int packed) {
        return packed >> 5 & 15;
    }

    static int dayOfMonth(int packed) {
        return packed & 31;
    }

    static int dayOf(int year, int month, int dayOfMonth) {
        int shiftedYear = month <= 2 ? year - 1 : year;
        int era = shiftedYear / 400;
        int yearOfEra = shiftedYear - era * 400;
        int fromMarch = month > 2 ? month - 3 : month + 9;
        int ofYear = (153 * fromMarch + 2) / 5 + dayOfMonth - 1;
        int ofEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear;
        return era * DAYS_IN_400_YEARS + ofEra - DAYS_TO_1970;
    }

    /** The first day of the month that a day lies in. */
    static int monthStart(int day) {
        return day - dayOfMonth(packed(day)) + 1;
    }

    static boolean sameMonth(int day, int other) {
        return packed(day) >> 5 == packed(other) >> 5;
    }

    static int dayOfWeek(int day) {
        return Math.floorMod(day + 4, 7);
    }

    static boolean isLeap(int year) {
        return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    static int lengthOfMonth(int year, int month) {
        return month == 2 ? (isLeap(year) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);
    }
}
