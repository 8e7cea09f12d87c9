package dev.almanac.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.runtime.TimeSource;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The times of rows. */
class ServerClockTest {
    private static final Instant NOW = Instant.parse("2030-03-01T08:00:00Z");

    private static final TimeSource STILL = new TimeSource() {
        @Override
        public Instant wall() {
            return NOW;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public ZoneId zone() {
            return ZoneOffset.UTC;
        }
    };

    private final ServerClock clock = new ServerClock(STILL, new EventStream(List.of(), STILL, Runnable::run));

    @Test
    @DisplayName("P4: the first row of a job is later than the last row of the job before it")
    void begin() {
        clock.ended(NOW.plusMillis(700));
        clock.ended(NOW.plusMillis(300));
        assertThat(clock.begin()).isEqualTo(NOW.plusMillis(701));
    }

    @Test
    @DisplayName("15: a last row of a far year, as damage may leave it, does not move the first rows of other jobs")
    void farEnd() {
        clock.ended(Instant.parse("9000-01-01T00:00:00Z"));
        assertThat(clock.begin()).isEqualTo(NOW);
    }
}
