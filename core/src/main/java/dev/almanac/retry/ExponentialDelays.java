package dev.almanac.retry;

import java.time.Duration;
import java.util.Optional;

/** Delays that grow by a factor up to a cap, spread by jitter. */
record ExponentialDelays(int retries, Duration first, double factor, Duration cap, double jitter)
        implements RetryPolicy {

    ExponentialDelays {
        check(retries >= 1 && retries <= MOST_RETRIES, retries + " retries are not within 1 to " + MOST_RETRIES);
        check(!first.isNegative() && !first.isZero(), "first delay " + first + " is not more than zero");
        check(factor >= 1 && factor <= 100, "factor " + factor + " is not within 1 to 100");
        check(cap.compareTo(first) >= 0, "cap " + cap + " is less than the first delay " + first);
        check(cap.compareTo(LONGEST) <= 0, "cap " + cap + " is longer than " + LONGEST);
        check(jitter >= 0 && jitter <= 1, "jitter " + jitter + " is not within 0 to 1");
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    @Override
    public Optional<Duration> delay(int retry, double chance) {
        if (retry < 1 || retry > retries) {
            return Optional.empty();
        }
        double millis = first.toMillis() + first.toNanosPart() % 1_000_000 / 1e6;
        double grown = Math.min(millis * Math.pow(factor, retry - 1.0), cap.toMillis());
        double spread = grown * (1 + jitter * (2 * chance - 1));
        return Optional.of(Duration.ofMillis(Math.max(1, Math.round(Math.min(spread, cap.toMillis())))));
    }

    @Override
    public String toString() {
        return "R" + retries + "/" + first + "*" + factor + "<" + cap + "~" + jitter;
    }
}
