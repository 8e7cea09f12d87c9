package dev.almanac.engine.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FloodBoundTest {
    private long nanos;
    private final TimeSource time = new TimeSource() {
        @Override
        public Instant wall() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public ZoneId zone() {
            return ZoneOffset.UTC;
        }
    };

    private final List<String> summaries = new ArrayList<>();
    private final FloodBound bound =
            new FloodBound(time, (kind, job, lines, within) -> summaries.add(kind + ":" + job + ":" + lines));

    private long admitted(String kind, int jobs) {
        return IntStream.range(0, jobs)
                .filter(i -> bound.admits(kind, "job" + i))
                .count();
    }

    @Test
    @DisplayName("A4: when many jobs fail once in a minute, 200 lines are written and the others are counted together")
    void manyJobs() {
        assertThat(admitted("FAILED", 10_000)).isEqualTo(200);
        assertThat(admitted("MISSED", 10_000)).as("of another kind").isEqualTo(200);
        assertThat(bound.admits("FAILED", "one more")).isFalse();
        nanos += Duration.ofMinutes(1).toNanos();
        bound.look();
        assertThat(summaries).containsExactlyInAnyOrder("FAILED::9801", "MISSED::9800");
        assertThat(bound.admits("FAILED", "job0")).as("the next minute").isTrue();
    }

    @Test
    @DisplayName(
            "A4: a job whose lines are left out takes none of those of other jobs; a job of no line has no counter")
    void jobBesideOthers() {
        assertThat(IntStream.range(0, 1_000)
                        .filter(i -> bound.admits("FAILED", "loud"))
                        .count())
                .isEqualTo(5);
        assertThat(admitted("FAILED", 10_000)).isEqualTo(195);
        assertThat(bound.admits("FAILED", "loud")).isFalse();
        nanos += Duration.ofMinutes(1).toNanos();
        bound.look();
        assertThat(summaries).containsExactlyInAnyOrder("FAILED:loud:996", "FAILED::9805");
    }
}
