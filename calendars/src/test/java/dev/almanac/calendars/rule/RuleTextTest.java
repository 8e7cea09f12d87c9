package dev.almanac.calendars.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.calendars.Calendars;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.InvalidCronException;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import dev.almanac.time.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleTextTest {
    private static final String START = "DTSTART:20260131T090000 RRULE:";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INTERVAL=2 | rrule | 1 | lacks FREQ",
                "FREQ=FORTNIGHTLY | freq | 31 | none of YEARLY",
                "FREQ=DA\u0131LY | freq | 31 | none of YEARLY",
                "FREQ=WEEKLY;BYDAY=\u017fU | byday | 43 | no day such as",
                "FREQ=WEEKLY;WK\u017fT=SU | rrule | 43 | no part of a rule",
                "FREQ=DAILY;INTERVAL=0 | interval | 42 | beyond 1",
                "FREQ=DAILY;INTERVAL=-1 | interval | 42 | no number",
                "FREQ=DAILY;COUNT=0 | count | 42 | beyond 1",
                "FREQ=DAILY;COUNT=2000000 | count | 42 | beyond 1 to 1000000",
                "FREQ=SECONDLY;INTERVAL=121;BYSECOND=0;COUNT=1000000 | count | 69 | not reached within 10000000 steps",
                "FREQ=DAILY;COUNT=2;UNTIL=20270101T000000 | count | 42 | combined with UNTIL",
                "FREQ=DAILY;UNTIL=20270101 | until | 42 | no date and time",
                "FREQ=DAILY;UNTIL=20270230T000000 | until | 42 | that exists",
                "FREQ=DAILY;BYHOUR=24 | byhour | 42 | beyond 0 to 23",
                "FREQ=DAILY;BYHOUR= | byhour | 42 | no value",
                "FREQ=DAILY;BYHOUR=1,,2 | byhour | 42 | no number",
                "FREQ=DAILY;BYMINUTE=60 | byminute | 42 | beyond 0 to 59",
                "FREQ=DAILY;BYSECOND=60 | bysecond | 42 | no leap seconds",
                "FREQ=DAILY;BYDAY=1MO | byday | 42 | only FREQ=MONTHLY and FREQ=YEARLY",
                "FREQ=WEEKLY;BYDAY=-1MO | byday | 43 | only FREQ=MONTHLY and FREQ=YEARLY",
                "FREQ=MONTHLY;BYDAY=0MO | byday | 44 | beyond 1 to 53",
                "FREQ=MONTHLY;BYDAY=54MO | byday | 44 | beyond 1 to 53",
                "FREQ=MONTHLY;BYDAY=MON | byday | 44 | no day such as",
                "FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO | byday | 55 | beside BYWEEKNO",
                "FREQ=WEEKLY;BYMONTHDAY=1 | bymonthday | 43 | FREQ=WEEKLY",
                "FREQ=MONTHLY;BYMONTHDAY=32 | bymonthday | 44 | beyond 1 to 31",
                "FREQ=MONTHLY;BYMONTHDAY=0 | bymonthday | 44 | beyond 1 to 31",
                "FREQ=MONTHLY;BYYEARDAY=1 | byyearday | 44 | FREQ=MONTHLY",
                "FREQ=MONTHLY;BYWEEKNO=1 | byweekno | 44 | only with FREQ=YEARLY",
                "FREQ=YEARLY;BYWEEKNO=54 | byweekno | 43 | beyond 1 to 53",
                "FREQ=YEARLY;BYMONTH=13 | bymonth | 43 | beyond 1 to 12",
                "FREQ=YEARLY;BYMONTH=-1 | bymonth | 43 | no number",
                "FREQ=YEARLY;BYSETPOS=1 | bysetpos | 43 | no other BY part",
                "FREQ=YEARLY;BYMONTH=1;BYSETPOS=367 | bysetpos | 53 | beyond 1 to 366",
                "FREQ=YEARLY;WKST=1 | wkst | 43 | none of MO",
                "FREQ=DAILY;FREQ=DAILY | freq | 31 | twice",
                "FREQ=DAILY;BYEASTER=0 | rrule | 42 | no part of a rule",
                "FREQ=DAILY; | rrule | 42 | no part of a rule",
                "FREQ=DAILY;SKIP=OMIT | rrule | 42 | no part of a rule",
            })
    @DisplayName("16: a part that is wrong is refused by name, with its column and the reason")
    void refused(String rule, String field, int column, String reason) {
        assertThatThrownBy(() -> new RecurrenceRules().read(START + rule))
                .isInstanceOfSatisfying(InvalidCronException.class, e -> {
                    assertThat(e.field()).isEqualTo(field);
                    assertThat(e.column()).isEqualTo(column);
                    assertThat(e.reason()).contains(reason);
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | rrule",
                "FREQ=DAILY | rrule",
                "RRULE:FREQ=DAILY | rrule",
                "DTSTART:20260131T090000 | rrule",
                "DTSTART:20260131T090000Z RRULE:FREQ=DAILY | dtstart",
                "DTSTART:20260131 RRULE:FREQ=DAILY | dtstart",
                "DTSTART:20260230T090000 RRULE:FREQ=DAILY | dtstart",
                "DTSTART:20260131T240000 RRULE:FREQ=DAILY | dtstart",
                "DT\u017fTART:20260131T090000 RRULE:FREQ=DAILY | rrule",
                "DTSTART;TZID=Europe/Brussels:20260131T090000 RRULE:FREQ=DAILY | rrule",
                "DTSTART:20260131T090000 RRULE:FREQ=DAILY EXDATE:20260201T090000 | rrule",
                "DTSTART:20260131T090000 RRULE:FREQ=DAILY RRULE:FREQ=DAILY | rrule",
            })
    @DisplayName("16: what is not one start and one rule is refused")
    void refused_texts(String text, String field) {
        assertThatThrownBy(() -> new RecurrenceRules().read(text))
                .isInstanceOfSatisfying(
                        InvalidCronException.class, e -> assertThat(e.field()).isEqualTo(field));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "freq=daily;interval=1 | FREQ=DAILY",
                "BYDAY=we,mo,-1FR,WE;FREQ=MONTHLY;WKST=MO | FREQ=MONTHLY;BYDAY=MO,WE,-1FR",
                "WKST=SU;BYMONTH=03,+1;FREQ=YEARLY | ",
                "WKST=SU;BYMONTH=03,1;FREQ=YEARLY | FREQ=YEARLY;BYMONTH=1,3;WKST=SU",
                "FREQ=MONTHLY;BYMONTHDAY=+5,-1 | FREQ=MONTHLY;BYMONTHDAY=-1,5",
            })
    @DisplayName("16: texts that differ in nothing but their writing are equal")
    void canonical(String rule, String canonical) {
        if (canonical == null) {
            assertThatThrownBy(() -> new RecurrenceRules().read(START + rule)).isInstanceOf(InvalidCronException.class);
        } else {
            assertThat(new RecurrenceRules().read("  " + START + rule + " ").canonical())
                    .isEqualTo(START + canonical);
        }
    }

    @Test
    @DisplayName("16: UNTIL may be local or an instant, and both are inclusive")
    void until() {
        ZoneId brussels = ZoneId.of("Europe/Brussels");
        Instant last = Instant.parse("2026-02-02T08:00:00Z");
        for (String until : List.of("20260202T090000", "20260202T080000Z")) {
            Schedule schedule = Schedule.parse(START + "FREQ=DAILY;UNTIL=" + until, CronDialect.RRULE, Instant.EPOCH);
            assertThat(schedule.next(last.minusSeconds(1), brussels, DaylightSavingPolicy.RUN_ONCE))
                    .contains(last);
            assertThat(schedule.next(last, brussels, DaylightSavingPolicy.RUN_ONCE))
                    .isEmpty();
            assertThat(schedule.previous(Instant.MAX, brussels, DaylightSavingPolicy.RUN_ONCE))
                    .contains(last);
        }
    }

    @Test
    @DisplayName("4.2: a rule of days is fixed and moves at a gap, one of hours is an interval")
    void clock_changes() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        Instant before = Instant.parse("2026-03-29T00:45:00Z");
        Schedule daily = Schedule.parse("DTSTART:20260101T023000 RRULE:FREQ=DAILY", CronDialect.RRULE, Instant.EPOCH);
        Schedule hourly = Schedule.parse("DTSTART:20260101T003000 RRULE:FREQ=HOURLY", CronDialect.RRULE, Instant.EPOCH);
        assertThat(daily.next(before, berlin, DaylightSavingPolicy.RUN_ONCE))
                .contains(Instant.parse("2026-03-29T01:00:00Z"));
        assertThat(daily.next(before, berlin, DaylightSavingPolicy.SKIP))
                .contains(Instant.parse("2026-03-30T00:30:00Z"));
        assertThat(hourly.next(before, berlin, DaylightSavingPolicy.RUN_ONCE))
                .contains(Instant.parse("2026-03-29T01:30:00Z"));
    }

    @Test
    @DisplayName("C4: fires of a rule are dropped, postponed and moved by calendars")
    void calendars() {
        Schedule monthly = Schedule.parse(
                "DTSTART:20260131T090000 RRULE:FREQ=MONTHLY;BYMONTHDAY=-1", CronDialect.RRULE, Instant.EPOCH);
        Instant from = Instant.parse("2026-01-30T10:00:00Z");
        for (CalendarPolicy policy : CalendarPolicy.values()) {
            Recurrence recurrence = new Recurrence(
                    monthly,
                    ZoneOffset.UTC,
                    DaylightSavingPolicy.RUN_ONCE,
                    List.of(Calendars.weekends()),
                    policy,
                    null,
                    null);
            assertThat(recurrence.next(from).map(PlannedFire::fireTime))
                    .as(policy.name())
                    .contains(Instant.parse(
                            switch (policy) {
                                case DROP -> "2026-03-31T09:00:00Z";
                                case NEXT_INCLUDED -> "2026-02-02T00:00:00Z";
                                case FOLLOWING -> "2026-02-02T09:00:00Z";
                                case PRECEDING, MODIFIED_FOLLOWING, MODIFIED_PRECEDING -> "2026-02-27T09:00:00Z";
                            }));
        }
    }

    @ParameterizedTest
    @CsvSource({
        // 2026-02-07 and -08 are the days of a weekend
        "FOLLOWING, 20260207T080000Z, 2026-02-06T08:00:00Z 2026-02-09T08:00:00Z",
        "FOLLOWING, 20260206T080000Z, 2026-02-06T08:00:00Z",
        "PRECEDING, 20260207T075959Z, 2026-02-06T08:00:00Z",
        "PRECEDING, 20260208T080000Z, 2026-02-06T08:00:00Z",
        "MODIFIED_FOLLOWING, 20260208T080000Z, 2026-02-06T08:00:00Z 2026-02-09T08:00:00Z",
        "MODIFIED_PRECEDING, 20260208T080000Z, 2026-02-06T08:00:00Z",
    })
    @DisplayName("16, C4: an UNTIL that is an instant ends the nominal days; those that move may arrive behind it")
    void untilOfMovedDays(CalendarPolicy policy, String until, String expected) {
        Recurrence recurrence = new Recurrence(
                Schedule.parse(START + "FREQ=DAILY;UNTIL=" + until, CronDialect.RRULE, Instant.EPOCH),
                ZoneId.of("Europe/Brussels"),
                DaylightSavingPolicy.RUN_ONCE,
                List.of(Calendars.weekends()),
                policy,
                null,
                null);
        Instant from = Instant.parse("2026-02-05T12:00:00Z");
        List<Instant> forth = new ArrayList<>();
        Instant at = from;
        while (forth.size() < 5 && recurrence.next(at).isPresent()) {
            at = recurrence.next(at).orElseThrow().fireTime();
            forth.add(at);
        }
        List<Instant> back = new ArrayList<>();
        at = Instant.parse("2026-12-31T00:00:00Z");
        while (recurrence.previous(at).orElseThrow().fireTime().isAfter(from)) {
            at = recurrence.previous(at).orElseThrow().fireTime();
            back.add(0, at);
        }
        List<Instant> all =
                Arrays.stream(expected.split(" ")).map(Instant::parse).toList();
        assertThat(forth).isEqualTo(all);
        assertThat(back).isEqualTo(all);
        assertThat(recurrence.count(from, Instant.parse("2199-01-01T00:00:00Z"), 10))
                .isEqualTo(all.size());
        assertThat(recurrence.preview(from, 100))
                .filteredOn(row -> row.fireTime() != null)
                .hasSameSizeAs(all);
    }
}
