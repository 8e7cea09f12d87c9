package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.Explanation;
import dev.almanac.model.Finding;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.UnservedJobs;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One node is held back, and the others are not (rule X10). */
class StandbyTest extends OverStores {
    private static final int MOST_STEPS_A_SECOND = 100;

    private Machine labelled(String name) {
        return world.node(name, world.store, Duration.ZERO, builder -> builder.label("till " + name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999-12-31T23:59:59.999Z", "2500-01-01T00:00:00Z"})
    @DisplayName("X10: a pause until a far year delays no job of others, and a resume is noticed within a second")
    void farPause(Instant until) {
        Machine a = world.node("a");
        Scheduler client = client(world.store);
        Pause archived = new Pause("archived", "ann", until);
        client.pause(PauseScope.tag("old"), archived);
        client.scheduleJob(
                job("old").tags("old").singleSchedule(START.plusSeconds(5)).build());
        for (int i = 0; i < 20; i++) {
            client.scheduleJob(job("j" + i)
                    .singleSchedule(START.plusMillis(10_000 + 1_700 * i))
                    .build());
        }
        world.pass(Duration.ofSeconds(60));
        assertThat(world.calls)
                .hasSize(20)
                .allSatisfy(call -> assertThat(Duration.between(call.fire(), call.started()))
                        .isLessThan(Duration.ofMillis(100)));
        client.resume(PauseScope.tag("old"));
        world.pass(Duration.ofSeconds(2));
        assertThat(world.callsOf("old")).hasSize(1);
        assertThat(a.scheduler().health().reasons()).isEmpty();
    }

    private void schedule(Machine node, int from, int to) {
        for (int second = from; second < to; second++) {
            node.scheduler()
                    .scheduleJob(job("s" + second)
                            .singleSchedule(START.plusSeconds(second))
                            .build());
        }
    }

    @Test
    @DisplayName(
            "X10: a node on standby claims nothing from a second on; it ends what it runs, and others run the rest")
    void standby() {
        Machine a = labelled("a");
        world.work =
                call -> call.job().equals("long") ? world.after(Duration.ofSeconds(40)) : world.after(Duration.ZERO);
        a.scheduler()
                .scheduleJob(job("long").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        Machine b = labelled("b");
        schedule(b, 3, 30);
        world.pass(Duration.ofSeconds(8));
        PauseScope till = PauseScope.node("till a");
        b.scheduler().as("ann", "ticket 7").pause(till, Pause.because(""));
        world.pass(Duration.ofSeconds(25));
        assertThat(world.calls)
                .filteredOn(call -> call.started().isAfter(START.plusSeconds(11)))
                .hasSize(18)
                .extracting(Call::node)
                .containsOnly("b");
        assertThat(world.calls).filteredOn(call -> call.node().equals("a")).hasSizeGreaterThan(1);
        Health waits = a.scheduler().health();
        assertThat(waits.state()).isEqualTo(Health.State.DEGRADED);
        assertThat(waits.reasons())
                .singleElement()
                .satisfies(reason -> assertThat(reason).contains("on standby since", "ann", "ticket 7"));
        assertThat(b.scheduler().health().state()).isEqualTo(Health.State.UP);
        world.pass(Duration.ofSeconds(10));
        assertThat(World.outcomes(a, "long").get(1)).isEqualTo("TRIGGERED/SUCCEEDED");
        assertThat(world.callsOf("long")).hasSize(1);
    }

    @Test
    @DisplayName(
            "X10: a node that is resumed claims again within a second; a standby of another node holds nothing back")
    void resumed() {
        Machine a = labelled("a");
        PauseScope self = PauseScope.node(a.scheduler().node().id());
        a.scheduler().pause(PauseScope.node("till b"), Pause.because("of another"));
        schedule(a, 1, 3);
        world.pass(Duration.ofSeconds(4));
        assertThat(world.calls).hasSize(2);
        a.scheduler().pause(self, Pause.because("maintenance"));
        schedule(a, 6, 9);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.calls).as("nobody else is there").hasSize(2);
        assertThat(a.scheduler().resume(self)).isTrue();
        world.pass(Duration.ofSeconds(1));
        assertThat(world.calls).hasSize(5);
        assertThat(a.scheduler().resume(self)).isFalse();
    }

    @Test
    @DisplayName("O2: explain says that all nodes with the command type are on standby, by whom, and how to end that")
    void explained() {
        Machine a = labelled("a");
        a.scheduler().as("ann", "ticket 7").pause(PauseScope.node("till a"), Pause.because(""));
        schedule(a, 1, 2);
        world.pass(Duration.ofSeconds(4));
        try (Scheduler client = client(world.store)) {
            for (Scheduler asked : List.of(a.scheduler(), client)) {
                Explanation waits = asked.explainJob("s1");
                assertThat(waits.headline())
                        .contains(
                                "all live nodes that have its command type and take its priority are on standby",
                                "(till a)")
                        .contains("by ann: ticket 7", "almanac nodes resume 'till a'");
                assertThat(waits.reasons().get(1).text()).contains("0 of 1 live nodes can claim it");
            }
        }
        Machine b = labelled("b");
        b.scheduler().pause(PauseScope.commandType("note"), Pause.because("audit"));
        world.pass(Duration.ofSeconds(2));
        assertThat(b.scheduler().explainJob("s1").headline())
                .contains("is paused")
                .doesNotContain("standby");
    }

    @Test
    @DisplayName("S20: a node that is draining takes no job: what only it could run is told as taken by no live node")
    void draining() {
        Machine a = labelled("a");
        world.work = call -> world.after(call.job().equals("s1") ? Duration.ofMinutes(50) : Duration.ZERO);
        schedule(a, 1, 2);
        world.pass(Duration.ofSeconds(2));
        a.scheduler().beginDrain(Duration.ofHours(1));
        try (Scheduler client = client(world.store)) {
            a.scheduler()
                    .scheduleJob(
                            job("next").singleSchedule(START.plusSeconds(5)).build());
            world.pass(Duration.ofSeconds(30));
            assertThat(reasonsOf("till a")).as("a short drain is told to none").isEmpty();
            world.pass(Duration.ofMinutes(1));
            assertThat(client.unserved()).singleElement().matches(UnservedJobs::isLong);
            assertThat(client.checkInvariants().findings())
                    .extracting(Finding::kind)
                    .containsExactly(Finding.Kind.UNSERVED);
            assertThat(client.explainJob("next").headline())
                    .contains("cannot be run by any of the 1 live nodes: none has the command type 'note'")
                    .contains("1 of them is draining, or has no command type");
            assertThat(reasonsOf("till a")).singleElement().asString().contains("it has been draining for");
            Machine b = labelled("b");
            world.pass(Duration.ofSeconds(40));
            assertThat(world.callsOf("next")).hasSize(1);
            assertThat(client.unserved()).isEmpty();
            assertThat(b.scheduler().health().state()).isEqualTo(Health.State.UP);
            world.pass(Duration.ofMinutes(50));
            assertThat(world.store.cluster().nodes(START))
                    .filteredOn(NodeReport::stopped)
                    .singleElement()
                    .satisfies(left -> assertThat(left.types()).containsExactly("note"));
        }
    }

    private List<String> reasonsOf(String label) {
        return world.store.cluster().nodes(START).stream()
                .filter(report -> report.label().equals(label))
                .flatMap(report -> report.reasons().stream())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"everything", "type", "node"})
    @DisplayName("O5: an idle node says within two reports that others have paused it, and that they have resumed it")
    void idleIsTold(String cause) {
        Machine a = labelled("a");
        Machine b = labelled("b");
        schedule(a, 3_600, 3_601);
        world.pass(Duration.ofSeconds(7));
        PauseScope scope = scope(cause);
        try (Scheduler client = client(world.store)) {
            client.pause(PauseScope.tag("vip"), Pause.because("of some jobs"));
            client.pause(PauseScope.node("till c"), Pause.because("of another node"));
            world.pass(Duration.ofSeconds(10));
            assertThat(a.scheduler().health().reasons()).isEmpty();
            client.as("ann", "ticket 7").pause(scope, Pause.because(""));
            world.pass(Duration.ofSeconds(10));
            assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
            assertThat(a.scheduler().health().reasons())
                    .singleElement()
                    .satisfies(reason -> assertThat(reason).contains("since", "ann", "ticket 7"));
            assertThat(b.scheduler().health().state())
                    .isEqualTo(cause.equals("node") ? Health.State.UP : Health.State.DEGRADED);
            client.resume(scope);
            world.pass(Duration.ofSeconds(10));
            assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
            assertThat(b.scheduler().health().state()).isEqualTo(Health.State.UP);
        }
    }

    private static PauseScope scope(String cause) {
        return switch (cause) {
            case "type" -> PauseScope.commandType("note");
            case "node" -> PauseScope.node("till a");
            default -> PauseScope.everything();
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"everything", "type", "node", "full"})
    @DisplayName(
            "X10: while a node may claim nothing it waits, and does not look again and again; then it claims in time")
    void waits(String cause) {
        int[] steps = {0};
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.label("till a").typeLimit("note", 1).lanes(counted(world.lanes.node(), steps)));
        world.work = call -> world.after(Duration.ofSeconds(cause.equals("full") ? 60 : 0));
        PauseScope scope = scope(cause);
        boolean full = cause.equals("full");
        if (!full) {
            a.scheduler().pause(scope, Pause.because("audit"));
        }
        schedule(a, 1, 3);
        world.pass(Duration.ofSeconds(5));
        steps[0] = 0;
        world.pass(Duration.ofSeconds(50));
        assertThat(steps[0]).as("a second has few").isLessThan(50 * MOST_STEPS_A_SECOND);
        assertThat(world.calls).hasSize(full ? 1 : 0);
        if (full) {
            world.pass(Duration.ofSeconds(7));
            assertThat(world.calls).hasSize(2);
        } else {
            a.scheduler().resume(scope);
            world.pass(Duration.ofSeconds(2));
            assertThat(world.calls).hasSize(2);
        }
    }

    /** Lanes whose planned steps are counted. */
    private static Lanes counted(Lanes lanes, int[] steps) {
        return StoreHook.over(
                Lanes.class,
                lanes,
                (method, arguments, call) -> method.equals("open")
                        ? StoreHook.over(Lane.class, (Lane) call.proceed(), (planned, step, plan) -> {
                            steps[0]++;
                            return plan.proceed();
                        })
                        : call.proceed());
    }
}
