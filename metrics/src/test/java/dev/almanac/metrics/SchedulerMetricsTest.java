package dev.almanac.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.MissedFires;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SchedulerMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SchedulerMetrics metrics = new SchedulerMetrics(registry);

    @Test
    @DisplayName("O4: runs, lateness, missed fires, lost leases and batches are counted, and only what happened")
    void counts() {
        metrics.on(new SchedulerEvent.RunStarted("k", "t", Instant.EPOCH, 1, Duration.ofMillis(7), false));
        metrics.on(new SchedulerEvent.RunEnded("k", "t", Instant.EPOCH, 1, Duration.ofMillis(30), true));
        metrics.on(new SchedulerEvent.FiresMissed("k", new MissedFires(Instant.EPOCH, Instant.EPOCH, 4, false)));
        metrics.on(new SchedulerEvent.LeaseLost("k", Instant.EPOCH, true, "x"));
        metrics.on(new SchedulerEvent.BatchClaimed(10, 9, Duration.ofMillis(3)));
        metrics.on(new SchedulerEvent.ClockMeasured(Duration.ofMillis(-12), Duration.ZERO));
        assertThat(registry.get("almanac.lateness").timer().max(java.util.concurrent.TimeUnit.MILLISECONDS))
                .isEqualTo(7);
        assertThat(registry.get("almanac.run")
                        .tags("type", "t", "good", "true")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("almanac.fires.missed").counter().count()).isEqualTo(4);
        assertThat(registry.get("almanac.leases.lost").counter().count()).isEqualTo(1);
        assertThat(registry.get("almanac.claim.batch").summary().totalAmount()).isEqualTo(9);
        assertThat(registry.get("almanac.clock.offset.ms").gauge().value()).isEqualTo(-12);
        assertThat(registry.find("almanac.jobs.canceled").counter()).isNull();
    }
}
