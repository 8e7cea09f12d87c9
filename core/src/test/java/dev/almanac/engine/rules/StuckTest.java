package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.OpenRun;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of runs that ought to have ended. */
class StuckTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @ParameterizedTest
    @DisplayName("O5: a run is stuck that waits, or goes on after it was asked to stop, for longer than a lease")
    @CsvSource({
        // place, seconds since the hand-over, the start, and the word to stop; timeout; stuck
        "DECISION, 19,   ,   ,      , false",
        "DECISION, 20,   ,   ,      , true",
        "WRITE,    19,   ,   ,      , false",
        "WRITE,    19, 3600, ,      , false",
        "WRITE,    20, 90,   , PT1M , true",
        "WRITE,    20,   ,   ,      , true",
        "EXECUTOR, 19,   ,   ,      , false",
        "EXECUTOR, 20,   ,   ,      , true",
        "EXECUTOR, 20,   , 19,      , false",
        "THREAD,   99, 98,   ,      , false",
        "THREAD, 3600, 3600, ,      , true",
        "THREAD, 3600, 3599, ,      , false",
        "THREAD, 9999, 9999, , PT5H , false",
        "THREAD,   99, 98, 19, PT5H , false",
        "THREAD,   99, 98, 19, PT1M , true",
        "THREAD,   99, 98, 20, PT1M , true",
        "STAGE,    99, 98, 20,      , true",
        "STAGE,  3600, 3600, ,      , true",
    })
    void table(
            OpenRun.Place place,
            long handedOver,
            @Nullable Long started,
            @Nullable Long told,
            @Nullable Duration timeout,
            boolean stuck) {
        OpenRun run = new OpenRun(
                "k",
                "note",
                NOW,
                NOW.minusSeconds(handedOver),
                ago(started),
                ago(told),
                timeout,
                place,
                place == OpenRun.Place.THREAD ? "runs-1" : null,
                "",
                null);
        assertThat(StuckDecider.stuck(run, NOW, PATIENCE).isPresent()).isEqualTo(stuck);
    }

    private static @Nullable Instant ago(@Nullable Long seconds) {
        return seconds == null ? null : NOW.minusSeconds(seconds);
    }
}
