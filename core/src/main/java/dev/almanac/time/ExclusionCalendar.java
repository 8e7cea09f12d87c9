package dev.almanac.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * Says at which instants nothing is to fire. A pure predicate over the local date-time in its own zone, else the job's
 * (rule C1). Implementations are immutable and thread-safe.
 */
public interface ExclusionCalendar {
    /** Whether a fire may take place at this instant. */
    boolean isIncluded(Instant instant, ZoneId jobZone);

    /** The smallest included instant that is not before {@code from}; empty if there is none within 20 years. */
    Optional<Instant> nextIncluded(Instant from, ZoneId jobZone);

    /** Includes what all of these include; their order has no effect (rule C3). */
    static ExclusionCalendar allOf(List<? extends ExclusionCalendar> calendars) {
        return calendars.size() == 1 ? calendars.get(0) : new CalendarChain(List.copyOf(calendars));
    }
}
