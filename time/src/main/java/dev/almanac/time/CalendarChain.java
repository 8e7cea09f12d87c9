package dev.almanac.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Several calendars as one. The first instant that all include is found by asking each in turn from where the one
 * before has come to, until a full round moves nothing. Each round that moves, moves forward: the search ends.
 */
final class CalendarChain implements ExclusionCalendar {
    static final long HORIZON_SECONDS = 20L * 366 * 86_400;
    private static final int MOST_ROUNDS = 100_000;

    private final List<ExclusionCalendar> calendars;

    CalendarChain(List<? extends ExclusionCalendar> calendars) {
        this.calendars = List.copyOf(calendars);
    }

    @Override
    public boolean isIncluded(Instant instant, ZoneId jobZone) {
        for (ExclusionCalendar calendar : calendars) {
            if (!calendar.isIncluded(instant, jobZone)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
        Instant end = Moments.plus(from, HORIZON_SECONDS);
        Instant at = from;
        for (int round = 0; round < MOST_ROUNDS && !at.isAfter(end); round++) {
            Optional<Instant> reached = oneRound(at, jobZone);
            if (reached.isEmpty() || reached.get().equals(at)) {
                return reached;
            }
            at = reached.get();
        }
        return Optional.empty();
    }

    @Override
    public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone, TimesOfDay times) {
        Optional<Instant> latest = nextIncluded(from, jobZone);
        for (ExclusionCalendar calendar : calendars) {
            Optional<Instant> included = calendar.nextIncluded(from, jobZone, times);
            if (latest.isEmpty() || included.isEmpty()) {
                return Optional.empty();
            }
            latest = included.get().isAfter(latest.get()) ? included : latest;
        }
        return latest;
    }

    private Optional<Instant> oneRound(Instant from, ZoneId jobZone) {
        Instant at = from;
        for (ExclusionCalendar calendar : calendars) {
            Optional<Instant> included = calendar.nextIncluded(at, jobZone);
            if (included.isEmpty()) {
                return included;
            }
            at = notBefore(included.get(), at, calendar);
        }
        return Optional.of(at);
    }

    /** A calendar that runs backwards would make every search endless. */
    static Instant notBefore(Instant included, Instant from, ExclusionCalendar calendar) {
        if (included.isBefore(from)) {
            throw new IllegalStateException(
                    "calendar " + calendar + " answers " + included + " as the first included instant from " + from);
        }
        return included;
    }

    @Override
    public String description() {
        return calendars.stream().map(ExclusionCalendar::description).collect(Collectors.joining(" + "));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CalendarChain chain && chain.calendars.equals(calendars);
    }

    @Override
    public int hashCode() {
        return calendars.hashCode();
    }

    @Override
    public String toString() {
        return "allOf" + calendars;
    }
}
