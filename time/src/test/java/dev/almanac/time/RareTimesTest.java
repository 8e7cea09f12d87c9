package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rule C4: a time of day that a schedule might have, and no day ever has, is not searched through all years. */
class RareTimesTest {
    private static final Instant FRIDAY = Instant.parse("2026-04-10T21:50:00Z");

    @ParameterizedTest
    @EnumSource(names = {"FOLLOWING", "PRECEDING", "MODIFIED_FOLLOWING", "MODIFIED_PRECEDING"})
    @DisplayName("C4: one search looks at a few days of each time of day")
    void C4_few_days(CalendarPolicy policy) {
        QuarterHours schedule = new QuarterHours();
        Recurrence recurrence = new Recurrence(
                schedule,
                ZoneId.of("Europe/Berlin"),
                DaylightSavingPolicy.RUN_ONCE,
                List.of(SimpleCalendar.weekends()),
                policy,
                null,
                null);
        assertThat(recurrence.next(FRIDAY)).contains(new PlannedFire(Instant.parse("2026-04-12T22:00:00Z"), null));
        schedule.isAskedLittle();
        assertThat(recurrence.previous(FRIDAY)).contains(new PlannedFire(Instant.parse("2026-04-10T21:45:00Z"), null));
        schedule.isAskedLittle();
        assertThat(recurrence.count(FRIDAY, FRIDAY.plus(Duration.ofDays(3)), 1_000_000))
                .isEqualTo(96);
        schedule.isAskedLittle();
    }

    /** Each quarter of an hour, of which it says no more than that they are full minutes. */
    private static final class QuarterHours extends Schedule implements LocalTimes {
        private static final int STEP = 900;
        private final AtomicInteger asked = new AtomicInteger();

        QuarterHours() {
            super(CronDialect.RRULE, "quarter hours");
        }

        void isAskedLittle() {
            assertThat(asked.getAndSet(0)).isLessThan(40 * 1_440);
        }

        @Override
        LocalTimes times(ZoneId zone) {
            return this;
        }

        @Override
        public long next(long from) {
            asked.incrementAndGet();
            long at = Math.floorDiv(Math.max(from, 0) + STEP - 1, STEP) * STEP;
            return at < LocalPattern.END ? at : NONE;
        }

        @Override
        public long previous(long from) {
            asked.incrementAndGet();
            return from < 0 ? NONE : Math.floorDiv(Math.min(from, LocalPattern.END - 1), STEP) * STEP;
        }

        @Override
        public TimesOfDay timesOfDay() {
            return new TimesOfDay(1, (1L << 60) - 1, (1L << 24) - 1);
        }
    }
}
