package dev.almanac.time;

public enum CalendarPolicy {
    DROP,
    NEXT_INCLUDED,
    FOLLOWING,
    PRECEDING,
    MODIFIED_FOLLOWING,
    MODIFIED_PRECEDING
}
