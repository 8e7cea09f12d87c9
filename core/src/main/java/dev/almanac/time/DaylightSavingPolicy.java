package dev.almanac.time;

/**
 * How an expression meets the clock changes of its zone. An expression is <em>fixed</em> if second, minute and hour
 * hold no {@code *}, {@code -} or {@code /}; otherwise it is an <em>interval</em>.
 */
public enum DaylightSavingPolicy {
    /**
     * A fixed expression fires at the first instant at which the wall clock shows the wanted time or a later one: in a
     * gap of less than three hours at its end, in an overlap in the first pass only. An interval expression fires at
     * every instant whose wall time matches.
     */
    RUN_ONCE,
    /** Every instant whose wall time matches, nothing more. */
    SKIP,
    /** As {@link #SKIP}, but a wall time that occurs twice fires in its first pass only. */
    WALL_ONCE
}
