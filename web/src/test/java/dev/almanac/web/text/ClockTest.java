package dev.almanac.web.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClockTest {
    private final Clock clock = new Clock(ZoneId.of("Europe/Brussels"), Instant.parse("2026-05-01T10:00:00Z"));

    @Test
    @DisplayName("20: instants within a sentence are shown in the chosen zone with their distance from now")
    void withLocalTimes() {
        assertThat(clock.withLocalTimes("Job 'a' waits for its next fire at 2026-05-01T12:00:00Z."))
                .isEqualTo("Job 'a' waits for its next fire at 2026-05-01 14:00:00 (in 2 h).");
        assertThat(clock.withLocalTimes("from 2026-05-01T09:59:00.250Z to 2026-05-01T10:00:00Z"))
                .isEqualTo("from 2026-05-01 11:59:00 (59 s ago) to 2026-05-01 12:00:00 (now)");
    }

    @Test
    @DisplayName("20: the distance of an instant is told once, also where the sentence tells it itself")
    void distanceOnce() {
        assertThat(clock.withLocalTimes("is paused since 2026-05-01T09:00:00Z, 60 min ago, by ann: release"))
                .isEqualTo("is paused since 2026-05-01 11:00:00 (60 min ago), by ann: release");
        assertThat(clock.withLocalTimes("2026-99-99T99:99:99Z, 1 h ago")).isEqualTo("2026-99-99T99:99:99Z, 1 h ago");
    }

    @Test
    @DisplayName("20: what only looks like an instant, in a user's text, is left as it is")
    void others() {
        for (String text :
                new String[] {"2026-99-99T99:99:99Z", "$1 \\\\ 2026-05-01", "x2026-05-01T12:00:00Zulu", ""}) {
            assertThat(clock.withLocalTimes(text)).isEqualTo(text);
        }
    }
}
