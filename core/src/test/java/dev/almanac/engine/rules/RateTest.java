package dev.almanac.engine.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.model.GroupLimits;
import dev.almanac.model.Rate;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {
    @ParameterizedTest
    @CsvSource({
        "10/s,10/s,PT1S",
        "100/min,100/min,PT1M",
        "7/h,7/h,PT1H",
        "9/d,9/d,PT24H",
        "5/PT10S,5/PT10S,PT10S",
        "5/PT60S,5/min,PT1M"
    })
    @DisplayName("P9: a rate is a number per time, and is written as it is read")
    void read(String text, String written, Duration period) {
        Rate rate = Rate.parse(text);
        assertThat(rate).hasToString(written);
        assertThat(rate.period()).isEqualTo(period);
        assertThat(Rate.parse(written)).isEqualTo(rate);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "10/",
                "/s",
                "0/s",
                "-1/s",
                "10001/s",
                "99999999999/s",
                "10/PT0.5S",
                "1/P40D",
                "10/x",
                "1.5/s"
            })
    @DisplayName("P9: what is no rate is refused with what is expected")
    void refused(String text) {
        assertThatThrownBy(() -> Rate.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("P9: a size lies within 1 to 1 000")
    void size() {
        assertThat(new GroupLimits(1_000, null).size()).isEqualTo(1_000);
        assertThatThrownBy(() -> new GroupLimits(0, null)).hasMessageContaining("1 to 1000");
        assertThatThrownBy(() -> new GroupLimits(1_001, null)).hasMessageContaining("1001");
    }
}
