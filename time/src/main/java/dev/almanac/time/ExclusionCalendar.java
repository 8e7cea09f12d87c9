package dev.almanac.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which instants are left out of a schedule: a pure predicate over the local date-time in its own zone, or in the
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

    /**
     * As {@link #nextIncluded(Instant, ZoneId)}, for fires at some times of day only: a calendar that excludes all of them
     * on whole ranges of days may pass over those in one step.
     *
     * @param times the wall times that matter, in the job's zone
     * @return an instant before which no such time is included, not before {@code from}; empty if none is within the
     *     bound
     */
    default Optional<Instant> nextIncluded(Instant from, ZoneId jobZone, TimesOfDay times) {
        return nextIncluded(from, jobZone);
    }

    /** The zone in which it is read; absent = the job's. */
    default @Nullable ZoneId zone() {
        return null;
    }

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
