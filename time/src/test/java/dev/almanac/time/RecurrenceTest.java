package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules C1, C3 and C4 by examples, and bounds. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RecurrenceTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final SimpleCalendar NEVER = SimpleCalendar.dates("never", date -> true);

    @ParameterizedTest
    @DisplayName("C4: a Saturday that ends a month, and a Sunday that begins one")
    @CsvSource({
        // 31 January 2026 is a Saturday, 1 March 2026 a Sunday
        "0 0 9 31 1 ?, FOLLOWING, 2026-02-02T09:00:00Z",
        "0 0 9 31 1 ?, MODIFIED_FOLLOWING, 2026-01-30T09:00:00Z",
        "0 0 9 31 1 ?, PRECEDING, 2026-01-30T09:00:00Z",
        "0 0 9 1 3 ?, PRECEDING, 2026-02-27T09:00:00Z",
        "0 0 9 1 3 ?, MODIFIED_PRECEDING, 2026-03-02T09:00:00Z",
        "0 0 9 1 3 ?, FOLLOWING, 2026-03-02T09:00:00Z",
        "0 0 9 31 1 ?, NEXT_INCLUDED, 2026-02-02T00:00:00Z",
    })
    void C4_conventions(String cron, CalendarPolicy policy, String expected) {
        Recurrence recurrence = recurrence(cron, ZoneOffset.UTC, policy, SimpleCalendar.weekends());
        Instant fire = Instant.parse(expected);
        PlannedFire planned =
                recurrence.next(Instant.parse("2026-01-01T00:00:00Z")).orElseThrow();
        assertThat(planned.fireTime()).isEqualTo(fire);
        assertThat(planned.nominalFireTime()).isEqualTo(nominal(cron));
        assertThat(recurrence.next(fire).orElseThrow().fireTime()).isAfter(Instant.parse("2026-12-01T00:00:00Z"));
        assertThat(recurrence.previous(fire.plusSeconds(1))).contains(planned);
        assertThat(recurrence.previous(fire).orElseThrow().fireTime()).isBefore(Instant.parse("2025-04-01T00:00:00Z"));
    }

    private static @Nullable Instant nominal(String cron) {
        return CronExpression.parse(cron, CronDialect.QUARTZ)
                .next(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE)
                .orElse(null);
    }

    @Test
    @DisplayName("C4: two nominal dates on one business day are one fire; a regular one has no nominal time")
    void C4_collapse() {
        Recurrence daily =
                recurrence("0 0 9 * * ?", ZoneOffset.UTC, CalendarPolicy.FOLLOWING, SimpleCalendar.weekends());
        Recurrence weekend =
                recurrence("0 0 9 ? * SAT,SUN", ZoneOffset.UTC, CalendarPolicy.FOLLOWING, SimpleCalendar.weekends());
        Instant friday = Instant.parse("2026-01-30T09:00:00Z");
        Instant monday = Instant.parse("2026-02-02T09:00:00Z");
        assertThat(daily.next(friday)).contains(new PlannedFire(monday, null));
        assertThat(weekend.next(friday)).contains(new PlannedFire(monday, Instant.parse("2026-02-01T09:00:00Z")));
        assertThat(weekend.next(monday).orElseThrow().fireTime()).isEqualTo(monday.plusSeconds(7 * 86_400));
    }

    @Test
    @DisplayName("C4, 4.2: the wanted wall time is kept, not the one a gap moved it to")
    void C4_gap_on_a_weekend() {
        // the clock goes forward on Sunday 29 March 2026
        Recurrence monthly = recurrence("0 30 2 29 3 ?", BERLIN, CalendarPolicy.FOLLOWING, SimpleCalendar.weekends());
        assertThat(monthly.next(Instant.parse("2026-01-01T00:00:00Z")))
                .contains(
                        new PlannedFire(Instant.parse("2026-03-30T00:30:00Z"), Instant.parse("2026-03-29T01:00:00Z")));
        Recurrence shut = recurrence(
                "0 30 2 28 3 ?",
                BERLIN,
                CalendarPolicy.FOLLOWING,
                SimpleCalendar.dates("Saturdays", d -> d.getDayOfWeek().getValue() == 6));
        assertThat(shut.next(Instant.parse("2026-01-01T00:00:00Z"))
                        .orElseThrow()
                        .fireTime())
                .isEqualTo(Instant.parse("2026-03-29T01:00:00Z"));
    }

    @Test
    @DisplayName("C4: NEXT_INCLUDED fires once, before the next regular fire, at the first included instant")
    void C4_next_included() {
        Recurrence recurrence = recurrence(
                "0 0/30 * * * ?", ZoneOffset.UTC, CalendarPolicy.NEXT_INCLUDED, SimpleCalendar.times("03:00", "05:10"));
        Instant last = Instant.parse("2026-03-10T02:30:00Z");
        PlannedFire waited = recurrence.next(last).orElseThrow();
        assertThat(waited)
                .isEqualTo(new PlannedFire(
                        Instant.parse("2026-03-10T05:10:00.001Z"), Instant.parse("2026-03-10T05:00:00Z")));
        assertThat(recurrence.next(waited.fireTime()))
                .contains(new PlannedFire(Instant.parse("2026-03-10T05:30:00Z"), null));
        assertThat(recurrence.next(Instant.parse("2026-03-10T04:40:00Z"))).contains(waited);
        assertThat(recurrence.previous(Instant.parse("2026-03-10T05:30:00Z"))).contains(waited);
        assertThat(recurrence.previous(waited.fireTime())).contains(new PlannedFire(last, null));
    }

    @Test
    @DisplayName(
            "C4: a moved fire is in whole milliseconds, as it is stored, so that it is not found again after its run")
    void C4_nanoseconds() {
        ExclusionCalendar closed = new ExclusionCalendar() {
            private final Instant end = Instant.parse("2026-03-10T17:00:00Z");

            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                return instant.isAfter(end);
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
                return Optional.of(from.isAfter(end) ? from : end.plusNanos(1));
            }
        };
        Recurrence recurrence = recurrence("0 0 * * * ?", ZoneOffset.UTC, CalendarPolicy.NEXT_INCLUDED, closed);
        PlannedFire moved =
                recurrence.next(Instant.parse("2026-03-10T12:00:00Z")).orElseThrow();
        assertThat(moved.fireTime()).isEqualTo(Instant.parse("2026-03-10T17:00:00.001Z"));
        assertThat(recurrence.next(moved.fireTime()))
                .contains(new PlannedFire(Instant.parse("2026-03-10T18:00:00Z"), null));
    }

    @Test
    @DisplayName("C4: a month without a business day has no fire under the modified conventions")
    void C4_month_without_business_days() {
        SimpleCalendar august = SimpleCalendar.dates("August", date -> date.getMonthValue() == 8);
        Instant from = Instant.parse("2026-07-31T23:59:59Z");
        for (CalendarPolicy policy : List.of(CalendarPolicy.MODIFIED_FOLLOWING, CalendarPolicy.MODIFIED_PRECEDING)) {
            assertThat(recurrence("0 0 9 15 * ?", ZoneOffset.UTC, policy, august)
                            .next(from)
                            .orElseThrow()
                            .fireTime())
                    .isEqualTo(Instant.parse("2026-09-15T09:00:00Z"));
        }
        assertThat(recurrence("0 0 9 15 * ?", ZoneOffset.UTC, CalendarPolicy.FOLLOWING, august)
                        .next(from)
                        .orElseThrow()
                        .fireTime())
                .isEqualTo(Instant.parse("2026-09-01T09:00:00Z"));
    }

    @ParameterizedTest
    @EnumSource(CalendarPolicy.class)
    @DisplayName("startAt and endAt are inclusive and bound the fire, not the nominal time")
    void bounds(CalendarPolicy policy) {
        Instant start = Instant.parse("2026-02-02T09:00:00Z");
        Instant end = Instant.parse("2026-02-04T09:00:00Z");
        CronExpression cron = CronExpression.parse("0 0 9 * * ?", CronDialect.QUARTZ);
        for (List<ExclusionCalendar> calendars :
                List.of(List.<ExclusionCalendar>of(), List.<ExclusionCalendar>of(SimpleCalendar.weekends()))) {
            Recurrence recurrence =
                    new Recurrence(cron, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE, calendars, policy, start, end);
            assertThat(recurrence.next(Instant.MIN).orElseThrow().fireTime()).isEqualTo(start);
            assertThat(recurrence.previous(Instant.MAX).orElseThrow().fireTime())
                    .isEqualTo(end);
            assertThat(recurrence.next(end.minusSeconds(1)).orElseThrow().fireTime())
                    .isEqualTo(end);
            assertThat(recurrence.next(end)).isEmpty();
            assertThat(recurrence.previous(start)).isEmpty();
            assertThat(recurrence.previous(start.plusNanos(1)).orElseThrow().fireTime())
                    .isEqualTo(start);
        }
    }

    @Test
    @DisplayName("startAt between a nominal fire and its business day leaves the fire")
    void start_between() {
        Recurrence recurrence = new Recurrence(
                CronExpression.parse("0 0 9 31 1 ?", CronDialect.QUARTZ),
                ZoneOffset.UTC,
                DaylightSavingPolicy.RUN_ONCE,
                List.of(SimpleCalendar.weekends()),
                CalendarPolicy.FOLLOWING,
                Instant.parse("2026-02-01T00:00:00Z"),
                null);
        assertThat(recurrence.next(Instant.MIN).orElseThrow().fireTime())
                .isEqualTo(Instant.parse("2026-02-02T09:00:00Z"));
    }

    @ParameterizedTest
    @DisplayName("C1: a calendar that leaves no fire answers empty, soon")
    @ValueSource(
            strings = {"* * * * * ?", "0 * * * * ?", "0 0 3 * * ?", "0 0 0 29 2 ?", "* * 3-4 * * ?", "0 0 0 30 2 ?"})
    void C1_nothing_left(String cron) {
        SimpleCalendar nights = SimpleCalendar.times("00:00", "12:00");
        SimpleCalendar days = SimpleCalendar.times("12:00", "23:59:59.999999999".substring(0, 8));
        SimpleCalendar rest = SimpleCalendar.times("23:59:58", "23:59:59.999999999");
        for (CalendarPolicy policy : CalendarPolicy.values()) {
            for (List<ExclusionCalendar> calendars :
                    List.of(List.<ExclusionCalendar>of(NEVER), List.<ExclusionCalendar>of(nights, days, rest))) {
                if (policy.movesDates() && cron.startsWith("*")) {
                    continue;
                }
                Recurrence recurrence = new Recurrence(
                        CronExpression.parse(cron, CronDialect.QUARTZ),
                        BERLIN,
                        DaylightSavingPolicy.RUN_ONCE,
                        calendars,
                        policy,
                        null,
                        null);
                assertThat(recurrence.next(Instant.parse("2026-01-01T00:00:00Z")))
                        .as("%s %s", cron, policy)
                        .isEmpty();
                assertThat(recurrence.previous(Instant.parse("2026-01-01T00:00:00Z")))
                        .as("%s %s", cron, policy)
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(CalendarPolicy.class)
    @DisplayName("C1: an expression of every second with a closed year is answered without stepping")
    void C1_dense(CalendarPolicy policy) {
        SimpleCalendar shut = SimpleCalendar.dates("2026", date -> date.getYear() == 2026);
        Recurrence recurrence =
                recurrence(policy.movesDates() ? "0 * * * * ?" : "* * * * * ?", ZoneOffset.UTC, policy, shut);
        Instant end = Instant.parse("2027-01-01T00:00:00Z");
        assertThat(recurrence
                        .next(Instant.parse("2026-02-01T00:00:00Z"))
                        .orElseThrow()
                        .fireTime())
                .isEqualTo(end);
        assertThat(recurrence
                        .previous(Instant.parse("2026-12-01T00:00:00Z"))
                        .orElseThrow()
                        .fireTime())
                .isEqualTo(Instant.parse(policy.movesDates() ? "2025-12-31T23:59:00Z" : "2025-12-31T23:59:59Z"));
    }

    @Test
    @DisplayName("C4: a convention refuses to move the dates of an expression of every second")
    void C4_too_many_times() {
        for (CalendarPolicy policy : CalendarPolicy.values()) {
            if (policy.movesDates()) {
                assertThatThrownBy(() -> recurrence("* * * * * ?", BERLIN, policy, NEVER))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("86400 times a day");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(CalendarPolicy.class)
    @DisplayName("C1, T5: far instants are ordinary questions")
    void far_instants(CalendarPolicy policy) {
        Recurrence recurrence = recurrence("0 0 9 * * ?", BERLIN, policy, SimpleCalendar.weekends());
        assertThat(recurrence.next(Instant.MIN)).isPresent();
        assertThat(recurrence.next(Instant.MAX)).isEmpty();
        assertThat(recurrence.previous(Instant.MAX)).isPresent();
        assertThat(recurrence.previous(Instant.MIN)).isEmpty();
    }

    static Recurrence recurrence(String cron, ZoneId zone, CalendarPolicy policy, ExclusionCalendar calendar) {
        return new Recurrence(
                CronExpression.parse(cron, CronDialect.QUARTZ),
                zone,
                DaylightSavingPolicy.RUN_ONCE,
                List.of(calendar),
                policy,
                null,
                null);
    }
}
