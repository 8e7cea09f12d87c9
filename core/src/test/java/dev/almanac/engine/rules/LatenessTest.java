package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.store.FirePlan;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule R3, decided: whether a start is late, and by how much. */
class LatenessTest {
    private static StoredJob planned(Duration threshold) {
        return Jobs.of(
                Jobs.specification("k")
                        .singleSchedule(NOW)
                        .lateExecutionThreshold(threshold)
                        .build(),
                NOW);
    }

    @ParameterizedTest
    @DisplayName("R3: a start is late if it exceeds planned plus threshold, strictly; what exceeds is reported")
    @CsvSource({
        "PT10S, PT-1S,",
        "PT10S, PT0S,",
        "PT10S, PT10S,",
        "PT10S, PT10.001S, PT0.001S",
        "PT10S, PT3600S, PT3590S",
        "PT0S, PT0S,",
        "PT0S, PT0.001S, PT0.001S",
        ", PT3600S,",
    })
    void table(Duration threshold, Duration delay, Duration over) {
        assertThat(FireDecider.overThreshold(planned(threshold), NOW.plus(delay), false)
                        .orElse(null))
                .isEqualTo(over);
    }

    @Test
    @DisplayName("R3: a manual run is never late, also while a late fire waits for its retry or was put off")
    void manual() {
        StoredJob job = planned(Duration.ZERO);
        Instant retry = NOW.plusSeconds(600);
        Duration first = Duration.ofSeconds(3);
        for (FirePlan plan :
                List.of(job.plan(), job.plan().retryAt(retry, first), job.plan().postponedTo(retry, first))) {
            assertThat(FireDecider.overThreshold(job.with(edit -> edit.plan(plan)), NOW.plusSeconds(9), true))
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("R3: a retry keeps the verdict of the first attempt, however late it is itself")
    void retries() {
        Instant retry = NOW.plusSeconds(600);
        StoredJob job = planned(Duration.ZERO);
        StoredJob inTime = job.with(edit -> edit.plan(job.plan().retryAt(retry, null)));
        assertThat(FireDecider.overThreshold(inTime, retry.plusSeconds(9), false))
                .isEmpty();
        Duration first = Duration.ofSeconds(3);
        StoredJob late = job.with(edit -> edit.plan(job.plan().retryAt(retry, first)));
        assertThat(FireDecider.overThreshold(late, retry.plusSeconds(9), false)).contains(first);
    }

    @Test
    @DisplayName("R3: a job without a planned fire, as between a calendar edit and the next, is not late")
    void unplanned() {
        StoredJob job = planned(Duration.ZERO);
        StoredJob without = job.with(edit -> edit.plan(job.plan().moveTo(null, null, null)));
        assertThat(FireDecider.overThreshold(without, NOW.plusSeconds(9), false))
                .isEmpty();
    }
}
