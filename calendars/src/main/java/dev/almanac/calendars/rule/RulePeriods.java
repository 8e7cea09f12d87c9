package dev.almanac.calendars.rule;

import java.time.LocalDate;

/**
 * The intervals of a rule, such as its weeks, numbered in order; every so many of them, from that of the start on, has
 * fires. Times are local seconds since 1970-01-01T00:00. Immutable.
 */
final class RulePeriods {
    static final int DAY = 86_400;
    private static final int THURSDAY = 4;

    private final Frequency frequency;
    private final long interval;
    private final long origin;
    private final long first;

    RulePeriods(RuleParts parts, long start) {
        this.frequency = parts.frequency;
        this.interval = parts.interval;
        boolean weekly = frequency == Frequency.WEEKLY;
        this.origin = weekly ? Math.floorMod(parts.weekStart.getValue() - THURSDAY, 7) * (long) DAY : 0;
        this.first = at(start);
    }

    /** The period that a time lies in. */
    long at(long local) {
        if (frequency.seconds() > 0) {
            return Math.floorDiv(local - origin, (long) frequency.seconds());
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(local, (long) DAY));
        return frequency == Frequency.YEARLY ? date.getYear() : date.getYear() * 12L + date.getMonthValue() - 1;
    }

    /** The first second of a period. */
    long start(long period) {
        if (frequency.seconds() > 0) {
            return period * frequency.seconds() + origin;
        }
        long year = frequency == Frequency.YEARLY ? period : Math.floorDiv(period, 12L);
        int month = frequency == Frequency.YEARLY ? 1 : (int) Math.floorMod(period, 12L) + 1;
        return LocalDate.of((int) Math.min(year, 99_999), month, 1).toEpochDay() * DAY;
    }

    /** The first period not before the given one that has fires. */
    long from(long period) {
        return period <= first ? first : period + Math.floorMod(first - period, interval);
    }

    /** The last period not after the given one that has fires; one before the first if there is none. */
    long upTo(long period) {
        return period < first ? first - 1 : period - Math.floorMod(period - first, interval);
    }
}
