package dev.almanac.calendars.rule;

/** How often, from the most to the least frequent. */
enum Frequency {
    SECONDLY,
    MINUTELY,
    HOURLY,
    DAILY,
    WEEKLY,
    MONTHLY,
    YEARLY;

    /** The seconds of its intervals if they all have the same number, else 0. */
    int seconds() {
        return switch (this) {
            case SECONDLY -> 1;
            case MINUTELY -> 60;
            case HOURLY -> 3_600;
            case DAILY -> 86_400;
            case WEEKLY -> 7 * 86_400;
            case MONTHLY, YEARLY -> 0;
        };
    }

    boolean isWithinDay() {
        return compareTo(DAILY) < 0;
    }
}
