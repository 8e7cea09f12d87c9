package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.FindScope;
import dev.almanac.model.Retention;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The edge L53 of contributing/lifecycle.md, on a store that leaves the removal to the purge duty (rule M9). */
class LifecycleEndTest {
    @Test
    @DisplayName("L53 M8: a finished job and its rows are removed after its retention; a live one never is")
    void gone() {
        World world = new World(0, InMemoryJobStore::new);
        Duration least = Duration.ofDays(2);
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.retention(new Retention(least, least, least, least)));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        a.scheduler()
                .scheduleJob(job("live").schedulingSpecification("0 0 0 1 1 ?").build());
        world.pass(least.minusMinutes(10));
        assertThat(a.scheduler().findJobById("j", FindScope.INCLUDING_FINISHED)).isPresent();
        assertThat(a.scheduler().history("j")).hasSize(2);
        world.pass(Duration.ofHours(6));
        assertThat(a.scheduler().findJobById("j", FindScope.INCLUDING_FINISHED)).isEmpty();
        assertThat(a.scheduler().history("j")).isEmpty();
        assertThat(a.scheduler().history("live")).hasSize(1);
        assertThat(a.scheduler().findJobById("live")).isPresent();
    }
}
