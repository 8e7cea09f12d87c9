package dev.almanac.time;

import java.time.Instant;
import java.util.Optional;

/** Excluded fires are left out: the search continues from the first included instant. */
record DroppingFires(Recurrence recurrence) implements Fires {
    private static final int FEW = 32;
    /** An expression may pause for 40 years; what a calendar leaves of it is not searched for longer. */
    private static final long HORIZON_SECONDS = 40L * 366 * Civil.DAY;

    @Override
    public Optional<PlannedFire> next(Instant after, Instant until) {
        return firstIncluded(recurrence, after, until).map(fire -> new PlannedFire(fire, null));
    }

    /** The nominal fires one by one, since most often one of the first is included; then by halving. */
    @Override
    public Optional<PlannedFire> previous(Instant until, Instant from) {
        Optional<PlannedFire> nominal = new PlainFires(recurrence).previous(until, from);
        ExclusionCalendar calendar = recurrence.calendar();
        for (int i = 0; i < FEW && nominal.isPresent(); i++) {
            Instant at = nominal.get().fireTime();
            if (calendar.isIncluded(at, recurrence.zone())) {
                return nominal;
            }
            nominal = new PlainFires(recurrence).previous(Moments.justBefore(at), from);
        }
        return nominal.isEmpty() ? nominal : new LastBefore(this, nominal.get().fireTime(), from).find();
    }

    private static Optional<Instant> firstIncluded(Recurrence recurrence, Instant after, Instant until) {
        ExclusionCalendar calendar = recurrence.calendar();
        Optional<Instant> nominal = nominal(recurrence, after);
        Instant limit = nominal.map(first -> Moments.plus(first, HORIZON_SECONDS))
                .filter(until::isAfter)
                .orElse(until);
        for (int i = 0;
                i < Recurrence.MOST_EXCLUDED
                        && nominal.isPresent()
                        && !nominal.get().isAfter(limit);
                i++) {
            Instant at = nominal.get();
            Optional<Instant> included =
                    calendar.isIncluded(at, recurrence.zone()) ? nominal : nextIncluded(recurrence, calendar, at);
            if (included.isEmpty() || included.get().equals(at)) {
                return included;
            }
            Instant from = CalendarChain.notBefore(included.get(), at, calendar);
            nominal = nominal(recurrence, Moments.justBefore(from));
        }
        return Optional.empty();
    }

    /** Of an interval every fire has a wall time that it names, so days without any that is included are passed over. */
    private static Optional<Instant> nextIncluded(Recurrence recurrence, ExclusionCalendar calendar, Instant at) {
        Schedule schedule = recurrence.schedule();
        LocalTimes times = schedule.isFixedTime() ? null : schedule.times(recurrence.zone());
        return times == null
                ? calendar.nextIncluded(at, recurrence.zone())
                : calendar.nextIncluded(at, recurrence.zone(), times.timesOfDay());
    }

    private static Optional<Instant> nominal(Recurrence recurrence, Instant after) {
        return recurrence.schedule().next(after, recurrence.zone(), recurrence.daylightSavingPolicy());
    }
}
