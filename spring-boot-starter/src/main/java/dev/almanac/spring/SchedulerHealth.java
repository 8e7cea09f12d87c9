package dev.almanac.spring;

import dev.almanac.Health.State;
import dev.almanac.Scheduler;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The scheduler's health among that of the application. DEGRADED is up, with its reasons: a node that runs jobs late, or
 * that was paused, still answers its callers, and starting it again would repair nothing.
 */
final class SchedulerHealth implements HealthIndicator {
    private final Scheduler scheduler;

    SchedulerHealth(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Health health() {
        dev.almanac.Health health = scheduler.health();
        Health.Builder answer = health.state() == State.DOWN ? Health.down() : Health.up();
        answer.withDetail("state", health.state().name());
        if (!health.reasons().isEmpty()) {
            answer.withDetail("reasons", health.reasons());
        }
        return answer.build();
    }
}
