package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rule S23: the forecast is judged by what comes. */
class ForecastComesTrueTest {
    private static final int SEEDS = 60;

    @Test
    @DisplayName("S23: each fire that is forecast as not ordinary comes so, and each other one is ordinary")
    void comesTrue() {
        assertTrueOf(1, SEEDS);
    }

    @Test
    @Tag("long")
    @DisplayName("S23: the same, of further seeds")
    void comesTrueLong() {
        assertTrueOf(SEEDS + 1, 400);
    }

    private static void assertTrueOf(long first, long last) {
        assertThat(LongStream.rangeClosed(first, last)
                        .parallel()
                        .boxed()
                        .flatMap(seed ->
                                ForecastJudge.judge(seed).stream().map(complaint -> "seed " + seed + ": " + complaint)))
                .isEmpty();
    }
}
