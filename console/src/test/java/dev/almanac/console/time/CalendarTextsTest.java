package dev.almanac.console.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarTextsTest {
    @ParameterizedTest
    @ValueSource(strings = {"days=1;days=7", "days=1;exclude-days=7", "zone=UTC;days=1;timezone=UTC"})
    @DisplayName("C2: a field that is given twice is refused, not read as the last of the two")
    void given_twice(String parameters) {
        assertThatThrownBy(() -> CalendarTexts.definition("Weekly", parameters)).hasMessageContaining("twice");
        assertThat(CalendarCheckCommand.answer(new String[] {"Weekly", parameters, "UTC", "2026-03-07T10:00:00Z"}))
                .startsWith("invalid\tparameters\t1\t");
    }
}
