package dev.almanac.retry;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A fixed delay for each retry. */
record FixedDelays(List<Duration> delays) implements RetryPolicy {
    static final FixedDelays NONE = new FixedDelays(List.of());

    FixedDelays {
        check(delays.size());
        delays = List.copyOf(delays);
        for (Duration delay : delays) {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay " + delay + " is negative");
            }
            if (delay.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("delay " + delay + " is longer than " + LONGEST);
            }
        }
    }

    static FixedDelays equal(int retries, Duration delay) {
        check(retries);
        return new FixedDelays(Collections.nCopies(retries, delay));
    }

    private static void check(int retries) {
        if (retries < 0 || retries > MOST_RETRIES) {
            throw new IllegalArgumentException(retries + " retries are not within 0 to " + MOST_RETRIES);
        }
    }

    @Override
    public int retries() {
        return delays.size();
    }

    @Override
    public Optional<Duration> delay(int retry, double chance) {
        return retry >= 1 && retry <= delays.size() ? Optional.of(delays.get(retry - 1)) : Optional.empty();
    }

    @Override
    public String toString() {
        if (delays.isEmpty()) {
            return "none";
        }
        boolean equal = delays.stream().distinct().count() == 1;
        return equal
                ? "R" + delays.size() + "/" + delays.get(0)
                : delays.stream().map(Duration::toString).collect(Collectors.joining(","));
    }
}
