package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What users order while jobs live, for many of them at once: the same promises over memory and a real server. */
class ControlTest extends OverStores {
    private static final Pause AUDIT = new Pause("audit", "ops", null);

    private void tick(Machine machine, String key, String... tags) {
        machine.scheduler()
                .scheduleJob(job(key).schedulingSpecification("* * * * * ?")
                        .missedFirePolicy(MissedFirePolicy.SKIP)
                        .tags(tags)
                        .build());
    }

    private long firesAfter(String key, Instant from) {
        return world.callsOf(key).stream()
                .filter(call -> call.started().isAfter(from))
                .count();
    }

    @Test
    @DisplayName("pause of a tag: every node honours it within a second, others go on, the resume lets them go on")
    void tag() {
        Machine a = world.node("a");
        Machine b = world.node("b");
        for (int i = 0; i < 8; i++) {
            tick(a, "vip-" + i, "vip");
        }
        tick(a, "other", "plain");
        world.pass(Duration.ofSeconds(5));
        b.scheduler().pause(PauseScope.tag("vip"), AUDIT);
        Instant honoured = world.time.wall().plusSeconds(1);
        world.pass(Duration.ofSeconds(10));
        for (int i = 0; i < 8; i++) {
            assertThat(firesAfter("vip-" + i, honoured)).as("vip-" + i).isZero();
        }
        assertThat(firesAfter("other", honoured)).isGreaterThan(7);
        assertThat(a.scheduler().resume(PauseScope.tag("vip"))).isTrue();
        Instant resumed = world.time.wall();
        world.pass(Duration.ofSeconds(6));
        for (int i = 0; i < 8; i++) {
            assertThat(firesAfter("vip-" + i, resumed)).as("vip-" + i).isGreaterThan(2);
        }
    }

