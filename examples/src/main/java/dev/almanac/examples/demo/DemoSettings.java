package dev.almanac.examples.demo;

import dev.almanac.runtime.SchedulerSettings;
import java.time.Duration;

/** The demo's numbers: short leases, so that the recovery of a killed node can be watched. */
final class DemoSettings {
    static final Duration LEASE = Duration.ofSeconds(6);

    private DemoSettings() {}

    static SchedulerSettings settings() {
        return SchedulerSettings.builder()
                .leaseLength(LEASE)
                .skewAllowance(Duration.ofMillis(750))
                .pollInterval(Duration.ofMillis(500))
                .heartbeatInterval(Duration.ofSeconds(1))
                .nodeTimeout(Duration.ofSeconds(4))
                .pastAcceptanceWindow(Duration.ofSeconds(10))
                .build();
    }
}
