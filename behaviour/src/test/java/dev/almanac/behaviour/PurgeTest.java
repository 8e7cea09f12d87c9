package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.FindScope;
import dev.almanac.model.Outcome;
import dev.almanac.model.Retention;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule M9: who removes what has expired. */
class PurgeTest extends LifecycleFixture {
    private static final Duration KEPT = Duration.ofDays(2);
    private static final SchedulerSettings SETTINGS = SchedulerSettings.builder()
            .purgeInterval(Duration.ofSeconds(30))
            .retentionSpread(0)
            .build();

    private final List<Duration> behind = new ArrayList<>();

    /** Notes by how much the moment of each purge lies behind the clock of the server. */
    private JobStore watched() {
        ClusterStore cluster = StoreHook.over(ClusterStore.class, world.store.cluster(), (method, arguments, call) -> {
            if (method.equals("purge")) {
                behind.add(Duration.between((Instant) arguments[0], world.time.wall()));
            }
            return call.proceed();
        });
        return StoreHook.over(
                JobStore.class,
                world.store,
                (method, arguments, call) -> method.equals("cluster") ? cluster : call.proceed());
    }

    private Machine node(Duration kept) {
        return world.node(
                "a",
                watched(),
                Duration.ofMinutes(10),
                builder -> builder.settings(SETTINGS).retention(new Retention(kept, kept, kept, kept)));
    }

    @Test
    @DisplayName("M9: a store that does not expire documents is purged by the server's clock; a real server never is")
    void whoPurges() {
        Machine a = node(KEPT);
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        a.lanes().close();
        Instant end = START.plusSeconds(1).plus(KEPT);
        assertThat(document("j").specification().deleteTime()).contains(end);
        world.pass(Duration.between(world.time.wall(), end.minusSeconds(91)));
        a = node(KEPT);
        pass(90_000);
        assertThat(rows("j")).hasSize(2);
        pass(31_000);
        if (stores == Stores.MONGO) {
            assertThat(behind).as("its TTL monitor removes").isEmpty();
            assertThat(document("j").isLive()).isFalse();
            assertThat(rows("j")).hasSize(2);
            assertThat(a.scheduler().findJobById("j")).as("M8: gone or not").isEmpty();
        } else {
            assertThat(behind).hasSizeBetween(4, 5);
            assertThat(behind).allMatch(lag -> lag.abs().compareTo(Duration.ofSeconds(1)) < 0);
            assertThat(world.store.find("j", FindScope.INCLUDING_FINISHED)).isEmpty();
            assertThat(rows("j")).isEmpty();
        }
    }

    @Test
    @DisplayName("M9: a recurring job outlives its purged rows, and the newest of them stays")
    void whatStays() {
        Machine a = node(Duration.ofSeconds(100));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0/1 * * * ?").build());
        pass(330_000);
        assertThat(world.calls).hasSize(5);
        assertThat(document("j").isLive()).isTrue();
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(rows("j"))
                .as("that of its creation is a request, and is kept for longer")
                .hasSize(stores == Stores.MONGO ? 6 : 4);
    }
}
