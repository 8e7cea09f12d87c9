package dev.almanac.engine.rules;

import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * For how long a hundred fires of a schedule last (rule S22): so long its rows are kept, so that each fire of that time can be
 * accounted for. Neither zone nor calendars count, which only make it longer, and neither does the present time: rows that
 * were written earlier were kept for as long. Pure functions.
 */
final class HundredFires {
    static final Duration LEAST = Duration.ofDays(1);
    static final Duration MOST = Duration.ofDays(35);

    private static final int FIRES = 100;
    /** A moment like any other; a schedule that fires but for a season is measured within that. */
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private HundredFires() {}

    static Duration of(Schedule schedule) {
        Instant first = next(schedule, START);
        Instant last = first;
        for (int i = 0; i < FIRES; i++) {
            last = next(schedule, last);
            if (Duration.between(first, last).compareTo(MOST) >= 0) {
                return MOST;
            }
        }
        return bounded(Duration.between(first, last));
    }

    /** @param schedule one that counts from the end of a run, with the epoch as that end */
    static Duration ofDelay(Schedule schedule) {
        return bounded(
                Duration.between(Instant.EPOCH, next(schedule, Instant.EPOCH)).multipliedBy(FIRES));
    }

    private static Duration bounded(Duration all) {
        return all.compareTo(LEAST) < 0 ? LEAST : all.compareTo(MOST) > 0 ? MOST : all;
    }

    /** One that is over counts as rare. */
    private static Instant next(Schedule schedule, Instant after) {
        return schedule.next(after, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE)
                .orElse(after.plus(MOST));
    }
}
