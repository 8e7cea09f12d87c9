package dev.almanac.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditDistanceTest {
    @ParameterizedTest
    @DisplayName("13.2: characters added, left out or exchanged, in either direction")
    @CsvSource({"kitten,sitting,3", "'',abc,3", "abc,abc,0", "flaw,lawn,2", "ab,ba,2"})
    void distance(String one, String other, int distance) {
        assertThat(EditDistance.of(one, other)).isEqualTo(distance);
        assertThat(EditDistance.of(other, one)).isEqualTo(distance);
    }

    @Test
    @DisplayName("13.2: words of more than 128 characters are far, so that the time is bounded")
    void bounded() {
        String longest = "x".repeat(10_000_000);
        assertThat(EditDistance.of(longest, longest + "y")).isEqualTo(EditDistance.FAR);
        assertThat(EditDistance.of("x".repeat(128), "x".repeat(127))).isEqualTo(1);
    }
}
