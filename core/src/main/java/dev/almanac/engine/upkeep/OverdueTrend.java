package dev.almanac.engine.upkeep;

import java.time.Duration;

/**
 * How much was overdue at two moments.
 *
 * @param jobs how many at the later one; bounded
 * @param oldest for how long the first of them had been due; zero if there was none
 * @param jobsBefore how many at the earlier one
 * @param oldestBefore for how long the first of those had been due
 * @param apart from the earlier moment to the later one; zero if there was none
 */
public record OverdueTrend(int jobs, Duration oldest, int jobsBefore, Duration oldestBefore, Duration apart) {
    /** Nothing was counted yet. */
    public static final OverdueTrend NONE = new OverdueTrend(0, Duration.ZERO, 0, Duration.ZERO, Duration.ZERO);

    private static final int MANY = 1_000;
    private static final Duration LONG = Duration.ofMinutes(5);

    OverdueTrend next(int count, Duration age, Duration since) {
        return new OverdueTrend(count, age, jobs, oldest, since);
    }

    /** Many, or some for long, at both moments: no burst that is over soon. */
    public boolean isLarge() {
        return isLarge(jobs, oldest) && isLarge(jobsBefore, oldestBefore);
    }

    private static boolean isLarge(int count, Duration age) {
        return count >= MANY || age.compareTo(LONG) >= 0;
    }

    /** The jobs waited longer at the later moment, by more than half of the time between. */
    public boolean grows() {
        return oldest.minus(oldestBefore).compareTo(apart.dividedBy(2)) > 0;
    }
}
