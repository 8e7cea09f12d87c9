package dev.almanac.time;

import java.time.Instant;
import java.util.Optional;

/** The fires of an expression, without calendars. */
record PlainFires(Recurrence recurrence) implements Fires {

    @Override
    public Optional<PlannedFire> next(Instant after, Instant until) {
        return recurrence
                .schedule()
                .next(after, recurrence.zone(), recurrence.daylightSavingPolicy())
                .filter(fire -> !fire.isAfter(until))
                .map(fire -> new PlannedFire(fire, null));
    }

    @Override
    public Optional<PlannedFire> previous(Instant until, Instant from) {
        Schedule schedule = recurrence.schedule();
        Optional<Instant> found = schedule.matches(until, recurrence.zone(), recurrence.daylightSavingPolicy())
                ? Optional.of(until)
                : schedule.previous(until, recurrence.zone(), recurrence.daylightSavingPolicy());
        return found.filter(fire -> !fire.isBefore(from)).map(fire -> new PlannedFire(fire, null));
    }

    @Override
    public long count(Instant after, Instant until, long most) {
        Schedule schedule = recurrence.schedule();
        long count = schedule.count(after, until, recurrence.zone(), recurrence.daylightSavingPolicy(), most);
        return Math.min(most, count);
    }
}
