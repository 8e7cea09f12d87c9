package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.RehydrationSummary;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FindScope;
import dev.almanac.runtime.SchedulerSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a node claims, and in which order: its slots, its limits of types, its range of priorities, its rehydration. */
class SlotsTest extends LifecycleFixture {
    @Test
    @DisplayName("R9: a node holds no more runs of a type than its limit, and takes the next as soon as one ends")
    void typeLimit() {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.typeLimit("note", 3));
        tenRuns(a);
        pass(2_000);
        assertThat(world.calls).hasSize(3);
        assertThat(a.scheduler().node().runs()).isEqualTo(3);
        pass(10_000);
        assertThat(world.calls).hasSize(6);
        pass(30_000);
        assertThat(world.calls).hasSize(10);
    }

    @Test
    @DisplayName("R9: a node claims for free slots only")
    void slots() {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(4).build()));
        tenRuns(a);
        pass(2_000);
        assertThat(world.calls).hasSize(4);
        pass(10_000);
        assertThat(world.calls).hasSize(8);
    }

    @Test
    @DisplayName("R8 R9: a node claims within its range of priorities, both ends included; the rest stays untouched")
    void priorities() {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(SchedulerSettings.builder()
                        .minPriority(2)
                        .maxPriority(5)
                        .build()));
        for (int priority = 0; priority < 8; priority++) {
            a.scheduler()
                    .scheduleJob(job("p" + priority)
                            .priority(priority)
                            .singleSchedule(START.plusSeconds(1))
                            .build());
        }
        pass(60_000);
        assertThat(world.calls).extracting(World.Call::job).containsExactlyInAnyOrder("p2", "p3", "p4", "p5");
        assertRows("p1", "SCHEDULED/NONE");
        assertThat(document("p6").sequences().claimSeq()).isZero();
    }

    @Test
    @DisplayName("R9: of jobs that are due together the more urgent class is run first, and in it what was due first")
    void order() {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(1).build()));
        world.work = call -> slow(Duration.ofSeconds(5));
        a.scheduler()
                .scheduleJob(job("first").singleSchedule(START.plusSeconds(1)).build());
        pass(1_500);
        List.of("d7", "b4", "a0", "c4")
                .forEach(key -> a.scheduler()
                        .scheduleJob(job(key).priority(key.charAt(1) - '0')
                                .singleSchedule(START.plusSeconds(key.equals("b4") ? 2 : 3))
                                .build()));
        pass(60_000);
        assertThat(world.calls).extracting(World.Call::job).containsExactly("first", "a0", "b4", "c4", "d7");
    }

    @Test
    @DisplayName(
            "R12: until it is rehydrated a node claims nothing; what was cancelled or finished before never comes back")
    void rehydration() {
        Machine a = world.idleNode("a");
        for (String key : List.of("runs", "goes")) {
            a.scheduler()
                    .scheduleJob(job(key).singleSchedule(START.plusSeconds(1)).build());
        }
        a.scheduler()
                .scheduleJob(job("often").schedulingSpecification("0 * * * * ?").build());
        pass(300_000);
        assertThat(world.calls).isEmpty();
        assertThat(a.scheduler().cancelJob("goes")).isEqualTo(CancelResult.CANCELED);
        RehydrationSummary summary = a.scheduler().rehydrate();
        assertThat(summary.oneOffJobs()).isEqualTo(1);
        assertThat(summary.recurringJobs()).isEqualTo(1);
        pass(10_000);
        assertThat(world.calls).extracting(World.Call::job).containsExactlyInAnyOrder("runs", "often");
        assertThat(a.scheduler().findJobById("goes")).isEmpty();
        assertThat(a.scheduler().findJobById("goes", FindScope.INCLUDING_FINISHED))
                .isPresent();
    }

    private void tenRuns(Machine a) {
        world.work = call -> slow(Duration.ofSeconds(10));
        for (int i = 0; i < 10; i++) {
            a.scheduler()
                    .scheduleJob(
                            job("j" + i).singleSchedule(START.plusSeconds(1)).build());
        }
    }
}
