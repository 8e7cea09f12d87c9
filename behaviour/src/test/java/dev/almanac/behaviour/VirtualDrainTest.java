package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.store.InMemoryJobStore;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.time.ManualLanes;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A drain or close of a node in virtual time waits as in a service, and advances the time. */
@Timeout(60)
class VirtualDrainTest {
    private final World world = new World(0, InMemoryJobStore::new);

    @Test
    @DisplayName("R14: drain returns by itself when the run has ended, by then and not later")
    void drain() throws InterruptedException {
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(20));
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        a.scheduler().drain(Duration.ofSeconds(30));
        assertThat(world.time.wall()).isBetween(START.plusSeconds(21), START.plusSeconds(22));
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        a.scheduler().close();
    }

    @Test
    @DisplayName(
            "R14: drain returns by itself after its timeout, and close right away; another node runs what was left")
    void impatient() throws InterruptedException {
        Machine a = world.node("a");
        world.work =
                call -> call.node().equals("a") ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        a.scheduler().drain(Duration.ofSeconds(30));
        assertThat(world.time.wall()).isBetween(START.plusSeconds(32), START.plusSeconds(40));
        a.scheduler().close();
        Machine b = world.node("b");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(2);
        assertThat(outcomes(b, "k")).endsWith("TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("R14: a scheduler that is drained before its start, or during it, never claims")
    void drainedFirst() throws InterruptedException {
        ManualLanes.Node own = world.lanes.node();
        FaultyStore slow = new FaultyStore(world.store, world.lanes.node().open("network", 1), own::takeTime)
                .fail(StoreCall.OPEN, 1, Fault.slow(Duration.ofSeconds(3), Duration.ZERO));
        Scheduler early = scheduler(own, slow);
        List<String> answers = new ArrayList<>();
        own.open("start", 1).run(() -> {
            try {
                early.start();
            } catch (IllegalStateException drained) {
                answers.add(drained.getMessage());
            }
        });
        world.pass(Duration.ofSeconds(1));
        early.drain(Duration.ofSeconds(1));
        world.pass(Duration.ofMinutes(1));
        assertThat(answers).singleElement().asString().contains("DRAINED");
        assertThat(world.store.cluster().nodes(START))
                .as("it reports nothing either")
                .isEmpty();
    }

    private Scheduler scheduler(ManualLanes.Node own, JobStore store) {
        return Scheduler.builder()
                .store(store)
                .time(world.time)
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(1))
                .lanes(own)
                .executor(own::execute)
                .command("note", 1, World.Note.class)
                .build();
    }

    @Test
    @DisplayName("close returns by itself, also of a node that stands still and of one that was never started")
    void close() {
        Machine idle = world.node("idle");
        idle.scheduler().close();
        Machine frozen = world.node("frozen");
        frozen.lanes().freeze();
        frozen.scheduler().close();
        assertThat(world.time.wall()).isBetween(START, START.plusSeconds(30));
    }
}
