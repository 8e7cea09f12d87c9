package dev.almanac.calendars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.CronExpression;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calendars that take the fires of a season out one by one, and leave the seconds between them. */
class LongExclusionTest {
    private static final Instant JUNE = Instant.parse("2026-06-01T00:00:00Z");
    private static final Instant SEPTEMBER = Instant.parse("2026-09-01T00:00:00Z");

    private static Recurrence everyMinute(String excluded, CalendarPolicy policy) {
        return new Recurrence(
                CronExpression.parse("0 * * * * ?", CronDialect.QUARTZ),
                ZoneOffset.UTC,
                DaylightSavingPolicy.RUN_ONCE,
                List.of(Calendars.cron(excluded)),
                policy,
                null,
                null);
    }

    @ParameterizedTest
    @DisplayName("C4: a job of every minute is found again after a summer of which a calendar excludes each minute")
    @EnumSource(names = {"DROP", "MODIFIED_FOLLOWING"})
    void summer(CalendarPolicy policy) {
        Recurrence recurrence = everyMinute("0 * * ? JUN-AUG *", policy);
        assertThat(recurrence.next(JUNE.minusSeconds(60)).map(PlannedFire::fireTime))
                .contains(SEPTEMBER);
        assertThat(recurrence.previous(SEPTEMBER).map(PlannedFire::fireTime)).contains(JUNE.minusSeconds(60));
    }

    @Test
    @DisplayName("C1: a search through fires that are all excluded one by one ends, without a fire")
    void never() {
        Recurrence recurrence = everyMinute("0 * * * * ?", CalendarPolicy.DROP);
        assertThat(recurrence.next(JUNE)).isEmpty();
        assertThat(recurrence.previous(JUNE)).isEmpty();
    }
}
