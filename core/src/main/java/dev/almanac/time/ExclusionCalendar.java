package dev.almanac.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * Says which instants are left out of a schedule: a pure predicate over the local date-time in its own zone, or in the
 * job's zone if it has none (rule C1). Both passes of a repeated hour are judged alike.
 *
 * <p>Implementations are immutable and safe for use by many threads.
 */
public interface ExclusionCalendar {

    /**
     * Whether a fire at this instant is allowed.
     *
     * @param instant any instant
     * @param jobZone the zone that applies if the calendar has none of its own
     */
    boolean isIncluded(Instant instant, ZoneId jobZone);

    /**
     * The smallest included instant that is not before {@code from}; {@code from} itself if it is included. Monotone
     * and idempotent; looks 20 years ahead and never second by second.
     *
     * @return empty if everything is excluded within that bound
     */
    Optional<Instant> nextIncluded(Instant from, ZoneId jobZone);

    /** What messages call this calendar; empty if it has no description. */
    default String description() {
        return "";
    }

    /**
     * A calendar that includes what all the given ones include: exclusion wins, the order has no effect (rule C3). An
     * empty list includes everything.
     */
    static ExclusionCalendar allOf(List<? extends ExclusionCalendar> calendars) {
        return calendars.size() == 1 ? calendars.get(0) : new CalendarChain(calendars);
    }
}
