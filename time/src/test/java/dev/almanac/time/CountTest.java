package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many fires lie between two moments, against visiting each. */
class CountTest {
    private static final List<String> ZONES = List.of(
            "UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe", "America/St_Johns");

    private static long visited(Recurrence recurrence, Instant after, Instant until) {
        long count = 0;
        Optional<PlannedFire> at = recurrence.next(after);
        while (at.isPresent() && !at.get().fireTime().isAfter(until)) {
            count++;
            at = recurrence.next(at.get().fireTime());
        }
        return count;
    }

    private static Recurrence recurrence(Schedule schedule, String zone, DaylightSavingPolicy policy) {
        return new Recurrence(schedule, ZoneId.of(zone), policy, List.of(), CalendarPolicy.DROP, null, null);
    }

    @Test
    @DisplayName("S5: the number of fires is that of the fires, over clock changes and by every policy for them")
    void counted() {
        Random random = new Random(5);
        long all = 0;
        for (int i = 0; i < 600; i++) {
            RandomCron cron = new RandomCron(random, CronDialect.values()[i % 2], random.nextInt(4));
            String zone = ZONES.get(random.nextInt(ZONES.size()));
            Recurrence recurrence = recurrence(
                    CronExpression.parse(cron.text, cron.dialect), zone, DaylightSavingPolicy.values()[i % 3]);
            int year = zone.equals("Pacific/Apia") ? 2011 : 2009 + random.nextInt(12);
            Instant after = Instant.parse(year + "-01-01T00:00:00Z").plusMillis((long) (random.nextDouble() * 3e10));
            Instant until = after.plusMillis((long) (random.nextDouble() * random.nextDouble() * 3e10));
            long expected = visited(recurrence, after, until);
            assertThat(recurrence.count(after, until, 1_000_000))
                    .as(
                            "%s in %s by %s from %s to %s",
                            cron.text, zone, recurrence.daylightSavingPolicy(), after, until)
                    .isEqualTo(expected);
            assertThat(recurrence.count(after, until, 7)).isEqualTo(Math.min(7, expected));
            all += expected;
        }
        assertThat(all).isGreaterThan(100_000);
    }

    @Test
    @DisplayName("S5: both ends count as they should: the first is none, the last is one; bounds hold")
    void ends() {
        Schedule hourly = CronExpression.parse("0 0 * * * ?", CronDialect.QUARTZ);
        Recurrence plain = recurrence(hourly, "UTC", DaylightSavingPolicy.RUN_ONCE);
        Instant ten = Instant.parse("2026-05-01T10:00:00Z");
        assertThat(plain.count(ten, ten.plusSeconds(7200), 99)).isEqualTo(2);
        assertThat(plain.count(ten.minusNanos(1), ten.plusSeconds(7199), 99)).isEqualTo(2);
        assertThat(plain.count(ten, ten, 99)).isZero();
        Recurrence bounded = new Recurrence(
                hourly,
                ZoneId.of("UTC"),
                DaylightSavingPolicy.RUN_ONCE,
                List.of(),
                CalendarPolicy.DROP,
                ten.plusSeconds(3600),
                ten.plusSeconds(10_800));
        assertThat(bounded.count(ten.minusSeconds(86_400), ten.plusSeconds(86_400), 99))
                .isEqualTo(3);
    }

    @Test
    @DisplayName("S5: steps of elapsed time and by the calendar are counted, and so are those that calendars leave")
    void steps() {
        Instant anchor = Instant.parse("2026-05-01T10:00:00.250Z");
        for (String step : List.of("PT1S", "PT7M", "PT1.5S", "P1D", "P1M")) {
            Recurrence every = recurrence(
                    Schedule.parse(step, CronDialect.EVERY, anchor), "Europe/Berlin", DaylightSavingPolicy.RUN_ONCE);
            for (Instant after :
                    List.of(anchor.minusSeconds(90), anchor, anchor.plusMillis(1), anchor.plusSeconds(4_000))) {
                Instant until = anchor.plus(Duration.ofDays(step.startsWith("PT") ? 1 : 900));
                assertThat(every.count(after, until, 1_000_000)).isEqualTo(visited(every, after, until));
            }
        }
        ExclusionCalendar noon = SimpleCalendar.times("12:00", "12:30");
        Recurrence left = new Recurrence(
                CronExpression.parse("0 0 * * * ?", CronDialect.QUARTZ),
                ZoneId.of("UTC"),
                DaylightSavingPolicy.RUN_ONCE,
                List.of(noon),
                CalendarPolicy.DROP,
                null,
                null);
        assertThat(left.count(anchor, anchor.plus(Duration.ofDays(2)), 1_000_000))
                .isEqualTo(46);
        assertThat(left.count(anchor, anchor.plus(Duration.ofDays(2)), 9)).isEqualTo(9);
    }

