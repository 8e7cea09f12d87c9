package dev.almanac.time;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Arithmetic on instants that stays inside their range. */
final class Moments {
    private Moments() {}

    static Instant plus(Instant at, long seconds) {
        if (seconds >= 0) {
            return Instant.MAX.getEpochSecond() - at.getEpochSecond() <= seconds
                    ? Instant.MAX
                    : at.plusSeconds(seconds);
        }
        return at.getEpochSecond() - Instant.MIN.getEpochSecond() <= -seconds ? Instant.MIN : at.plusSeconds(seconds);
    }

    /** Up to whole milliseconds, which is what stores keep. */
    static Instant roundedUp(Instant at) {
        return at.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
    }

    /** The instant just before, so that "strictly after" becomes "at or after". */
    static Instant justBefore(Instant at) {
        return at.equals(Instant.MIN) ? at : at.minusNanos(1);
    }
}
