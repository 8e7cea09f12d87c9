package dev.almanac.engine.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Supplier;
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
    @DisplayName(
            "X5: a second time without a trusted clock counts from its own beginning, though no server has answered between")
    void distrustedTwice() {
        Instant[] real = {NOW};
        Duration[] skew = {Duration.ZERO};
        TimeSource machine = new TimeSource() {
            @Override
            public Instant wall() {
                return real[0].plus(skew[0]);
            }

            @Override
            public long nanos() {
                return Duration.between(NOW, real[0]).toNanos();
            }

            @Override
            public ZoneId zone() {
                return ZoneOffset.UTC;
            }
        };
        ServerClock measured = new ServerClock(machine, new EventStream(List.of(), machine, Runnable::run));
        JobStore silent = store(() -> {
            throw new StoreException("no answer");
        });
        measured.measure(store(() -> real[0]));
        for (int i = 0; i < 2; i++) {
            skew[0] = Duration.ofHours(1);
            assertThatThrownBy(() -> measured.measure(silent)).isInstanceOf(StoreException.class);
            real[0] = real[0].plusSeconds(5);
            assertThat(measured.distrusted()).isEqualTo(Duration.ofSeconds(5));
            skew[0] = Duration.ZERO;
            assertThat(measured.distrusted()).isZero();
            assertThatThrownBy(() -> measured.measure(silent)).isInstanceOf(StoreException.class);
            real[0] = real[0].plusSeconds(3_600);
        }
    }

    /** A store that is only asked for the server's time. */
    private static JobStore store(Supplier<Instant> serverTime) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(),
                new Class<?>[] {JobStore.class},
                (proxy, method, arguments) -> serverTime.get());
    }

    @Test
    @DisplayName("15: a last row of a far year, as damage may leave it, does not move the first rows of other jobs")
    void farEnd() {
        clock.ended(Instant.parse("9000-01-01T00:00:00Z"));
        assertThat(clock.begin()).isEqualTo(NOW);
    }
}
