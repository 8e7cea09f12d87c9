package dev.almanac.calendars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.CronExpression;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cron calendars beside jobs that fire at the same times. */
class CoveredTimesTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    /** Counts how often it is asked. */
    private record Counting(ExclusionCalendar calendar, AtomicInteger asked) implements ExclusionCalendar {
        @Override
        public boolean isIncluded(Instant instant, ZoneId jobZone) {
            asked.incrementAndGet();
            return calendar.isIncluded(instant, jobZone);
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
            return calendar.nextIncluded(from, jobZone);
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone, dev.almanac.time.TimesOfDay times) {
            return calendar.nextIncluded(from, jobZone, times);
        }
    }

    private static Recurrence recurrence(String cron, ExclusionCalendar... calendars) {
        return new Recurrence(
                CronExpression.parse(cron, CronDialect.QUARTZ),
                BERLIN,
                DaylightSavingPolicy.RUN_ONCE,
                List.of(calendars),
                CalendarPolicy.DROP,
                null,
                null);
    }

    @Test
    @DisplayName("C1: a calendar that excludes every fire of a job is found out day by day, not fire by fire")
    void bomb() {
        AtomicInteger asked = new AtomicInteger();
        Counting calendar = new Counting(Calendars.cron("0/2 * * * * ?"), asked);
        assertThat(recurrence("0/2 * * * * ?", calendar).next(Instant.parse("2026-01-01T00:00:00Z")))
                .isEmpty();
        assertThat(recurrence("0/4 * * * * ?", calendar, Calendars.weekends())
                        .next(Instant.parse("2026-01-01T00:00:00Z")))
                .isEmpty();
        assertThat(asked.get()).isLessThan(100);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0/2 * * * * ? | 0/2 * * * 1-11 ? | 2026-11-30T23:00:00Z",
                "0/2 * * * * ? | 0/2 * * ? * MON-FRI | 2026-01-02T23:00:00Z",
                "0 0/15 * * * ? | 0 */5 * * 3-12 ? | 2026-01-01T00:15:00Z",
                "0 0/15 * * * ? | 0 */5 0-12 * * ? | 2026-01-01T12:00:00Z",
                "0 30 * * * ? | 0 30 * ? * SUN-FRI | 2026-01-02T23:30:00Z",
            })
    @DisplayName("C1: what is passed over holds no fire that is included")
    void passedOver(String cron, String calendar, Instant expected) {
        assertThat(recurrence(cron, Calendars.cron(calendar))
                        .next(Instant.parse("2026-01-01T00:00:00Z"))
                        .map(PlannedFire::fireTime))
                .contains(expected);
    }

    @Test
    @DisplayName("4.2: a fixed time that a gap moves out of the excluded times fires all the same")
    void movedByAGap() {
        assertThat(recurrence("0 30 2 * * ?", Calendars.cron("0 30 2 * * ?"))
                        .next(Instant.parse("2026-03-01T00:00:00Z"))
                        .map(PlannedFire::fireTime))
                .contains(Instant.parse("2026-03-29T01:00:00Z"));
    }
}
