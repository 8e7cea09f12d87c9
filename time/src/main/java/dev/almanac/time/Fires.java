package dev.almanac.time;

import java.time.Instant;
import java.util.Optional;

/** The fires of a recurrence as an ordered set of instants, under one calendar policy. */
interface Fires {

    /** The first fire after {@code after} that is not after {@code until}. */
    Optional<PlannedFire> next(Instant after, Instant until);

    /** The last fire that is neither after {@code until} nor before {@code from}. */
    default Optional<PlannedFire> previous(Instant until, Instant from) {
        return new LastBefore(this, until, from).find();
    }

    /** How many lie strictly after {@code after} and not after {@code until}; counting ends at {@code most}. */
    default long count(Instant after, Instant until, long most) {
        long count = 0;
        Optional<PlannedFire> at = next(after, until);
        while (at.isPresent() && count < most) {
            count++;
            at = next(at.get().fireTime(), until);
        }
        return count;
    }

    static Fires of(Recurrence recurrence) {
        if (recurrence.calendars().isEmpty()) {
            return new PlainFires(recurrence);
        }
        return switch (recurrence.effectivePolicy()) {
            case DROP -> new DroppingFires(recurrence);
            case NEXT_INCLUDED -> new PostponedFires(recurrence);
            case FOLLOWING, PRECEDING, MODIFIED_FOLLOWING, MODIFIED_PRECEDING -> new ShiftedFires(recurrence);
        };
    }
}
