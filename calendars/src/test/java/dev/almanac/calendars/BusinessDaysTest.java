package dev.almanac.calendars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.CronExpression;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.Recurrence;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Business days as arithmetic, and as the dates on which jobs fire. */
class BusinessDaysTest {
    private static final Set<LocalDate> AUGUST =
            LocalDate.of(2026, 8, 1).datesUntil(LocalDate.of(2026, 9, 1)).collect(Collectors.toSet());
    private static final DayCalendar NO_AUGUST = Calendars.weekends().and(Calendars.holiday(AUGUST));

    /** Where a job of that policy fires whose one nominal date this is. */
    private static Optional<LocalDate> fired(LocalDate date, String policy) {
        String cron = "0 0 9 %d %d ? %d".formatted(date.getDayOfMonth(), date.getMonthValue(), date.getYear());
        Instant before = date.minusYears(1).atStartOfDay().toInstant(ZoneOffset.UTC);
        return new Recurrence(
                        CronExpression.parse(cron, CronDialect.QUARTZ),
                        ZoneOffset.UTC,
                        DaylightSavingPolicy.RUN_ONCE,
                        List.of(NO_AUGUST),
                        CalendarPolicy.valueOf(policy),
                        null,
                        null)
                .next(before)
                .map(fire -> LocalDate.ofInstant(fire.fireTime(), ZoneOffset.UTC));
    }

    @ParameterizedTest
    @DisplayName("C4: a job fires on the date that adjust gives, and not at all where adjust finds none")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void agree(BusinessDayConvention convention) {
        for (LocalDate date = LocalDate.of(2026, 6, 20);
                date.isBefore(LocalDate.of(2026, 10, 10));
                date = date.plusDays(1)) {
            Optional<LocalDate> fired = fired(date, convention.name());
            if (convention.name().startsWith("MODIFIED") && date.getMonth() == Month.AUGUST) {
                LocalDate nowhere = date;
                assertThat(fired).as("%s", date).isEmpty();
                assertThatThrownBy(() -> BusinessDays.adjust(nowhere, convention, NO_AUGUST))
                        .isInstanceOf(InvalidCalendarException.class)
                        .hasMessageContaining("has no business day in 2026-08");
            } else {
                assertThat(fired).as("%s", date).contains(BusinessDays.adjust(date, convention, NO_AUGUST));
            }
        }
    }

    @Test
    @DisplayName("C4: modified dates turn back at the ends of their month, not beyond them")
    void turned() {
        LocalDate sunday = LocalDate.of(2026, 5, 31);
        assertThat(BusinessDays.adjust(sunday, BusinessDayConvention.MODIFIED_FOLLOWING, NO_AUGUST))
                .isEqualTo(LocalDate.of(2026, 5, 29));
        LocalDate first = LocalDate.of(2026, 11, 1);
        assertThat(BusinessDays.adjust(first, BusinessDayConvention.MODIFIED_PRECEDING, NO_AUGUST))
                .isEqualTo(LocalDate.of(2026, 11, 2));
    }
}
