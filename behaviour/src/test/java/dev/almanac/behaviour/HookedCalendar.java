package dev.almanac.behaviour;

import dev.almanac.time.ExclusionCalendar;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A calendar of tests that excludes nothing, and does something before each answer, such as to throw.
 *
 * @param first what it does
 */
record HookedCalendar(Runnable first) implements ExclusionCalendar {
    @Override
    public boolean isIncluded(Instant instant, ZoneId jobZone) {
        first.run();
        return true;
    }

    @Override
    public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
        first.run();
        return Optional.of(from);
    }
}
