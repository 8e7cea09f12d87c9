package dev.almanac.time;

import java.time.Instant;

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

    /** The instant just before, so that "strictly after" becomes "at or after". */
    static Instant justBefore(Instant at) {
        return at.equals(Instant.MIN) ? at : at.minusNanos(1);
    }
}
