package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.SchedulerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fires that wait too long for their first start, and those that nothing keeps from it. */
class TooLateTest extends LifecycleFixture {
    private static final Pause AUDIT = new Pause("audit", "ops", null);

    private static SchedulerBuilder idle(SchedulerBuilder builder) {
        return builder.settings(
                SchedulerSettings.builder().autoRehydrate(false).build());
    }

    /** Somebody who schedules jobs and runs none. */
    private Machine user() {
        return world.node("user", world.store, Duration.ZERO, TooLateTest::idle);
    }

    private static Instant at(long minutes) {
        return START.plusSeconds(minutes * 60);
    }

    private void passMinutes(long minutes) {
        world.pass(Duration.ofMinutes(minutes));
    }

    private List<Instant> fires(String key) {
        return world.callsOf(key).stream().map(Call::fire).toList();
    }

    private MissedFires missed(String key) {
        return rows(key).stream()
                .filter(row -> row.outcome() == Outcome.MISSED)
                .reduce((first, second) -> second)
                .orElseThrow()
                .missed();
    }

    /** Every ten minutes from 08:10 on. */
    private static JobSpecificationBuilder tenMinutes(String key) {
        return job(key).schedulingSpecification("0 0/10 * * * ?");
    }

    @Test
    @DisplayName("S4: a monthly job with SKIP whose node was away from the 9th to the 19th does not run on the 19th")
    void monthly() {
        Machine user = user();
        user.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 0 10 * ?")
                        .missedFirePolicy(MissedFirePolicy.SKIP)
                        .build());
        kill(user);
        passMinutes(17 * 24 * 60);
        world.node("b");
        passMinutes(1);
        assertThat(fires("j")).isEmpty();
        assertThat(rows("j"))
                .filteredOn(row -> row.outcome() == Outcome.MISSED)
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.missed().first()).isEqualTo(Instant.parse("2099-03-10T00:00:00Z"));
                    assertThat(row.missed().count()).isEqualTo(1);
                    assertThat(row.nextFireTime()).isEqualTo(Instant.parse("2099-04-10T00:00:00Z"));
                });
    }

    @Test
    @DisplayName("S4: a daily job with SKIP and a grace of a minute does not run yesterday's fire when a pause of all ends")
    void overnight() {
        Machine user = user();
        user.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 9 * * ?")
                        .missedFirePolicy(MissedFirePolicy.SKIP)
                        .missedFireGrace(Duration.ofMinutes(1))
                        .build());
        user.scheduler().pause(PauseScope.everything(), AUDIT);
        kill(user);
        passMinutes(24 * 60 + 49);
        Machine a = world.node("a");
        passMinutes(1);
        a.scheduler().resume(PauseScope.everything());
        passMinutes(5);
        assertThat(fires("j")).isEmpty();
        passMinutes(6);
        assertThat(fires("j")).as("today's").containsExactly(Instant.parse("2099-03-03T09:00:00Z"));
    }
    // API of this change from here on
}
