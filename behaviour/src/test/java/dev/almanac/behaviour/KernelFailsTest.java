package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerEvent.KernelRestarted;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.NodeReport;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node whose kernel fails (rule N14): once, or again and again. The exploration has it fail at every place. */
class KernelFailsTest {
    private final World world = new World(0, InMemoryJobStore::new);
    private int fails;
    /** So many readings of the clock come before the next failure. */
    private int spared;
    /** So many readings lie between two failures. */
    private int apart;

    private final Machine a = failing("a");
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private Machine failing(String name) {
        DecidingLanes[] lanes = new DecidingLanes[1];
        TimeSource clock = new TimeSource() {
            @Override
            public Instant wall() {
                return world.time.wall();
            }

            @Override
            public long nanos() {
                if (fails > 0 && lanes[0].isDeciding() && spared-- <= 0) {
                    fails--;
                    spared = apart;
                    throw new DecidingLanes.PlannedFault();
                }
                return world.time.nanos();
            }

            @Override
            public ZoneId zone() {
                return world.time.zone();
            }
        };
        lanes[0] = new DecidingLanes(world.lanes.node());
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.lanes(lanes[0]).time(clock));
    }

    private List<KernelRestarted> restarts() {
        return a.events().stream()
                .filter(KernelRestarted.class::isInstance)
                .map(KernelRestarted.class::cast)
                .toList();
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            fails = 1;
            world.pass(Duration.ofSeconds(5));
            assertThat(fails).isZero();
        }
    }

    private void startJob() {
        world.work = call -> end;
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("j")).hasSize(1);
    }

    /** The third failure has made another node of it. */
    private void assertOtherThan(String node) {
        assertThat(restarts()).hasSize(3).last().satisfies(restart -> {
            assertThat(restart.otherIdentity()).isTrue();
            assertThat(restart.node()).isNotEqualTo(node);
        });
        assertThat(a.scheduler().node().id()).isNotEqualTo(node);
    }

    private void assertRecovered(Duration within) {
        world.pass(within);
        assertThat(world.callsOf("j")).as("recovered").hasSize(2);
        assertThat(world.store.cluster().nodes(START))
                .filteredOn(report -> !report.stopped())
                .extracting(NodeReport::id)
                .containsExactly(a.scheduler().node().id());
    }

    @Test
    @DisplayName("N14: twice within a minute no run is interrupted and no lease lost; health and the log tell it")
    void twice() {
        startJob();
        String node = a.scheduler().node().id();
        fail(2);
        assertThat(restarts()).hasSize(2).allSatisfy(restart -> {
            assertThat(restart.otherIdentity()).isFalse();
            assertThat(restart.node()).isEqualTo(node);
            assertThat(restart.error()).contains(DecidingLanes.PlannedFault.MESSAGE);
        });
        assertThat(a.scheduler().node().runs()).isEqualTo(1);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        assertThat(a.scheduler().health().reasons()).singleElement().asString().contains("a step of the kernel");
        world.pass(Duration.ofMinutes(2));
        assertThat(end).as("not asked to end").isNotDone();
        end.complete(null);
        world.pass(Duration.ofMinutes(10));
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.events()).doesNotHaveAnyElementsOfTypes(SchedulerEvent.LeaseLost.class);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
    }

    @Test
    @DisplayName(
            "N14: the third time within a minute it goes on as another node, without what it held; its runs are asked to end")
    void anotherIdentity() {
        startJob();
        String node = a.scheduler().node().id();
        fail(2);
        fails = 1;
        world.pass(Duration.ofSeconds(1));
        assertOtherThan(node);
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(end).as("asked to end").isCancelled();
        assertThat(a.events()).hasAtLeastOneElementOfType(SchedulerEvent.LeaseLost.class);
        assertRecovered(Duration.ofMinutes(1));
    }

    @Test
    @DisplayName("N14: a beginning that fails is made again, and is no further failure: no run is interrupted")
    void beginningFails() {
        startJob();
        fails = 3;
        world.pass(Duration.ofSeconds(5));
        assertThat(fails).isZero();
        assertThat(restarts())
                .singleElement()
                .satisfies(restart -> assertThat(restart.otherIdentity()).isFalse());
        assertThat(a.scheduler().node().runs()).isEqualTo(1);
        end.complete(null);
        world.pass(Duration.ofMinutes(1));
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("N14: while no beginning succeeds health is DOWN; then the runs whose leases are not over go on")
    void beginningFailsForLong() {
        startJob();
        fails = Integer.MAX_VALUE;
        world.pass(Duration.ofSeconds(6));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DOWN);
        assertThat(a.scheduler().health().reasons().toString()).contains("tries to begin again");
        assertThat(world.store.cluster().nodes(START))
                .singleElement()
                .satisfies(report -> assertThat(report.reasons().toString())
                        .as("told to others")
                        .contains("tries to begin again"));
        fails = 0;
        world.pass(Duration.ofSeconds(2));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        end.complete(null);
        world.pass(Duration.ofMinutes(1));
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(world.callsOf("j")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8})
    @DisplayName("N14: a change of the identity that fails half-way is made again, in full")
    void changeFails(int times) {
        startJob();
        String node = a.scheduler().node().id();
        fail(2);
        fails = times;
        world.pass(Duration.ofSeconds(5));
        assertThat(fails).isZero();
        assertOtherThan(node);
        assertRecovered(Duration.ofMinutes(2));
    }

    @Test
    @DisplayName("N14: health is DOWN while it pauses, and it claims again after that")
    void pause() {
        fail(2);
        fails = 1;
        while (restarts().size() < 3) {
            world.pass(Duration.ofMillis(20));
        }
        Health health = a.scheduler().health();
        assertThat(health.state()).isEqualTo(Health.State.DOWN);
        assertThat(health.reasons().toString())
                .contains("begins again as node " + a.scheduler().node().id());
        a.scheduler().scheduleJob(job("j").singleSchedule(world.time.wall()).build());
        world.pass(Duration.ofMillis(800));
        assertThat(world.callsOf("j")).isEmpty();
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "N14: what still runs in the process after that is not run here a second time, nor another job of its group")
    void stillRuns(boolean sameJob) {
        world.work = call -> call.job().equals("j") && call.attempt() == 1 && world.calls.size() == 1
                ? new CompletableFuture<>() {
                    @Override
                    public boolean cancel(boolean mayInterrupt) {
                        return false;
                    }

                    {
                        end.thenRun(() -> complete(null));
                    }
                }
                : CompletableFuture.completedFuture(null);
        a.scheduler()
                .scheduleJob(job("j").exclusiveGroup("g")
                        .singleSchedule(START.plusSeconds(1))
                        .build());
        world.pass(Duration.ofSeconds(5));
        fail(3);
        String awaited = sameJob ? "j" : "other";
        if (!sameJob) {
            a.scheduler()
                    .scheduleJob(job("other")
                            .exclusiveGroup("g")
                            .singleSchedule(world.time.wall().plusSeconds(40))
                            .build());
        }
        world.pass(Duration.ofMinutes(3));
        assertThat(world.callsOf(awaited)).hasSize(sameJob ? 1 : 0);
        end.complete(null);
        world.pass(Duration.ofMinutes(3));
        assertThat(world.callsOf(awaited)).hasSize(sameJob ? 2 : 1);
    }

    @Test
    @DisplayName("N14: the event says that the identity has changed, wherever the beginning after the change fails")
    void changedIsTold() {
        for (int readings = 1; readings <= 40; readings++) {
            KernelFailsTest other = new KernelFailsTest();
            other.startJob();
            other.fail(2);
            other.apart = readings;
            other.fails = 2;
            other.world.pass(Duration.ofSeconds(5));
            assertThat(other.fails).isZero();
            assertThat(other.restarts())
                    .as("after " + readings + " readings")
                    .filteredOn(KernelRestarted::otherIdentity)
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("N14: a node that was put on standby by its id stays so under another identity, until it is resumed")
    void standbyStays() {
        String node = a.scheduler().node().id();
        world.idleNode("user").scheduler().pause(PauseScope.node(node), Pause.because("upgrade of the machine"));
        world.pass(Duration.ofSeconds(2));
        fail(3);
        assertOtherThan(node);
        a.scheduler().scheduleJob(job("j").singleSchedule(world.time.wall()).build());
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("j")).isEmpty();
        Instant now = world.time.wall();
        NodeReport report = world.store.cluster().nodes(START).stream()
                .filter(known -> known.id().equals(a.scheduler().node().id()))
                .findFirst()
                .orElseThrow();
        assertThat(report.state(now, world.store.cluster().control().pauses())).isEqualTo(NodeReport.State.STANDBY);
        assertThat(PauseScope.node(report.id())).isNotEqualTo(PauseScope.node(node));
        a.scheduler().resume(PauseScope.node(node));
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("j")).hasSize(1);
    }
}
