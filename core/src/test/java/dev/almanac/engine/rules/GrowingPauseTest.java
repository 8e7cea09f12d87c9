package dev.almanac.engine.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GrowingPauseTest {
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofSeconds(1), LONGEST);

    @Test
    @DisplayName("X2: the pause doubles with each failure in a row, up to the longest, after any number of failures")
    void grows() {
        assertThat(IntStream.of(1, 2, 3, 4, 5, Integer.MAX_VALUE).mapToObj(PAUSE::after))
                .containsExactly(
                        Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4), LONGEST, LONGEST, LONGEST);
    }

    @Test
    @DisplayName("X2: the pause that follows another is that of one failure more; the first follows none")
    void follows() {
        assertThat(PAUSE.longer(Duration.ZERO)).isEqualTo(PAUSE.after(1));
        for (int failures = 1; failures < 9; failures++) {
            assertThat(PAUSE.longer(PAUSE.after(failures))).isEqualTo(PAUSE.after(failures + 1));
        }
    }
}
