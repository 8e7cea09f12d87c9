package dev.almanac.testkit.faults;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * How often each kind of fault happens to a call, and how long it takes. Immutable.
 *
 * @param of the chance of each kind, from 0 to 1, together at most 1; a kind that is not named never happens
 * @param longestRequest bound of {@link Fault#request}; drawn evenly in milliseconds, both ends included
 * @param longestReply bound of {@link Fault#reply}; drawn likewise
 */
public record Chances(Map<Fault.Kind, Double> of, Duration longestRequest, Duration longestReply) {
    /** Nothing goes wrong. */
    public static final Chances NONE = new Chances(Map.of(), Duration.ZERO, Duration.ZERO);

    /** @throws IllegalArgumentException if a chance or a duration is out of range */
    public Chances {
        double sum = 0;
        for (double chance : of.values()) {
            sum += chance >= 0 ? chance : Double.NaN;
        }
        // sums of decimal fractions may exceed 1 by the last binary digit
        if (!(sum <= 1 + 1e-9)) {
            throw new IllegalArgumentException("chances are at least 0 each and at most 1 together, not " + of);
        }
        if (longestRequest.isNegative() || longestReply.isNegative()) {
            throw new IllegalArgumentException(
                    "longest request " + longestRequest + " or longest reply " + longestReply + " is negative");
        }
        // in the order of the kinds, so that the same seed draws the same faults in every process
        Map<Fault.Kind, Double> ordered = new EnumMap<>(Fault.Kind.class);
        ordered.putAll(of);
        of = Collections.unmodifiableMap(ordered);
    }

    /** Draws what happens to one call; empty = nothing. */
    Optional<Fault> draw(SplittableRandom random) {
        double draw = random.nextDouble();
        for (Map.Entry<Fault.Kind, Double> kind : of.entrySet()) {
            draw -= kind.getValue();
            if (draw < 0) {
                return Optional.of(new Fault(kind.getKey(), upTo(longestRequest, random), upTo(longestReply, random)));
            }
        }
        return Optional.empty();
    }

    private static Duration upTo(Duration longest, SplittableRandom random) {
        return Duration.ofMillis(random.nextLong(longest.toMillis() + 1));
    }
}
