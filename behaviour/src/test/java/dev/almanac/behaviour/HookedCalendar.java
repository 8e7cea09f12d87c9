package dev.almanac.behaviour;

import dev.almanac.time.ExclusionCalendar;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A calendar of tests that does something before each answer, such as to throw.
 *
 * @param calendar whose answers it gives
 * @param first what it does
 */
record HookedCalendar(ExclusionCalendar calendar, Runnable first) implements ExclusionCalendar {
    /** Excludes nothing. */
    HookedCalendar(Runnable first) {
        this(new Empty(), first);
    }

    @Override
    public boolean isIncluded(Instant instant, ZoneId jobZone) {
        first.run();
        return calendar.isIncluded(instant, jobZone);
    }

    @Override
    public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
        first.run();
        return calendar.nextIncluded(from, jobZone);
    }

    private record Empty() implements ExclusionCalendar {
        @Override
        public boolean isIncluded(Instant instant, ZoneId jobZone) {
            return true;
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
            return Optional.of(from);
        }
    }
}
