package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dialects that count steps. */
class EveryTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final long SEED = 16;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PT90M | 2026-01-31T09:00:00Z | UTC | 2026-01-31T10:30:00Z,2026-01-31T12:00:00Z,2026-01-31T13:30:00Z",
                "90m | 2026-01-31T09:00:00Z | UTC | 2026-01-31T10:30:00Z,2026-01-31T12:00:00Z,2026-01-31T13:30:00Z",
                "2h | 2026-01-31T09:00:00Z | UTC | 2026-01-31T11:00:00Z",
                "30s | 2026-01-31T09:00:00Z | UTC | 2026-01-31T09:00:30Z",
                "1d | 2026-03-28T08:00:00Z | Europe/Berlin | 2026-03-29T08:00:00Z,2026-03-30T08:00:00Z",
                "PT1.5S | 2026-01-31T09:00:00.250Z | UTC | 2026-01-31T09:00:01.750Z,2026-01-31T09:00:03.250Z",
                "PT24H | 2026-03-28T08:00:00Z | Europe/Berlin | 2026-03-29T08:00:00Z,2026-03-30T08:00:00Z",
                "P1D | 2026-03-28T08:00:00Z | Europe/Berlin | 2026-03-29T07:00:00Z,2026-03-30T07:00:00Z",
                "P1D | 2026-03-28T01:30:00Z | Europe/Berlin | 2026-03-29T01:00:00Z,2026-03-30T00:30:00Z",
                "P2W | 2026-01-05T08:00:00Z | UTC | 2026-01-19T08:00:00Z,2026-02-02T08:00:00Z",
                "P1M | 2026-01-31T09:00:00Z | UTC | 2026-02-28T09:00:00Z,2026-03-31T09:00:00Z,2026-04-30T09:00:00Z",
                "P1Y | 2024-02-29T09:00:00Z | UTC | 2025-02-28T09:00:00Z,2026-02-28T09:00:00Z,2027-02-28T09:00:00Z",
                "P1Y6M | 2024-08-31T09:00:00Z | UTC | 2026-02-28T09:00:00Z,2027-08-31T09:00:00Z",
            })
    @DisplayName("16: EVERY counts each step from its anchor; dates keep the wall time, hours do not")
    void steps(String text, Instant anchor, String zone, String expected) {
        Schedule schedule = Schedule.parse(text, CronDialect.EVERY, anchor);
        List<String> fires = new ArrayList<>();
        Instant at = anchor;
        while (fires.size() < expected.split(",").length) {
            at = schedule.next(at, ZoneId.of(zone), DaylightSavingPolicy.RUN_ONCE)
                    .orElseThrow();
            fires.add(at.toString());
        }
        assertThat(String.join(",", fires)).isEqualTo(expected);
    }

    @Test
    @DisplayName("16: the anchor is the first fire, before it there is none, and both directions agree")
    void both_directions() {
        Random random = new Random(SEED);
        List<String> texts = List.of("PT1H", "PT7M", "P1D", "P3D", "P2W", "P1M", "P5M", "P1Y", "P1Y1M");
        for (int i = 0; i < 300; i++) {
            Instant anchor = Instant.parse("2019-12-31T00:00:00Z").plusSeconds(random.nextInt(200_000_000));
            String text = texts.get(random.nextInt(texts.size()));
            Recurrence recurrence = recurrence(Schedule.parse(text, CronDialect.EVERY, anchor));
            List<Instant> forth = new ArrayList<>();
            Instant at = anchor.minusSeconds(1);
            while (forth.size() < 40) {
                at = recurrence.next(at).orElseThrow().fireTime();
                forth.add(at);
            }
            assertThat(forth.get(0))
                    .as("seed %d: %s from %s", SEED, text, anchor)
                    .isEqualTo(anchor);
            List<Instant> back = new ArrayList<>();
            at = at.plusNanos(1);
            while (recurrence.previous(at).isPresent()) {
                at = recurrence.previous(at).orElseThrow().fireTime();
                back.add(at);
            }
            Collections.reverse(back);
            assertThat(back).as("seed %d: %s from %s", SEED, text, anchor).isEqualTo(forth);
        }
    }

    @ParameterizedTest
    @EnumSource(DaylightSavingPolicy.class)
    @DisplayName("16: an anchor in the second pass of an hour is the first fire, too, and the next day follows")
    void second_pass(DaylightSavingPolicy policy) {
        Instant anchor = Instant.parse("2026-10-25T01:30:00Z");
        Instant nextDay = Instant.parse("2026-10-26T01:30:00Z");
        Schedule daily = Schedule.parse("P1D", CronDialect.EVERY, anchor);
        Instant before = Instant.parse("2026-10-24T00:00:00Z");
        assertThat(daily.next(before, BERLIN, policy)).contains(anchor);
        assertThat(daily.next(anchor.minusNanos(1), BERLIN, policy)).contains(anchor);
        assertThat(daily.next(anchor, BERLIN, policy)).contains(nextDay);
        assertThat(daily.previous(nextDay, BERLIN, policy)).contains(anchor);
        assertThat(daily.previous(anchor, BERLIN, policy)).isEmpty();
        assertThat(daily.count(before, anchor.minusNanos(1), BERLIN, policy, 9)).isZero();
        assertThat(daily.count(before, anchor, BERLIN, policy, 9)).isEqualTo(1);
        assertThat(daily.count(before, nextDay, BERLIN, policy, 9)).isEqualTo(2);
        assertThat(daily.count(anchor, nextDay, BERLIN, policy, 9)).isEqualTo(1);
    }

    @Test
    @DisplayName("16: months are counted from the anchor, not from the fire before")
    void months_from_the_anchor() {
        LocalDateTime anchor = LocalDateTime.parse("2026-01-31T02:30:00");
        Schedule monthly =
                Schedule.parse("P1M", CronDialect.EVERY, anchor.atZone(BERLIN).toInstant());
        Instant at = anchor.atZone(BERLIN).toInstant();
        for (int month = 1; month < 2_000; month++) {
            at = monthly.next(at, BERLIN, DaylightSavingPolicy.RUN_ONCE).orElseThrow();
            Instant expected = LocalMoments.resolve(anchor.plusMonths(month), BERLIN);
            assertThat(at).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "P",
                "PT",
                "P1",
                "PT0S",
                "P0D",
                "PT0.5S",
                "-PT1H",
                "PT-1H",
                "P-1D",
                "P1DT12H",
                "P1M2D",
                "P1W1M",
                "90M",
                "90",
                "90 m",
                "1.5h",
                "500ms",
                "0m",
                "pt90m",
                "P101Y",
                "PT9999999H",
                "P1.5D",
                "PT1M30",
                "P1M ",
                "PT90M\u0000"
            })
    @DisplayName("16: what is no step is refused with a reason")
    void refused(String text) {
        assertThatThrownBy(() -> Schedule.parse(text, CronDialect.EVERY, Instant.EPOCH))
                .isInstanceOfSatisfying(InvalidCronException.class, e -> {
                    assertThat(e.field()).isEqualTo("step");
                    assertThat(e.reason()).isNotBlank();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"P1D", "P1M", "PT0S", "", "10M", "P1DT1H"})
    @DisplayName("16: a delay is of hours, minutes and seconds")
    void refused_delays(String text) {
        assertThatThrownBy(() -> Schedule.parse(text, CronDialect.EVERY_AFTER_END, Instant.EPOCH))
                .isInstanceOf(InvalidCronException.class);
    }

    @Test
    @DisplayName("16: EVERY_AFTER_END fires once, so long after the end; excluded, at the next included instant")
    void delay() {
        Instant end = Instant.parse("2026-05-01T10:00:00.123Z");
        Schedule schedule = Schedule.parse("PT10M", CronDialect.EVERY_AFTER_END, end);
        Recurrence plain = recurrence(schedule);
        Instant fire = end.plus(Duration.ofMinutes(10));
        assertThat(plain.next(end)).contains(new PlannedFire(fire, null));
        assertThat(plain.next(fire)).isEmpty();
        assertThat(plain.previous(fire)).isEmpty();
        for (CalendarPolicy policy : CalendarPolicy.values()) {
            Recurrence excluded = new Recurrence(
                    schedule,
                    ZoneOffset.UTC,
                    DaylightSavingPolicy.RUN_ONCE,
                    List.of(SimpleCalendar.times("10:05", "10:59")),
                    policy,
                    null,
                    null);
            PlannedFire moved = excluded.next(end).orElseThrow();
            assertThat(moved.fireTime()).isAfter(fire).isBefore(Instant.parse("2026-05-01T11:01:00Z"));
            assertThat(moved.nominalFireTime()).isEqualTo(fire);
            assertThat(excluded.next(moved.fireTime())).isEmpty();
            assertThat(excluded.preview(end, 5))
                    .filteredOn(row -> row.fireTime() != null)
                    .singleElement()
                    .satisfies(row -> assertThat(row.fireTime()).isEqualTo(moved.fireTime()));
        }
    }

    @Test
    @DisplayName("C4: dates of a step by the calendar move, those of elapsed time cannot")
    void moved_dates() {
        Instant anchor = Instant.parse("2026-01-31T09:00:00Z");
        Recurrence monthly = new Recurrence(
                Schedule.parse("P1M", CronDialect.EVERY, anchor),
                ZoneOffset.UTC,
                DaylightSavingPolicy.RUN_ONCE,
                List.of(SimpleCalendar.weekends()),
                CalendarPolicy.FOLLOWING,
                null,
                null);
        assertThat(monthly.next(anchor.minusSeconds(1)).orElseThrow().fireTime())
                .isEqualTo(Instant.parse("2026-02-02T09:00:00Z"));
        assertThat(monthly.next(Instant.parse("2026-02-02T09:00:00Z"))
                        .orElseThrow()
                        .fireTime())
                .isEqualTo(Instant.parse("2026-03-02T09:00:00Z"));
        assertThatThrownBy(() -> new Recurrence(
                        Schedule.parse("PT24H", CronDialect.EVERY, anchor),
                        ZoneOffset.UTC,
                        DaylightSavingPolicy.RUN_ONCE,
                        List.of(SimpleCalendar.weekends()),
                        CalendarPolicy.FOLLOWING,
                        null,
                        null))
                .hasMessageContaining("counts elapsed time");
    }

    @Test
    @DisplayName("a rule of RFC 5545 is refused by name where the module that reads it is missing")
    void rule_without_module() {
        assertThatThrownBy(() ->
                        Schedule.parse("DTSTART:20260101T000000 RRULE:FREQ=DAILY", CronDialect.RRULE, Instant.EPOCH))
                .isInstanceOf(InvalidCronException.class)
                .hasMessageContaining("almanac-calendars");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"EVERY | PT1H", "EVERY | 90m", "EVERY | P1D", "EVERY | P1M", "EVERY_AFTER_END | PT1H"})
    @DisplayName("16: steps and delays have no fire after the year 2199, wherever they are counted from")
    void beyond(CronDialect dialect, String text) {
        Instant end = Instant.parse("2200-01-01T00:00:00Z");
        for (Instant anchor : List.of(end, Instant.parse("3000-01-01T00:00:00Z"))) {
            Schedule schedule = Schedule.parse(text, dialect, anchor);
            for (Instant at : List.of(
                    Instant.EPOCH, end.minusSeconds(1), anchor.minusSeconds(1), anchor, anchor.plusSeconds(7_200))) {
                assertThat(schedule.next(at, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE))
                        .isEmpty();
                assertThat(schedule.previous(at, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE))
                        .isEmpty();
                assertThat(schedule.count(Instant.EPOCH, at, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE, 9))
                        .isZero();
            }
        }
        Instant last = end.minusSeconds(1);
        Schedule within = Schedule.parse(text, dialect, dialect == CronDialect.EVERY ? last : last.minusSeconds(3_600));
        assertThat(within.next(Instant.EPOCH, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE))
                .contains(last);
        assertThat(within.next(last, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE))
                .isEmpty();
        assertThat(within.previous(
                        Instant.parse("3000-01-01T00:00:00Z"), ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE))
                .contains(last);
        assertThat(within.count(
                        Instant.EPOCH, end.plusSeconds(9_000), ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE, 9))
                .isEqualTo(1);
    }

    private static Recurrence recurrence(Schedule schedule) {
        return new Recurrence(
                schedule, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE, List.of(), CalendarPolicy.DROP, null, null);
    }

    @Test
    @DisplayName(
            "16: an anchor between two seconds makes the next whole second the first fire of a step by the calendar")
    void anchor_within_a_second() {
        Instant anchor = Instant.parse("2026-01-31T22:59:59.001Z");
        Recurrence daily = new Recurrence(
                Schedule.parse("P1M", CronDialect.EVERY, anchor),
                BERLIN,
                DaylightSavingPolicy.RUN_ONCE,
                List.of(),
                CalendarPolicy.DROP,
                anchor,
                null);
        Instant first = Instant.parse("2026-01-31T23:00:00Z");
        assertThat(daily.next(anchor.minusSeconds(60))).contains(new PlannedFire(first, null));
        assertThat(daily.next(first)).contains(new PlannedFire(Instant.parse("2026-02-28T23:00:00Z"), null));
        assertThat(daily.previous(first)).isEmpty();
    }
}
