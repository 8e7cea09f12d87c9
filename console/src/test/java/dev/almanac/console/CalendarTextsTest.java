package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarTextsTest {
    @Test
    @DisplayName("C2: TARGET2 and WEEKENDS are known by name wherever calendars are asked about")
    void named() {
        assertThat(CalendarsCommand.CHECK.line(new String[] {"TARGET2", "", "UTC", "2026-05-01T10:00:00Z"}))
                .isEqualTo("false\t2026-05-03T22:00:00Z");
        assertThat(CronCommand.NEXT.line(new String[] {
                    "quartz",
                    "0 0 9 * * ?",
                    "UTC",
                    "2026-04-30T10:00:00Z",
                    "RUN_ONCE",
                    "1",
                    "target2+Weekly",
                    "<empty> | days=1,7"
                }))
                .isEqualTo("2026-05-04T09:00:00Z");
        assertThat(CalendarsCommand.BUSINESS_DAYS.line(new String[] {"folowing", "TARGET2", "2026-05-01"}))
                .contains("'folowing' is none of NONE, FOLLOWING", "did you mean FOLLOWING?");
        assertThat(CalendarsCommand.BUSINESS_DAYS.line(new String[] {"FOLLOWING", "TARGET2", "May"}))
                .isEqualTo("invalid\tdate\t1\t'May' is no date; write 2026-05-01");
    }

    @ParameterizedTest
    @ValueSource(strings = {"days=1;days=7", "days=1;exclude-days=7", "zone=UTC;days=1;timezone=UTC"})
    @DisplayName("C2: a field that is given twice is refused, not read as the last of the two")
    void given_twice(String parameters) {
        assertThatThrownBy(() -> TimeArguments.definition("Weekly", parameters)).hasMessageContaining("twice");
        assertThat(CalendarsCommand.CHECK.line(new String[] {"Weekly", parameters, "UTC", "2026-03-07T10:00:00Z"}))
                .startsWith("invalid\tparameters\t1\t");
    }
}
