package dev.almanac.time;

/** What happens to a fire that an exclusion calendar excludes (rule C4). */
public enum CalendarPolicy {
    /** It does not take place; the next regular fire follows. */
    DROP,
    /** It takes place once, at the first included instant before the next regular fire. */
    NEXT_INCLUDED,
    /** Its local date moves to the next business day; the wall time stays. */
    FOLLOWING,
    /** Its local date moves to the previous business day; the wall time stays. */
    PRECEDING,
    /** As {@link #FOLLOWING}, or as {@link #PRECEDING} where that would leave the month. */
    MODIFIED_FOLLOWING,
    /** As {@link #PRECEDING}, or as {@link #FOLLOWING} where that would leave the month. */
    MODIFIED_PRECEDING
}
