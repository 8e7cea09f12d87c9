package dev.almanac.time;

import java.time.Instant;
import java.util.Optional;

/**
 * Excluded fires wait for the first included instant. Of several that wait for the same one only the last is left,
 * since the others would come after the next regular fire.
 */
record PostponedFires(Recurrence recurrence) implements Fires {

    @Override
    public Optional<PlannedFire> next(Instant after, Instant until) {
        Optional<Instant> passed = previous(after);
        if (passed.isPresent()) {
            Optional<PlannedFire> waiting =
                    postponed(passed.get()).filter(fire -> fire.fireTime().isAfter(after));
            if (waiting.isPresent()) {
                return waiting.filter(fire -> !fire.fireTime().isAfter(until));
            }
        }
        return cron(after)
                .flatMap(this::postponed)
                .filter(fire -> !fire.fireTime().isAfter(until));
    }

    /** Where the group of excluded fires that {@code nominal} belongs to ends: at most one fire. */
    private Optional<PlannedFire> postponed(Instant nominal) {
        Optional<Instant> included = recurrence.calendar().nextIncluded(nominal, recurrence.zone());
        if (included.isEmpty() || included.get().equals(nominal)) {
            return included.map(fire -> new PlannedFire(fire, null));
        }
        // in whole milliseconds, as it is stored: else it would be found again after its run
        Instant fire = Moments.roundedUp(CalendarChain.notBefore(included.get(), nominal, recurrence.calendar()));
        return Optional.of(
                new PlannedFire(fire, isNominal(fire) ? null : before(fire).orElse(nominal)));
    }

    private boolean isNominal(Instant fire) {
        return recurrence.schedule().matches(fire, recurrence.zone(), recurrence.daylightSavingPolicy());
    }

    private Optional<Instant> cron(Instant after) {
        return recurrence.schedule().next(after, recurrence.zone(), recurrence.daylightSavingPolicy());
    }

    private Optional<Instant> before(Instant at) {
        return recurrence.schedule().previous(at, recurrence.zone(), recurrence.daylightSavingPolicy());
    }

    /** The last nominal fire at or before an instant. */
    private Optional<Instant> previous(Instant at) {
        return isNominal(at) ? Optional.of(at) : before(at);
    }
}
