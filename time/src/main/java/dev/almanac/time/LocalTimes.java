package dev.almanac.time;

/**
 * The local times that a schedule names, and the search among them. A local second counts from 1970-01-01T00:00 local
 * time, a day from 1970-01-01; every day has 86,400 seconds. Searches stay within the years 1970 to 2199 and are
 * bounded. Implementations are immutable and safe for use by many threads.
 */
public interface LocalTimes {
    /** There is no such time or day. */
    long NONE = Long.MIN_VALUE;

    /** The first named local second that is not before the given one, or {@link #NONE}. */
    long next(long from);

    /** The last named local second that is not after the given one, or {@link #NONE}. */
    long previous(long from);

    /** How many named local seconds lie from one to another, both included; at least {@code most} if there are more. */
    default long count(long from, long to, long most) {
        long count = 0;
        for (long at = next(from); at != NONE && at <= to && count < most; at = next(at + 1)) {
            count++;
        }
        return count;
    }

    /** All times of day that any day may have. */
    TimesOfDay timesOfDay();

    /** Whether a day has a time of day. */
    default boolean matches(int day, int time) {
        long local = (long) day * Civil.DAY + time;
        return next(local) == local;
    }

    /** The first day from one to a last one, both included, that has a time of day, or {@link #NONE}. */
    default long nextDay(int from, int time, int last) {
        long day = Math.max(from, 0);
        while (day <= Math.min(last, Civil.END_DAY - 1)) {
            long local = next(day * Civil.DAY + time);
            if (local == NONE) {
                return NONE;
            }
            int found = Math.floorMod(local, Civil.DAY);
            day = Math.floorDiv(local, (long) Civil.DAY);
            if (found == time) {
                return day <= last ? day : NONE;
            }
            day += found > time ? 1 : 0;
        }
        return NONE;
    }

    /** The last day from one back to a first one, both included, that has a time of day, or {@link #NONE}. */
    default long previousDay(int from, int time, int first) {
        long day = Math.min(from, Civil.END_DAY - 1);
        while (day >= Math.max(first, 0)) {
            long local = previous(day * Civil.DAY + time);
            if (local == NONE) {
                return NONE;
            }
            int found = Math.floorMod(local, Civil.DAY);
            day = Math.floorDiv(local, (long) Civil.DAY);
            if (found == time) {
                return day >= first ? day : NONE;
            }
            day -= found < time ? 1 : 0;
        }
        return NONE;
    }
}
