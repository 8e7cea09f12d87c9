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
