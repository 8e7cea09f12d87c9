package dev.almanac.web.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.store.DueCounts;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlannedFiresTest {
    private final Instant now = Instant.parse("2026-05-01T12:00:00Z");

    private PlannedFires planned(long counted) {
        StoredJob job = Specimens.minimal("j", now.plusSeconds(60)).job();
        DueCounts due =
                new DueCounts(List.of(new DueCounts.Slice("book", now, counted, now.plusSeconds(60))), 1, false);
        Duration slice = Duration.ofMinutes(30);
        return PlannedFires.of(due, List.of(job), Map.of(), now, now, now.plus(Duration.ofDays(1)), slice);
    }

    @Test
    @DisplayName(
            "console: the day says that further fires of some jobs are not shown, also if these were too large to be read")
    void tooLarge() {
        assertThat(planned(3).rest()).isTrue();
        assertThat(planned(1).rest()).isFalse();
    }
}