    @ParameterizedTest
    @EnumSource(names = {"FOLLOWING", "PRECEDING", "MODIFIED_FOLLOWING", "MODIFIED_PRECEDING"})
    @DisplayName(
            "S5: a convention moves each time of day by itself, and a calendar is asked a few times about each day")
    void shiftedFiresAskLittle(CalendarPolicy policy) {
        AtomicInteger asked = new AtomicInteger();
        Recurrence weekdays = shifted("0 0/5 * * * ?", "Europe/Berlin", policy, date -> {
            asked.incrementAndGet();
            return date.getDayOfWeek().getValue() > 5;
        });
        Instant thursday = Instant.parse("2026-04-02T12:00:00Z");
        int days = 8;
        // five weekdays and two halves of one: what a weekend moves joins a fire of its own
        assertThat(weekdays.count(thursday, thursday.plus(Duration.ofDays(days)), 1_000_000))
                .isEqualTo(6 * 288);
        assertThat(asked.get()).isLessThan(8 * days * 288);
    }

    @ParameterizedTest
    @EnumSource(names = {"FOLLOWING", "PRECEDING", "MODIFIED_FOLLOWING", "MODIFIED_PRECEDING"})
    @DisplayName("S5: nor is it asked more and more about the days of a month for most of which it is shut")
    void shutDaysAskLittle(CalendarPolicy policy) {
        AtomicInteger asked = new AtomicInteger();
        Recurrence mostlyShut = shifted("0 0 * * * ?", "Europe/Berlin", policy, date -> {
            asked.incrementAndGet();
            return date.getDayOfMonth() != 15;
        });
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        int days = 360;
        assertThat(mostlyShut.count(start, start.plus(Duration.ofDays(days)), 1_000_000))
                .isEqualTo(12 * 24);
        assertThat(asked.get()).isLessThan(8 * days * 24);
    }

    @Test
    @DisplayName("S5, C4: what a convention moves is counted as it fires, within bounds, one instant once")
    void shiftedFires() {
        Random random = new Random(20_301);
        long all = 0;
        for (int i = 0; i < 500; i++) {
            RandomCron cron = new RandomCron(random, CronDialect.values()[i % 2], random.nextInt(4));
            if (cron.times().size() > 16) {
                continue;
            }
            Recurrence recurrence = shifted(random, CronExpression.parse(cron.text, cron.dialect));
            Instant change = change(random, recurrence.zone());
            Instant after = change.minusMillis((long) (random.nextDouble() * 3e9));
            Instant until = change.plusMillis((long) (random.nextDouble() * random.nextDouble() * 6e9));
            long expected = visited(recurrence, after, until);
            assertThat(recurrence.count(after, until, 1_000_000))
                    .as("%s from %s to %s", recurrence, after, until)
                    .isEqualTo(expected);
            long most = random.nextInt(9);
            assertThat(recurrence.count(after, until, most)).isEqualTo(Math.min(most, expected));
            all += expected;
        }
        assertThat(all).isGreaterThan(5_000);
    }

    private static Recurrence shifted(Random random, Schedule schedule) {
        ZoneId zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
        List<ExclusionCalendar> calendars = random.nextBoolean()
                ? List.of(RecurrenceOracleTest.calendar(random))
                : List.of(RecurrenceOracleTest.calendar(random), RecurrenceOracleTest.calendar(random));
        Instant change = change(random, zone);
        return new Recurrence(
                schedule,
                zone,
                DaylightSavingPolicy.values()[random.nextInt(3)],
                calendars,
                CalendarPolicy.values()[2 + random.nextInt(4)],
                random.nextInt(4) == 0 ? change.minusSeconds(random.nextInt(4_000_000)) : null,
                random.nextInt(4) == 0 ? change.plusSeconds(random.nextInt(4_000_000)) : null);
    }

    /** One of the clock changes of some years, so that most windows have one. */
    private static Instant change(Random random, ZoneId zone) {
        int year = zone.getId().equals("Pacific/Apia") ? 2011 : 2009 + random.nextInt(12);
        Instant from = Instant.parse(year + "-01-01T00:00:00Z").plusSeconds(random.nextInt(31_000_000));
        ZoneOffsetTransition next = zone.getRules().nextTransition(from);
        return next == null ? from : next.getInstant();
    }

    private static Recurrence shifted(String cron, String zone, CalendarPolicy policy, Predicate<LocalDate> excluded) {
        return new Recurrence(
                CronExpression.parse(cron, CronDialect.QUARTZ),
                ZoneId.of(zone),
                DaylightSavingPolicy.RUN_ONCE,
                List.of(SimpleCalendar.dates("shut", excluded)),
                policy,
                null,
                null);
    }
}
