package dev.almanac.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.store.MinuteReport.OfType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LastHourTest {
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

    /** A minute in which so many planned runs and nine by hand have ended; others have begun, or never came. */
    private static MinuteReport minute(String node, int ago, int runs, long lateMillis, long missed) {
        LatenessCounts lateness = LatenessCounts.NONE;
        for (int i = 0; i < runs; i++) {
            lateness = lateness.plus(Duration.ofMillis(lateMillis));
        }
        Map<String, Long> outcomes = Map.of("SUCCEEDED", runs + 8L, "ATTEMPT_FAILED", 1L, "MISSED", 7L, "EXPIRED", 1L);
        return new MinuteReport(
                node,
                NOW.minusSeconds(60L * ago),
                Map.of("pay", new OfType(outcomes, 0, 0, 0, 0, 0, lateness)),
                missed);
    }

    @Test
    @DisplayName("console, Now: the minutes of all nodes are one hour: runs a second, lateness, missed fires")
    void summed() {
        LastHour hour = LastHour.of(List.of(minute("a", 10, 531, 1, 2), minute("b", 5, 51, 5_000, 1)), NOW);
        assertThat(hour.minutes()).isEqualTo(10);
        assertThat(hour.runs()).isEqualTo(600);
        assertThat(hour.perSecond()).isEqualTo("1.0");
        assertThat(hour.missed()).isEqualTo(3);
        assertThat(hour.half()).isLessThan(Duration.ofMillis(100));
        assertThat(hour.most()).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
        assertThat(LastHour.of(List.of(), NOW).isKnown()).isFalse();
    }
}
