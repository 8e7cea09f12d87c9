package dev.almanac.calendars;

/** Where a date goes that is no business day. */
public enum BusinessDayConvention {
    /** It stays. */
    NONE,
    /** To the next business day. */
    FOLLOWING,
    /** To the business day before. */
    PRECEDING,
    /** To the next business day or, where that lies in another month, to the one before; never out of its month. */
    MODIFIED_FOLLOWING,
    /** To the business day before or, where that lies in another month, to the next one; never out of its month. */
    MODIFIED_PRECEDING
}
