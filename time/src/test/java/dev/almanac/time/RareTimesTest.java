package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rule C4: a time of day that a schedule might have, and no day ever has, is not searched through all years. */
class RareTimesTest {
    private static final Instant FRIDAY = Instant.parse("2026-04-10T21:50:00Z");

    @ParameterizedTest
    @EnumSource(names = {"FOLLOWING", "PRECEDING", "MODIFIED_FOLLOWING", "MODIFIED_PRECEDING"})
    @DisplayName("C4: one search looks at a few days of each time of day")
    void C4_few_days(CalendarPolicy policy) {
        AnyMinute schedule = new AnyMinute("*/15 * * * *");
        Recurrence recurrence =
                recurrence(schedule, "Europe/Berlin", DaylightSavingPolicy.RUN_ONCE, SimpleCalendar.weekends(), policy);
        assertThat(recurrence.next(FRIDAY)).contains(new PlannedFire(Instant.parse("2026-04-12T22:00:00Z"), null));
        schedule.isAskedLittle();
        assertThat(recurrence.previous(FRIDAY)).contains(new PlannedFire(Instant.parse("2026-04-10T21:45:00Z"), null));
        schedule.isAskedLittle();
        assertThat(recurrence.count(FRIDAY, FRIDAY.plus(Duration.ofDays(3)), 1_000_000))
                .isEqualTo(96);
        schedule.isAskedLittle();
    }

    @ParameterizedTest
    @CsvSource({
        "0 0 9 1 * ?, 2026-11-30T12:00:00Z",
        "0 0 9 15 * ?, 2026-11-30T12:00:00Z",
        "0 0 9 15 * ?, 2026-12-31T12:00:00Z",
        "0 0 9 29 2 ?, 2026-12-31T12:00:00Z",
        "0 0/5 9 1 * ?, 2026-11-30T12:00:00Z",
    })
    @DisplayName(
            "C4: a fire moves to the day on which a calendar opens that was shut for decades, and is found in a few looks")
    void C4_shut_for_decades(String cron, Instant after) {
        AtomicInteger asked = new AtomicInteger();
        ExclusionCalendar launch = SimpleCalendar.dates("before the launch", date -> {
            asked.incrementAndGet();
            return date.getYear() < 2027;
        });
        Recurrence recurrence = recurrence(
                CronExpression.parse(cron, CronDialect.QUARTZ),
                "Europe/Berlin",
                DaylightSavingPolicy.RUN_ONCE,
                launch,
                CalendarPolicy.FOLLOWING);
        Instant opened = Instant.parse("2027-01-01T08:00:00Z");
        assertThat(recurrence.next(after).orElseThrow().fireTime()).isEqualTo(opened);
        assertThat(recurrence.count(after, opened, 9)).isOne();
        assertThat(asked.get()).isLessThan(100_000);
        assertThat(recurrence.previous(opened.plusMillis(1)).orElseThrow().fireTime())
                .isEqualTo(opened);
    }

    @Test
    @DisplayName("C4: what a schedule says of its times of day decides how they are searched, and not what is found")
    void C4_same_fires() {
        Random random = new Random(1_440);
        for (int i = 0; i < 20; i++) {
            RandomCron cron = new RandomCron(random, CronDialect.UNIX, random.nextInt(4));
            if (cron.times().size() > 24) {
                continue;
            }
            String zone = List.of("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia")
                    .get(random.nextInt(4));
            DaylightSavingPolicy clock = DaylightSavingPolicy.values()[random.nextInt(3)];
            CalendarPolicy policy = CalendarPolicy.values()[2 + random.nextInt(4)];
            ExclusionCalendar calendar = random.nextBoolean()
                    ? SimpleCalendar.weekends()
                    : SimpleCalendar.dates("two of three", date -> date.toEpochDay() % 3 != 0);
            AnyMinute loose = new AnyMinute(cron.text);
            Recurrence searched = recurrence(loose, zone, clock, calendar, policy);
            Recurrence named = recurrence(loose.cron, zone, clock, calendar, policy);
            Instant at = Instant.parse("2011-01-01T00:00:00Z").plusSeconds(random.nextInt(63_000_000));
            String name = named + " at " + at;
            Optional<PlannedFire> next = named.next(at);
            assertThat(searched.next(at)).as(name).isEqualTo(next);
            Instant second = next.map(PlannedFire::fireTime).orElse(at);
            assertThat(searched.next(second)).as(name).isEqualTo(named.next(second));
            Optional<PlannedFire> previous = named.previous(at);
            assertThat(searched.previous(at)).as(name).isEqualTo(previous);
            Instant earlier = previous.map(PlannedFire::fireTime).orElse(at);
            assertThat(searched.previous(earlier)).as(name).isEqualTo(named.previous(earlier));
            Instant until = at.plus(Duration.ofDays(40));
            assertThat(searched.count(at, until, 9_999)).as(name).isEqualTo(named.count(at, until, 9_999));
        }
    }

    private static Recurrence recurrence(
            Schedule schedule,
            String zone,
            DaylightSavingPolicy clock,
            ExclusionCalendar calendar,
            CalendarPolicy policy) {
        return new Recurrence(schedule, ZoneId.of(zone), clock, List.of(calendar), policy, null, null);
    }

    /** The fires of an expression, of whose times of day it says no more than that they are full minutes. */
    private static final class AnyMinute extends Schedule implements LocalTimes {
        final CronExpression cron;
        private final LocalTimes times;
        private final AtomicInteger asked = new AtomicInteger();

        AnyMinute(String cron) {
            super(CronDialect.UNIX, cron);
            this.cron = CronExpression.parse(cron, CronDialect.UNIX);
            this.times = this.cron.wallTimes(ZoneOffset.UTC);
        }

        void isAskedLittle() {
            assertThat(asked.getAndSet(0)).isLessThan(40 * 1_440);
        }

        @Override
        LocalTimes times(ZoneId zone) {
            return this;
        }

        @Override
        public boolean isFixedTime() {
            return cron.isFixedTime();
        }

        @Override
        public boolean canFire() {
            return cron.canFire();
        }

        @Override
        public long next(long from) {
            asked.incrementAndGet();
            return times.next(from);
        }

        @Override
        public long previous(long from) {
            asked.incrementAndGet();
            return times.previous(from);
        }

        @Override
        public TimesOfDay timesOfDay() {
            return new TimesOfDay(1, (1L << 60) - 1, (1L << 24) - 1);
        }
    }
}
