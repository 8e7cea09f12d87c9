package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.FirstFire;
import dev.almanac.model.InvalidJobException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A recurrence that begins at once (rule S15). */
class FirstFireTest extends LifecycleFixture {
    private static Instant after(long seconds) {
        return START.plusSeconds(seconds);
    }

    private List<Instant> fires() {
        return world.calls.stream().map(Call::fire).toList();
    }

    @ParameterizedTest(name = "now() after the step: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("S15: every(...).now() fires at once, then by its step, and not again when it is declared again")
    void everyNow(boolean after) {
        Machine a = world.node("a");
        var spec = after ? job("j").every("PT1M").now() : job("j").now().every("PT1M");
        a.scheduler().scheduleJob(spec.build());
        pass(30_000);
        a.scheduler().scheduleJob(spec.build());
        a.scheduler().scheduleJob(spec.priority(1).build());
        pass(95_000);
        assertThat(fires()).containsExactly(after(0), after(60), after(120));
    }

    @Test
    @DisplayName("S15: the fire at once comes also before startAt, which bounds the schedule alone")
    void nowAndLater() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").every("PT1M")
                        .firstFire(FirstFire.NOW)
                        .startAt(after(600))
                        .build());
        pass(590_000);
        assertThat(fires()).containsExactly(after(0));
        pass(30_000);
        assertThat(fires()).containsExactly(after(0), after(600));
    }

    @Test
    @DisplayName(
            "S15: a cron job fires at once, and once more when its schedule changes, but not when only this is said")
    void cronNow() {
        Machine a = world.node("a");
        var spec = job("j").schedulingSpecification("0 * * * * ?");
        pass(10_000);
        a.scheduler().scheduleJob(spec.build());
        a.scheduler().scheduleJob(spec.firstFire(FirstFire.NOW).build());
        pass(60_000);
        assertThat(fires()).as("only its schedule counts").containsExactly(after(60));
        a.scheduler().scheduleJob(spec.schedulingSpecification("00 * * * * ?").build());
        pass(10_000);
        assertThat(fires()).as("the same schedule").hasSize(1);
        a.scheduler().scheduleJob(spec.schedulingSpecification("30 * * * * ?").build());
        pass(15_000);
        assertThat(fires()).containsExactly(after(60), after(80), after(90));
    }

    @Test
    @DisplayName("S1, S15: a flag that changes no calendar of a job makes none fire at once, and moves no fixed delay")
    void flagThatMovesNoFire() {
        Machine a = world.node("a");
        var rate = job("rate").every("PT10M").now();
        var delay = job("delay").everyAfterEnd(Duration.ofMinutes(10));
        a.scheduler().scheduleJob(rate.build());
        a.scheduler().scheduleJob(delay.build());
        pass(60_000);
        a.scheduler().scheduleJob(rate.ignoreDefaultCalendar(true).build());
        a.scheduler().updateJob(delay.ignoreDefaultCalendar(true).build());
        assertThat(document("rate").specification().version()).isEqualTo(2);
        pass(545_000);
        assertThat(fires()).containsExactly(after(0), after(600), after(600));
    }

    @Test
    @DisplayName("S15, S2: the fire at once takes the place of one that has passed, which is missed")
    void replacesAnOverdueOne() {
        Machine a = world.node("a");
        var spec = job("j").schedulingSpecification("0 * * * * ?");
        a.scheduler().scheduleJob(spec.build());
        kill(a);
        pass(130_000);
        world.client(builder -> builder)
                .scheduleJob(spec.schedulingSpecification("30 * * * * ?")
                        .firstFire(FirstFire.NOW)
                        .build());
        world.node("b");
        pass(25_000);
        assertThat(fires()).containsExactly(after(130), after(150));
        assertThat(rows("j"))
                .filteredOn(row -> row.missed() != null)
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.missed().first()).isEqualTo(after(60));
                    assertThat(row.missed().last()).isEqualTo(after(120));
                    assertThat(row.missed().count()).isEqualTo(2);
                });
    }

    @Test
    @DisplayName("S15: the fire at once counts for maxFires")
    void counts() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").every("PT1M").now().maxFires(2).build());
        pass(200_000);
        assertThat(fires()).containsExactly(after(0), after(60));
        assertFinished("j");
    }

    @Test
    @DisplayName("S15: a fixed delay that fires at once goes on from the end of that run")
    void afterEnd() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(20));
        a.scheduler()
                .scheduleJob(job("j").everyAfterEnd(Duration.ofMinutes(1)).now().build());
        pass(85_000);
        assertThat(fires()).containsExactly(after(0), after(80));
    }

    @Test
    @DisplayName("S15: a job that fires once has no first fire; now() without a schedule is one")
    void oneOff() {
        Machine a = world.node("a");
        assertThatThrownBy(() -> a.scheduler()
                        .scheduleJob(job("j").singleSchedule(after(60))
                                .firstFire(FirstFire.NOW)
                                .build()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("firstFire");
        a.scheduler().scheduleJob(job("j").now().build());
        pass(100_000);
        assertThat(fires()).containsExactly(after(0));
    }
}
