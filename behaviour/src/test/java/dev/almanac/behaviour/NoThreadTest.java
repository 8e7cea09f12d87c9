package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.JobSpecification;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps of a claimed job for which a node finds no thread, which passes (rule X2). */
class NoThreadTest {
    private final World world = new World(0, InMemoryJobStore::new);

    private void assertOver(Machine a) {
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(a.scheduler().stuckRuns()).isEmpty();
        assertThat(a.scheduler().health().reasons()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    @DisplayName(
            "X2: a run for which there is no thread at its start is released, runs later and leaves nothing behind")
    void start(int seconds) {
        ScarceThreads threads = new ScarceThreads(world.lanes.node(), "hand-over");
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(threads));
        world.pass(Duration.ofSeconds(5));
        threads.refuse(1);
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(world.time.wall().plusSeconds(seconds))
                        .build());
        world.pass(Duration.ofMinutes(2));
        assertOver(a);
        assertThat(a.events()).hasAtLeastOneElementOfType(SchedulerEvent.ClaimReleased.class);
    }

    @Test
    @DisplayName(
            "X2, N14: a run whose lease is lost, and for which there is no thread then, is asked to end within seconds, too")
    void askedToEndWithoutLease() {
        boolean[] outage = {false};
        ScarceThreads threads = new ScarceThreads(world.lanes.node(), "decide");
        JobStore cut = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (outage[0]) {
                throw new StoreException("no answer", new IllegalStateException("planned"));
            }
            return call.proceed();
        });
        Machine a = world.node("a", cut, Duration.ZERO, builder -> builder.lanes(threads));
        CompletableFuture<Void> stage = new CompletableFuture<>();
        world.work = call -> stage;
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(4));
        outage[0] = true;
        threads.refuse(1);
        world.pass(Duration.ofSeconds(60));
        assertThat(a.events()).hasAtLeastOneElementOfType(SchedulerEvent.LeaseLost.class);
        assertThat(stage).isCancelled();
    }

    @Test
    @DisplayName("X2: a run that is to end and for which there is no thread then is asked to end within seconds")
    void askedToEnd() {
        ScarceThreads threads = new ScarceThreads(world.lanes.node(), "decide");
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(threads));
        CompletableFuture<Void> stage = new CompletableFuture<>();
        world.work = call -> stage;
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .executionTimeout(Duration.ofSeconds(5))
                        .build());
        world.pass(Duration.ofSeconds(4));
        threads.refuse(1);
        world.pass(Duration.ofMillis(2_050));
        assertThat(stage).isNotDone();
        world.pass(Duration.ofSeconds(5));
        assertThat(stage).isCancelled();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    @DisplayName("X2: a claim for which there is no thread keeps no slot, and keeps no other claim from being made")
    void claim(int others) {
        ScarceThreads threads = ScarceThreads.ofLane(world.lanes.node(), "look");
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.lanes(threads)
                        .settings(
                                SchedulerSettings.builder().maxConcurrentRuns(3).build()));
        try (Scheduler client = world.client(builder -> builder)) {
            for (int i = 0; i < 6; i++) {
                client.scheduleJob(job("j" + i)
                        .exclusiveGroup("g" + i)
                        .singleSchedule(START.plusSeconds(i < 3 ? 3 : 20))
                        .build());
            }
        }
        world.pass(Duration.ofMillis(2_700));
        threads.refuse(others, 1);
        world.pass(Duration.ofSeconds(12));
        assertThat(world.calls).extracting(World.Call::job).containsExactlyInAnyOrder("j0", "j1", "j2");
        world.pass(Duration.ofSeconds(15));
        assertThat(world.calls).hasSize(6);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName("X2: an Error between two renewals ends no renewals: a run of a minute is started once")
    void renewals() {
        ScarceThreads threads = ScarceThreads.ofLane(world.lanes.node(), "kernel");
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(threads));
        world.work = call -> world.after(Duration.ofSeconds(60));
        world.pass(Duration.ofSeconds(1));
        threads.refuse(1);
        passAlthough(Duration.ofSeconds(3));
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(world.time.wall().plusSeconds(1))
                        .build());
        passAlthough(Duration.ofMinutes(5));
        assertOver(a);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 1", "3, 1", "4, 1", "5, 1", "6, 1", "7, 1", "0, 5", "3, 5", "6, 5"})
    @DisplayName("X2: Errors of the kernel's lane end neither looks nor claims, and keep no slot")
    void looks(int others, int times) {
        ScarceThreads threads = ScarceThreads.ofLane(world.lanes.node(), "kernel");
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.lanes(threads)
                        .settings(
                                SchedulerSettings.builder().maxConcurrentRuns(1).build()));
        passAlthough(Duration.ofSeconds(5));
        Instant soon = world.time.wall().plusSeconds(1);
        try (Scheduler client = world.client(builder -> builder)) {
            for (int i = 0; i < 3; i++) {
                client.scheduleJob(
                        job("j" + i).singleSchedule(soon.plusSeconds(i * 90)).build());
            }
        }
        passAlthough(Duration.ofMillis(500));
        threads.refuse(others, times);
        passAlthough(Duration.ofMinutes(5));
        assertThat(world.calls).extracting(World.Call::job).containsExactly("j0", "j1", "j2");
        assertThat(a.scheduler().node().runs()).isZero();
        a.scheduler().beginDrain(Duration.ofDays(1));
        passAlthough(Duration.ofMinutes(1));
        assertThat(a.events()).hasAtLeastOneElementOfType(SchedulerEvent.NodeStopped.class);
    }

    /** Time passes although steps throw; a real lane logs that. */
    private void passAlthough(Duration duration) {
        Instant end = world.time.wall().plus(duration);
        while (world.time.wall().isBefore(end)) {
            try {
                world.pass(Duration.between(world.time.wall(), end));
            } catch (InternalError ofTheLane) {
                assertThat(ofTheLane).hasMessage("unable to create native thread");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @DisplayName("X2: a drain whose step meets an Error of its lane goes on, and ends")
    void drain(int others) {
        ScarceThreads threads = ScarceThreads.ofLane(world.lanes.node(), "kernel");
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(threads));
        world.work = call -> world.after(Duration.ofSeconds(20));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(3));
        a.scheduler().beginDrain(Duration.ofMinutes(1));
        threads.refuse(others, 1);
        passAlthough(Duration.ofMinutes(1));
        assertThat(a.events()).hasAtLeastOneElementOfType(SchedulerEvent.NodeStopped.class);
        assertThat(outcomes(a, "j")).last().isEqualTo("TRIGGERED/SUCCEEDED");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @DisplayName("X2: a claim whose start cannot be planned is released, and runs later, once")
    void plannedStart(int others) {
        ScarceThreads threads = ScarceThreads.ofLane(world.lanes.node(), "kernel");
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(threads));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(3)).build());
        threads.refuse(others, 1);
        passAlthough(Duration.ofMinutes(5));
        assertOver(a);
    }

    @Test
    @DisplayName("X2: follow-ups for whose second try there is no thread are stored by a third one, and once")
    void followUps() {
        ScarceThreads threads = new ScarceThreads(world.lanes.node(), "follow");
        AtomicBoolean fails = new AtomicBoolean();
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("insert") && fails.getAndSet(false)) {
                threads.refuse(1);
                throw new StoreException("no answer", new IllegalStateException("planned"));
            }
            return call.proceed();
        });
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder.lanes(threads));
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .onSuccess(JobSpecification.now("{key}-next", new World.Note("next")))
                        .build());
        fails.set(true);
        world.pass(Duration.ofMinutes(10));
        assertThat(fails).isFalse();
        assertOver(a);
        assertThat(world.callsOf("j-next")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000})
    @DisplayName(
            "X2 R14: a drain that finds no thread for its last calls stops the node all the same, and tells the others")
    void farewell(int times) {
        ScarceThreads threads = new ScarceThreads(world.lanes.node(), "farewell");
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(threads));
        world.node("b");
        world.pass(Duration.ofSeconds(3));
        threads.refuse(times);
        a.scheduler().beginDrain(Duration.ofMinutes(1));
        world.pass(Duration.ofSeconds(10));
        assertThat(a.events()).hasAtLeastOneElementOfType(SchedulerEvent.NodeStopped.class);
        assertThat(world.store.cluster().nodes(START))
                .filteredOn(node -> !node.stopped())
                .hasSize(1);
        world.pass(Duration.ofMinutes(5));
        assertThat(world.store.cluster().nodes(START))
                .filteredOn(node -> !node.stopped())
                .hasSize(1);
    }
}
