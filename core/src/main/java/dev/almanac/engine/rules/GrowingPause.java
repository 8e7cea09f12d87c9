package dev.almanac.engine.rules;

import java.time.Duration;

/**
 * A pause that doubles with each failure in a row.
 *
 * @param first after the first failure, more than zero
 * @param longest it grows no further
 */
public record GrowingPause(Duration first, Duration longest) {
    /** @param failures how many there have been in a row, 1 or more */
    public Duration after(int failures) {
        Duration pause = first;
        for (int i = 1; i < failures && pause.compareTo(longest) < 0; i++) {
            pause = longer(pause);
        }
        return pause;
    }

    /** @param before the pause before; zero = none */
    public Duration longer(Duration before) {
        Duration doubled = before.isZero() ? first : before.multipliedBy(2);
        return doubled.compareTo(longest) < 0 ? doubled : longest;
    }
}
