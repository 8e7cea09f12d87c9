package dev.almanac.time;

/**
 * What a cron expression does at a clock change of its zone.
 *
 * <p>A fixed-time expression has no {@code *}, {@code -} or {@code /} in its second, minute and hour; every other one
 * is an interval expression.
 */
public enum DaylightSavingPolicy {
    /**
     * A fixed time that falls into a gap shorter than three hours fires once, at the instant the gap ends; one that the
     * clock shows twice fires in the first pass only. An interval fires at every instant whose wall time matches.
     */
    RUN_ONCE,
    /** Every instant whose wall time matches, and nothing more: none in a gap, two for a time shown twice. */
    SKIP,
    /** Like {@link #SKIP}, but a wall time that is shown twice fires in the first pass only. */
    WALL_ONCE
}