    @Test
    @DisplayName(
            "pause of a type or of everything: nothing starts, not even what is scheduled later; one-offs run after")
    void everything() {
        Machine a = world.node("a");
        a.scheduler().pause(PauseScope.everything(), AUDIT);
        a.scheduler()
                .scheduleJob(job("later").singleSchedule(START.plusSeconds(3)).build());
        world.pass(Duration.ofMinutes(5));
        assertThat(world.calls).isEmpty();
        a.scheduler().pause(PauseScope.commandType("note"), AUDIT);
        a.scheduler().resume(PauseScope.everything());
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).as("two pauses hold it: both must end").isEmpty();
        a.scheduler().resume(PauseScope.commandType("note"));
        world.pass(Duration.ofSeconds(2));
        assertThat(world.callsOf("later")).hasSize(1);
    }

    @Test
    @DisplayName("pause and resume of a key: the same as of a job's scope; the author is that of the request")
    void key() {
        Machine a = world.node("a");
        tick(a, "one");
        tick(a, "other");
        assertThat(a.scheduler().resume("one")).as("it was not paused").isFalse();
        a.scheduler().as("ann", "month end").pause("one");
        assertThat(a.scheduler().findJob("one").orElseThrow().pause()).isEqualTo(new Pause("month end", "ann", null));
        Instant paused = world.time.wall();
        world.pass(Duration.ofSeconds(10));
        assertThat(firesAfter("one", paused)).isZero();
        assertThat(firesAfter("other", paused)).as("the neighbour goes on").isEqualTo(10);
        assertThat(a.scheduler().resume("one")).isTrue();
        Instant resumed = world.time.wall();
        world.pass(Duration.ofSeconds(3));
        assertThat(firesAfter("one", resumed)).isPositive();
        assertThatThrownBy(() -> a.scheduler().pause("none")).isInstanceOf(JobNotFoundException.class);
        assertThatThrownBy(() -> a.scheduler().resume("none")).isInstanceOf(JobNotFoundException.class);
    }

    @Test
    @DisplayName("a pause ends by itself, is replaced by a newer one of its scope, and says by whom it was asked for")
    void until() {
        Machine a = world.node("a");
        Machine b = world.node("b");
        tick(a, "tick", "t");
        a.scheduler().pause(PauseScope.tag("t"), new Pause("old", "x", null));
        a.scheduler().pause(PauseScope.tag("t"), new Pause("new", "y", START.plusSeconds(30)));
        assertThat(b.scheduler().pauses()).singleElement().satisfies(pause -> {
            assertThat(pause.pause()).isEqualTo(new Pause("new", "y", START.plusSeconds(30)));
            assertThat(pause.since()).isEqualTo(START);
        });
        world.pass(Duration.ofSeconds(29));
        assertThat(world.calls).isEmpty();
        world.pass(Duration.ofSeconds(5));
        assertThat(world.calls)
                .extracting(Call::started)
                .first()
                .satisfies(started -> assertThat(started).isBetween(START.plusSeconds(30), START.plusSeconds(32)));
        assertThat(b.scheduler().pauses()).isEmpty();
    }

    @Test
    @DisplayName("resume returns whether there was a pause; a pause of an unknown job is refused")
    void resume() {
        Machine a = world.node("a");
        assertThat(a.scheduler().resume(PauseScope.tag("none"))).isFalse();
        tick(a, "tick");
        assertThat(a.scheduler().resume(PauseScope.job("tick"))).isFalse();
        a.scheduler().pause(PauseScope.job("tick"), AUDIT);
        assertThat(a.scheduler().resume(PauseScope.job("tick"))).isTrue();
        assertThatThrownBy(() -> a.scheduler().pause(PauseScope.job("nobody"), AUDIT))
                .isInstanceOf(JobNotFoundException.class);
    }

    @Test
    @DisplayName("a run in progress goes on through a pause of everything, and its end is recorded")
    void runGoesOn() {
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(5));
        a.scheduler()
                .scheduleJob(job("long").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        a.scheduler().pause(PauseScope.everything(), AUDIT);
        world.pass(Duration.ofSeconds(10));
        assertThat(World.outcomes(a, "long")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("P9: of an exclusive group one job runs at a time in the whole cluster, and all of them run")
    void exclusiveGroup() {
        Machine a = world.node("a");
        world.node("b");
        world.work = call -> world.after(Duration.ofMillis(700));
        for (int i = 0; i < 6; i++) {
            a.scheduler()
                    .scheduleJob(job("g-" + i)
                            .exclusiveGroup("ledger")
                            .singleSchedule(START.plusSeconds(2))
                            .build());
        }
        a.scheduler()
                .scheduleJob(job("free").singleSchedule(START.plusSeconds(2)).build());
        world.pass(Duration.ofSeconds(3));
        assertThat(world.callsOf("free"))
                .as("a busy group holds nobody else up")
                .hasSize(1);
        world.pass(Duration.ofSeconds(12));
        List<Instant> starts = world.calls.stream()
                .filter(call -> call.job().startsWith("g-"))
                .map(Call::started)
                .sorted()
                .toList();
        assertThat(starts).hasSize(6);
        for (int i = 1; i < starts.size(); i++) {
            assertThat(Duration.between(starts.get(i - 1), starts.get(i)))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(700));
        }
        assertThat(starts.get(5)).as("nor does it dawdle").isBefore(START.plusSeconds(12));
    }

    @Test
    @DisplayName("P9: the group of a killed node is free when its lease is over")
    void groupOfDeadNode() {
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(call.node().equals("a") ? 3_600 : 1));
        a.scheduler()
                .scheduleJob(job("first")
                        .exclusiveGroup("ledger")
                        .singleSchedule(START.plusSeconds(1))
                        .build());
        world.pass(Duration.ofSeconds(3));
        Machine b = world.node("b");
        b.scheduler()
                .scheduleJob(job("second")
                        .exclusiveGroup("ledger")
                        .singleSchedule(START.plusSeconds(4))
                        .build());
        a.lanes().close();
        world.pass(Duration.ofSeconds(15));
        assertThat(world.callsOf("second")).isEmpty();
        world.pass(Duration.ofSeconds(20));
        assertThat(world.callsOf("second")).hasSize(1);
        assertThat(world.callsOf("first")).hasSize(2);
    }
}
