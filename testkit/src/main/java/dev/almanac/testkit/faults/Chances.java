package dev.almanac.testkit.faults;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * How often each fault happens to a call, each from 0 to 1, together at most 1.
 *
 * @param loseRequest of {@link Fault#LOSE_REQUEST}
 * @param loseReply of {@link Fault#LOSE_REPLY}
 * @param late of {@link Fault#late}
 * @param twice of {@link Fault#twice}
 * @param longestDelay of what is late or repeated, a millisecond or more; delays are drawn evenly, in milliseconds
 */
public record Chances(double loseRequest, double loseReply, double late, double twice, Duration longestDelay) {
    /** Nothing goes wrong. */
    public static final Chances NONE = new Chances(0, 0, 0, 0, Duration.ofMillis(1));

    /** @throws IllegalArgumentException if a chance or the delay is out of range */
    public Chances {
        boolean inRange = loseRequest >= 0 && loseReply >= 0 && late >= 0 && twice >= 0;
        // sums of decimal fractions may exceed 1 by the last binary digit
        if (!inRange || !(loseRequest + loseReply + late + twice <= 1 + 1e-9)) {
            throw new IllegalArgumentException("chances are at least 0 each and at most 1 together");
        }
        if (longestDelay.toMillis() < 1) {
            throw new IllegalArgumentException("longest delay " + longestDelay + " is less than a millisecond");
        }
    }

    /** Draws what happens to one call; empty = nothing. Takes one number from the source, and one for a delay. */
    Optional<Fault> draw(SplittableRandom random) {
        double draw = random.nextDouble();
        if (draw < loseRequest) {
            return Optional.of(Fault.LOSE_REQUEST);
        }
        if (draw < loseRequest + loseReply) {
            return Optional.of(Fault.LOSE_REPLY);
        }
        if (draw < loseRequest + loseReply + late) {
            return Optional.of(Fault.late(delay(random)));
        }
        return draw < loseRequest + loseReply + late + twice
                ? Optional.of(Fault.twice(delay(random)))
                : Optional.empty();
    }

    private Duration delay(SplittableRandom random) {
        return Duration.ofMillis(random.nextLong(longestDelay.toMillis()) + 1);
    }
}
