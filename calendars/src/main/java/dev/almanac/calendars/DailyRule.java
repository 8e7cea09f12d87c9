package dev.almanac.calendars;

/**
 * Excludes a range of each day, both ends included to the millisecond; or, inverted, keeps only that range.
 *
 * @param start first millisecond of the day
 * @param end last millisecond of the day; before {@code start} = the range crosses midnight
 * @param inverted whether the range is what is kept
 */
record DailyRule(long start, long end, boolean inverted) implements LocalRule {
    @Override
    public boolean includes(long local) {
        long time = Math.floorMod(local, DAY);
        boolean inRange = start <= end ? time >= start && time <= end : time >= start || time <= end;
        return inRange == inverted;
    }

    @Override
    public long nextIncluded(long local) {
        if (includes(local)) {
            return local;
        }
        if (coversTheDay() && !inverted) {
            return NONE;
        }
        long midnight = LocalRule.midnight(local);
        long wanted = inverted ? start : (end + 1) % DAY;
        long next = midnight + wanted;
        return next > local ? next : next + DAY;
    }

    /** Whether the range is the whole day. */
    boolean coversTheDay() {
        return (end + 1) % DAY == start;
    }
}
