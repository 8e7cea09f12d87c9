package dev.almanac.calendars;

import java.time.LocalDate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An event that covers whole days, as it was read.
 *
 * @param raw where it stands
 * @param uid not empty
 * @param replaces the start of the occurrence that it stands for; absent = it is an event of its own
 * @param cancelled whether it does not take place
 * @param span its first occurrence
 * @param rule how it comes again; absent = not by rule
 * @param further starts of single further occurrences
 * @param except starts of occurrences that do not take place
 */
record AllDayEvent(
        RawEvent raw,
        String uid,
        @Nullable LocalDate replaces,
        boolean cancelled,
        Span span,
        @Nullable YearlyRule rule,
        Set<LocalDate> further,
        Set<LocalDate> except) {
    /**
     * An occurrence.
     *
     * @param start its first day
     * @param days how many it covers, at least one
     */
    record Span(LocalDate start, int days) {}
}
