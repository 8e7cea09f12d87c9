package dev.almanac.store;

import java.time.Instant;
import java.util.List;

/**
 * Which claims of a group have been counted against its rate.
 *
 * @param number increases by one with each change; a change names the number that was read
 * @param counts the claims of the last period, the earliest first; a few dozen at most
 */
public record RateUse(long number, List<Count> counts) {
    /** Nothing was counted yet. */
    public static final RateUse NONE = new RateUse(0, List.of());

    /** Copies the list. */
    public RateUse {
        counts = List.copyOf(counts);
    }

    /**
     * Claims that were counted within a short slice of time.
     *
     * @param from when the slice began, by the server's clock
     * @param claims how many
     */
    public record Count(Instant from, int claims) {}
}
