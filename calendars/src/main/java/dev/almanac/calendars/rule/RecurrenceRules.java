package dev.almanac.calendars.rule;

import dev.almanac.time.RuleReader;
import java.time.Instant;

/** Reads recurrence rules of RFC 5545 for core. Stateless and thread-safe. */
public final class RecurrenceRules implements RuleReader {

    /** Made by {@code java.util.ServiceLoader}. */
    public RecurrenceRules() {}

    @Override
    public Rule read(String text) {
        RuleText read = RuleText.read(text);
        RuleParts parts = read.parts();
        boolean fixed = parts.frequency.compareTo(Frequency.DAILY) >= 0;
        Instant until = parts.untilInstant == null ? Instant.MAX : parts.untilInstant;
        return new Rule(read.canonical(), fixed, until, RuleTimes.of(parts, read::countRefused));
    }
}
