package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules T1 and T2 against an oracle that walks every date. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DateOracleTest {
    private static final LocalDate FIRST = LocalDate.of(1985, 1, 1);
    private static final LocalDate LAST = LocalDate.of(2100, 12, 31);

    @Test
    void T1_T2_every_date_of_115_years() {
        Random random = new Random(20261);
        for (int i = 0; i < 80; i++) {
            compare(new RandomCron(random, dialect(i), -1), FIRST, LAST);
        }
    }

    @Test
    void T1_T2_thousands_of_expressions_over_some_years() {
        Random random = new Random(20262);
        for (int i = 0; i < 6_000; i++) {
            LocalDate from = FIRST.plusDays(random.nextInt(110 * 365));
            compare(new RandomCron(random, dialect(i), -1), from, from.plusYears(4));
        }
    }

    @Test
    void T1_T2_times_of_day_in_order_and_back() {
        Random random = new Random(20263);
        for (int i = 0; i < 3_000; i++) {
            RandomCron oracle = new RandomCron(random, dialect(i), -1);
            LocalDate from = FIRST.plusDays(random.nextInt(110 * 365));
            LocalDate day = from;
            while (!oracle.matchesDate(day) && day.isBefore(from.plusYears(10))) {
                day = day.plusDays(1);
            }
            if (oracle.matchesDate(day)) {
                compareTimes(oracle, day);
            }
        }
    }

    private static CronDialect dialect(int i) {
        return i % 3 == 0 ? CronDialect.UNIX : CronDialect.QUARTZ;
    }

    private static void compareTimes(RandomCron oracle, LocalDate day) {
        CronExpression cron = CronExpression.parse(oracle.text, oracle.dialect);
        Instant start = day.atStartOfDay().toInstant(ZoneOffset.UTC);
        List<Instant> expected =
                oracle.times().stream().limit(3000).map(start::plusSeconds).toList();
        Instant at = start.minusNanos(1);
        for (Instant fire : expected) {
            Instant next =
                    cron.next(at, ZoneOffset.UTC, DaylightSavingPolicy.SKIP).orElse(Instant.MIN);
            assertThat(next).as("%s after %s", oracle, at).isEqualTo(fire);
            Instant back = cron.previous(next.plusNanos(1), ZoneOffset.UTC, DaylightSavingPolicy.SKIP)
                    .orElse(Instant.MIN);
            assertThat(back).as("%s back to %s", oracle, fire).isEqualTo(fire);
            if (at.isAfter(start)) {
                assertThat(cron.previous(next, ZoneOffset.UTC, DaylightSavingPolicy.SKIP))
                        .as("%s before %s", oracle, next)
                        .contains(at);
            }
            at = next;
        }
    }

    private static void compare(RandomCron oracle, LocalDate first, LocalDate last) {
        List<LocalDate> expected = new ArrayList<>();
        for (LocalDate day = first; !day.isAfter(last); day = day.plusDays(1)) {
            if (oracle.matchesDate(day)) {
                expected.add(day);
            }
        }
        CronExpression cron = CronExpression.parse(oracle.text, oracle.dialect);
        CronExpression again = CronExpression.parse(cron.toString(), oracle.dialect);
        assertThat(again).as("canonical %s of %s", cron, oracle).isEqualTo(cron).hasToString(cron.toString());
        assertThat(again.isFixedTime()).as("%s", oracle).isEqualTo(oracle.isFixed());
        assertThat(forwards(again, first, last)).as("%s forwards", oracle).isEqualTo(expected);
        List<LocalDate> backwards = backwards(cron, first, last);
        Collections.reverse(backwards);
        assertThat(backwards).as("%s backwards", oracle).isEqualTo(expected);
        if (!expected.isEmpty()) {
            assertThat(cron.canFire()).as("%s", oracle).isTrue();
        }
    }

    private static List<LocalDate> forwards(CronExpression cron, LocalDate first, LocalDate last) {
        List<LocalDate> days = new ArrayList<>();
        LocalDate at = first;
        while (true) {
            Optional<Instant> fire = cron.next(
                    at.atStartOfDay().toInstant(ZoneOffset.UTC).minusNanos(1),
                    ZoneOffset.UTC,
                    DaylightSavingPolicy.SKIP);
            LocalDate day =
                    fire.map(f -> LocalDate.ofInstant(f, ZoneOffset.UTC)).orElse(LocalDate.MAX);
            if (day.isAfter(last)) {
                return days;
            }
            days.add(day);
            at = day.plusDays(1);
        }
    }

    private static List<LocalDate> backwards(CronExpression cron, LocalDate first, LocalDate last) {
        List<LocalDate> days = new ArrayList<>();
        LocalDate at = last.plusDays(1);
        while (true) {
            Optional<Instant> fire = cron.previous(
                    at.atStartOfDay().toInstant(ZoneOffset.UTC), ZoneOffset.UTC, DaylightSavingPolicy.SKIP);
            LocalDate day =
                    fire.map(f -> LocalDate.ofInstant(f, ZoneOffset.UTC)).orElse(LocalDate.MIN);
            if (day.isBefore(first)) {
                return days;
            }
            days.add(day);
            at = day;
        }
    }
}
