package dev.almanac.retry;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * When a failed run is tried again (rule R5). Immutable data; {@code toString()} is the text that
 * {@link #parse(String)} reads and that the stored document contains.
 *
 * <table> <caption>Texts</caption> <tr><td>{@code none}</td><td>no retry</td></tr> <tr><td>{@code R5/PT5M}</td><td>up
 * to 5 retries, 5 minutes apart</td></tr> <tr><td>{@code PT10M,PT17M,PT20M}</td><td>three retries, each after its own
 * delay</td></tr> <tr><td>{@code R8/PT1S*2<PT1H~0.1}</td><td>up to 8 retries, the first after a second, each delay
 * twice the previous one, at most an hour, each shortened or lengthened by up to 10 %</td></tr> </table>
 */
public sealed interface RetryPolicy permits FixedDelays, ExponentialDelays {
    /** The largest number of retries that a policy may have: {@value}. */
    int MOST_RETRIES = 1_000;

    /**
     * The longest delay that a policy may have, and the longest duration of any setting: 36 525 days. It is beyond what
     * services need, and within what clocks can count in nanoseconds.
     */
    Duration LONGEST = Duration.ofDays(36_525);

    /** No retry. */
    static RetryPolicy none() {
        return FixedDelays.NONE;
    }

    /**
     * Up to {@code retries} retries, each after the same delay.
     *
     * @param retries 0 to 1 000
     * @param delay zero to {@link #LONGEST}
     * @throws IllegalArgumentException if one of them is outside its range
     */
    static RetryPolicy fixed(int retries, Duration delay) {
        return FixedDelays.equal(retries, delay);
    }

    /** One retry for each delay, in order. */
    static RetryPolicy delays(List<Duration> delays) {
        return new FixedDelays(delays);
    }

    /**
     * Delays that grow.
     *
     * @param retries 1 to 1 000
     * @param first the first delay, more than zero; each delay is rounded to milliseconds, and at least one
     * @param factor by which each delay exceeds the one before, 1 to 100
     * @param cap the longest delay, at least {@code first}
     * @param jitter by which part of itself a delay may be shortened or lengthened at random, 0 to 1
     */
    static RetryPolicy exponential(int retries, Duration first, double factor, Duration cap, double jitter) {
        return new ExponentialDelays(retries, first, factor, cap, jitter);
    }

    /**
     * Reads a policy.
     *
     * @throws IllegalArgumentException if the text is none of the forms above; the message names the position
     */
    static RetryPolicy parse(String text) {
        return RetryText.parse(text);
    }

    /** How many retries follow the first attempt at most. */
    int retries();

    /**
     * The delay before a retry, or empty if there is no such retry.
     *
     * @param retry 1 for the first
     * @param chance a random number from 0 (inclusive) to 1 (exclusive), for the jitter
     */
    Optional<Duration> delay(int retry, double chance);
}
