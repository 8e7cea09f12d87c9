package dev.almanac.time;

import java.time.Instant;
import java.util.Objects;

/**
 * Reads texts of the dialect RRULE. Found as a service ({@code java.util.ServiceLoader}); the module almanac-calendars
 * brings one. A node without it leaves jobs of that dialect to others.
 */
@FunctionalInterface
public interface RuleReader {

    /**
     * Reads {@code DTSTART:20260131T090000 RRULE:FREQ=...}.
     *
     * @throws InvalidCronException naming the part that is wrong
     */
    Rule read(String text);

    /**
     * A rule that was read.
     *
     * @param canonical equal for texts that differ in nothing but their writing
     * @param fixed whether it names times of day, and no hours, minutes or seconds that repeat
     * @param until the last instant that may be a fire; the latest of all if the rule has no such bound
     * @param times what it names
     */
    record Rule(String canonical, boolean fixed, Instant until, LocalTimes times) {
        /** Checks that all is there. */
        public Rule {
            Objects.requireNonNull(canonical, "canonical");
            Objects.requireNonNull(until, "until");
            Objects.requireNonNull(times, "times");
        }
    }
}
