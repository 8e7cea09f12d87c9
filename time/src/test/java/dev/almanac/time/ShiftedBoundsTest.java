package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rule C4: the conventions do not ask a calendar more and more often, the longer it stays shut. */
class ShiftedBoundsTest {
    private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @EnumSource(names = {"FOLLOWING", "PRECEDING", "MODIFIED_FOLLOWING", "MODIFIED_PRECEDING"})
    @DisplayName("C4: a daily job and a calendar that is shut from January to November")
    void C4_eleven_shut_months(CalendarPolicy policy) {
        AtomicInteger asked = new AtomicInteger();
        Recurrence recurrence =
                recurrence("0 0 12 * * ?", policy, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE, date -> {
                    asked.incrementAndGet();
                    return date.getMonth() != Month.DECEMBER;
                });
        assertThat(fire(recurrence, NEW_YEAR)).isEqualTo(Instant.parse("2026-12-01T12:00:00Z"));
        assertThat(asked.get()).isLessThan(6_000);
    }

    @Test
    @DisplayName("C4: a day lost in a gap does not hide the next nominal day that precedes to the same business day")
    void C4_lost_day_before_a_nominal_one() {
        // in Berlin 02:30 is skipped on Sunday 29 March 2026: SKIP has no nominal fire then, and Monday is shut
        List<LocalDate> shut = List.of(LocalDate.of(2026, 3, 29), LocalDate.of(2026, 3, 30));
        Recurrence recurrence = recurrence(
                "0 30 2 29,30 3 ?",
                CalendarPolicy.PRECEDING,
                ZoneId.of("Europe/Berlin"),
                DaylightSavingPolicy.SKIP,
                shut::contains);
        assertThat(recurrence.next(NEW_YEAR))
                .contains(
                        new PlannedFire(Instant.parse("2026-03-28T01:30:00Z"), Instant.parse("2026-03-30T00:30:00Z")));
    }

    @ParameterizedTest
    @EnumSource(names = {"FOLLOWING", "PRECEDING", "MODIFIED_FOLLOWING", "MODIFIED_PRECEDING"})
    @DisplayName(
            "C4: wall times that every day excludes fire on the one day on which a gap moves them out of the range")
    void C4_included_only_where_a_gap_moves_it(CalendarPolicy policy) {
        for (String cron : List.of("0 15 2 * * ?", "0 15,45 2 * * ?")) {
            Recurrence recurrence = new Recurrence(
                    CronExpression.parse(cron, CronDialect.QUARTZ),
                    ZoneId.of("Europe/Berlin"),
                    DaylightSavingPolicy.RUN_ONCE,
                    List.of(SimpleCalendar.times("02:00", "02:59")),
                    policy,
                    null,
                    null);
            PlannedFire gap = new PlannedFire(Instant.parse("2026-03-29T01:00:00Z"), null);
            assertThat(recurrence.next(NEW_YEAR)).as(cron).contains(gap);
            assertThat(recurrence.previous(Instant.parse("2026-06-01T00:00:00Z")))
                    .as(cron)
                    .contains(gap);
        }
    }

    private static @Nullable Instant fire(Recurrence recurrence, Instant after) {
        return recurrence.next(after).map(PlannedFire::fireTime).orElse(null);
    }

    private static Recurrence recurrence(
            String cron,
            CalendarPolicy policy,
            ZoneId zone,
            DaylightSavingPolicy clock,
            Predicate<LocalDate> excluded) {
        return new Recurrence(
                CronExpression.parse(cron, CronDialect.QUARTZ),
                zone,
                clock,
                List.of(SimpleCalendar.dates("shut", excluded)),
                policy,
                null,
                null);
    }
}
