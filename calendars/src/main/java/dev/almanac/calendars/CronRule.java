package dev.almanac.calendars;

import dev.almanac.time.CronExpression;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Excludes the whole seconds whose wall time an expression names. */
record CronRule(CronExpression expression) implements LocalRule {
    @Override
    public boolean includes(long local) {
        return !expression.matchesLocal(dateTime(local));
    }

    @Override
    public long nextIncluded(long local) {
        if (includes(local)) {
            return local;
        }
        return expression
                .nextUnmatched(Instant.ofEpochMilli(local), ZoneOffset.UTC)
                .map(Instant::toEpochMilli)
                .orElse(NONE);
    }

    private static LocalDateTime dateTime(long local) {
        return LocalDateTime.ofEpochSecond(Math.floorDiv(local, 1_000L), 0, ZoneOffset.UTC);
    }
}
