package dev.almanac.engine.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlainValuesTest {
    @Test
    @DisplayName("15.9: sizes are those of the stored document, in bytes: a text counts its UTF-8, a list its places")
    void sizes() {
        assertThat(PlainValues.size(Map.of())).isEqualTo(5);
        assertThat(PlainValues.size(Map.of("a", 1))).isEqualTo(12);
        assertThat(PlainValues.size(Map.of("a", 1L))).isEqualTo(16);
        assertThat(PlainValues.size(Map.of("a", "x"))).isEqualTo(14);
        assertThat(PlainValues.size(Map.of("a", "€"))).isEqualTo(16);
        assertThat(PlainValues.size(Map.of("a", "ä"))).isEqualTo(15);
        assertThat(PlainValues.size(Map.of("ä", "😀"))).isEqualTo(18);
        assertThat(PlainValues.size(Map.of("a", BigDecimal.ONE))).isEqualTo(24);
        assertThat(PlainValues.size(Map.of("a", true))).isEqualTo(9);
        assertThat(PlainValues.size(Map.of("a", Arrays.asList(1, null)))).isEqualTo(8 + 5 + 7 + 3);
        assertThat(PlainValues.size(Map.of("a", List.of(Map.of())))).isEqualTo(8 + 5 + 3 + 5);
        assertThat(PlainValues.size(Map.of("a", new byte[3]))).isEqualTo(16);
    }
}
