package dev.almanac.time;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** Several calendars of which each may exclude. */
record CalendarChain(List<ExclusionCalendar> calendars) implements ExclusionCalendar {
    private static final Duration BOUND = Duration.ofDays(20 * 366L);
    /** Each round moves on; calendars that exclude by the day need about two rounds a day. */
    private static final int MOST_ROUNDS = 40_000;

    @Override
    public boolean isIncluded(Instant instant, ZoneId jobZone) {
        return calendars.stream().allMatch(calendar -> calendar.isIncluded(instant, jobZone));
    }

    @Override
    public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
        Instant bound = from.plus(BOUND);
        Instant at = from;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Instant before = at;
            for (ExclusionCalendar calendar : calendars) {
                Optional<Instant> next = calendar.nextIncluded(at, jobZone);
                if (next.isEmpty() || next.get().isAfter(bound)) {
                    return Optional.empty();
                }
                at = next.get();
            }
            if (at.equals(before)) {
                return Optional.of(at);
            }
        }
        return Optional.empty();
    }
}
