package dev.almanac.time;

/** What happens to a fire that a calendar excludes (rule C4). */
public enum CalendarPolicy {
    /** The fire is left out. */
    DROP,
    /** It fires once at the first included instant, if that lies before the next regular fire. */
    NEXT_INCLUDED,
    /** Its date moves to the next business day; the wall time is kept. */
    FOLLOWING,
    /** Its date moves to the previous business day; the wall time is kept. */
    PRECEDING,
    /** As {@link #FOLLOWING}, but where that leaves the month, as {@link #PRECEDING}. */
    MODIFIED_FOLLOWING,
    /** As {@link #PRECEDING}, but where that leaves the month, as {@link #FOLLOWING}. */
    MODIFIED_PRECEDING;

    /** Whether this is one of the four conventions, which move a fire to another date. */
    boolean movesDates() {
        return this != DROP && this != NEXT_INCLUDED;
    }
}
