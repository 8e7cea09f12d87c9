package dev.almanac.calendars;

/**
 * Which wall times are included: the arithmetic of a calendar without a zone. A wall time is a number, the
 * milliseconds since 1970-01-01T00:00 on a clock without a zone.
 */
interface LocalRule {
    /** No such time. */
    long NONE = Long.MAX_VALUE;

    long DAY = 86_400_000L;

    boolean includes(long local);

    /** The smallest included wall time that is not before {@code local}, or {@link #NONE} within 20 years. */
    long nextIncluded(long local);

    static long midnight(long local) {
        return local - Math.floorMod(local, DAY);
    }
}
