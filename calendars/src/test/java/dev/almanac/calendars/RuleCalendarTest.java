package dev.almanac.calendars;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RuleCalendarTest {
    @Test
    @DisplayName("C1: fifteen years that are excluded are searched once, not once for each clock change in them")
    void long_closure() {
        AtomicInteger asked = new AtomicInteger();
        DayCalendar closed = new DayCalendar(
                date -> {
                    asked.incrementAndGet();
                    return date.isBefore(LocalDate.of(2026, 1, 1)) || date.getYear() > 2040;
                },
                ZoneId.of("Europe/Berlin"),
                "");
        assertThat(closed.nextIncluded(Instant.parse("2026-01-01T00:00:00Z"), ZoneId.of("UTC")))
                .contains(Instant.parse("2040-12-31T23:00:00Z"));
        assertThat(asked.get()).isLessThan(12_000);
    }
}
