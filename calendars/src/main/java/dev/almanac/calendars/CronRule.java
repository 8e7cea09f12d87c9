package dev.almanac.calendars;

import dev.almanac.time.CronExpression;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Excludes the whole seconds whose wall time an expression names. */
record CronRule(CronExpression expression) implements LocalRule {
    private static final int FIRST_YEAR = 1970;
    private static final int LAST_YEAR = 2179;

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

    /** Asked for each stretch of 20 years in which an expression can name a time: 1970 to 2199. */
    @Override
    public boolean excludesEverything() {
        for (int year = FIRST_YEAR; year <= LAST_YEAR; year += 20) {
            if (nextIncluded(LocalDate.of(year, 1, 1).toEpochDay() * DAY) != NONE) {
                return false;
            }
        }
        return true;
    }

    private static LocalDateTime dateTime(long local) {
        return LocalDateTime.ofEpochSecond(Math.floorDiv(local, 1_000L), 0, ZoneOffset.UTC);
    }
}
