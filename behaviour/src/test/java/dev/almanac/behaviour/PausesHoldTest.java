package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.time.ManualLanes;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pause holds from one second after it was acknowledged, whatever is under way; and it ends in time (rule X10). */
class PausesHoldTest extends LifecycleFixture {
    private static final Pause AUDIT = new Pause("audit", "ops", null);

    private FaultyStore network;

    private Machine slowNode() {
        Machine[] machine = new Machine[1];
        network = new FaultyStore(
                world.store,
                world.lanes.node().open("network", 1),
                duration -> machine[0].lanes().takeTime(duration));
        machine[0] = world.node("a", network, Duration.ZERO, builder -> builder);
        return machine[0];
    }

    private void later(long millis) {
        slowJob("j", millis, null);
    }

    private void slowJob(String key, long millis, String group) {
        client().scheduleJob(job(key).tags("t")
                .exclusiveGroup(group)
                .singleSchedule(START.plusMillis(millis))
                .build());
    }

    /** @param millis within which it runs once it is resumed */
    private void pausedAndResumed(Machine node, String kind, long millis) {
        client().pause(PauseScope.parse(kind), AUDIT);
        pass(30_000);
        assertThat(world.calls).isEmpty();
        assertThat(document("j").lease()).as("it was given back").isNull();
        assertThat(node.scheduler().node().runs()).isZero();
        client().resume(PauseScope.parse(kind));
        pass(millis);
        assertThat(world.callsOf("j")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "type:note", "everything", "job:j"})
    @DisplayName("X10: a claim whose answer takes 3 s starts nothing that was paused meanwhile")
    void slowClaim(String kind) {
        Machine a = slowNode();
        later(4_000);
        network.fail(StoreCall.CLAIM, 1, Fault.slow(Duration.ZERO, Duration.ofSeconds(3)));
        pass(4_500);
        pausedAndResumed(a, kind, 1_500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "type:note", "everything", "job:j"})
    @DisplayName("X10: a recovery that takes 3 s to be recorded starts nothing that was paused meanwhile")
    void slowRecovery(String kind) {
        Machine dead = world.node("dead");
        world.work = call -> call.node().equals("dead") ? endless() : good();
        later(1_000);
        pass(2_000);
        kill(dead);
        Machine a = slowNode();
        network.fail(StoreCall.WRITE, 1, Fault.slow(Duration.ZERO, Duration.ofSeconds(3)));
        pass(22_000);
        assertThat(document("j").lease()).as("it is being recovered").isNotNull();
        world.calls.clear();
        pausedAndResumed(a, kind, 1_500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "everything", "job:j"})
    @DisplayName("X10: a claim that is confirmed late starts nothing that was paused meanwhile")
    void doubtfulClaim(String kind) {
        slowNode();
        later(4_000);
        network.fail(StoreCall.CLAIM, 1, Fault.LOSE_REPLY);
        for (int i = 1; i <= 4; i++) {
            network.fail(StoreCall.RENEW, i, Fault.LOSE_REQUEST);
        }
        pass(5_000);
        client().pause(PauseScope.parse(kind), AUDIT);
        pass(9_000);
        assertThat(document("j").lease()).as("it is not confirmed yet").isNotNull();
        pass(3_000);
        assertThat(document("j").lease()).as("it was confirmed and released").isNull();
        pass(48_000);
        assertThat(world.calls).isEmpty();
        client().resume(PauseScope.parse(kind));
        pass(1_500);
        assertThat(world.callsOf("j")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "type:note", "everything", "job:j"})
    @DisplayName("X10: a run that waits for a thread of the executor does not start if it was paused meanwhile")
    void queued(String kind) {
        Machine a = queueing();
        later(1_000);
        pass(2_000);
        assertThat(world.calls).as("it waits").isEmpty();
        pausedAndResumed(a, kind, 10_000);
    }

    @Test
    @DisplayName(
            "X10: a run that waits for a thread of the executor starts on it, although what is known is read again")
    void queuedUnpaused() {
        queueing();
        later(1_000);
        pass(10_000);
        assertThat(world.callsOf("j"))
                .singleElement()
                .extracting(World.Call::started)
                .isEqualTo(START.plusMillis(6_000));
    }

    /** Its executor lets each run wait for 5 s. */
    private Machine queueing() {
        ManualLanes.Node threads = world.lanes.node();
        return world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(run -> threads.open("pool", 1).after(Duration.ofSeconds(5), run)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "everything", "job:j"})
    @DisplayName("X10: retries that come fast do not slip through a pause")
    void retries(String kind) {
        Machine a = world.node("a");
        world.work = call -> bad();
        a.scheduler()
                .scheduleJob(job("j").tags("t")
                        .singleSchedule(START.plusMillis(1_000))
                        .retryPolicy(RetryPolicy.fixed(1_000, Duration.ofMillis(50)))
                        .build());
        pass(3_000);
        assertThat(world.calls).hasSizeGreaterThan(30);
        client().pause(PauseScope.parse(kind), AUDIT);
        pass(1_000);
        int before = world.calls.size();
        pass(30_000);
        assertThat(world.calls).hasSize(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "type:note", "everything", "job:j"})
    @DisplayName("X10: a pause ends at its moment")
    void until(String kind) {
        world.node("a");
        later(3_000);
        pass(1_000);
        client().pause(PauseScope.parse(kind), new Pause("until", "ops", START.plusMillis(10_300)));
        pass(30_000);
        assertThat(world.callsOf("j"))
                .singleElement()
                .satisfies(call ->
                        assertThat(call.started()).isBetween(START.plusMillis(10_300), START.plusMillis(10_400)));
    }

    @Test
    @DisplayName("X10 P9: a job of a group that was given back for a pause starts when the pause is over")
    void groupJobGivenBack() {
        Machine a = slowNode();
        slowJob("g1", 4_000, "ledger");
        slowJob("g2", 4_001, "ledger");
        network.fail(StoreCall.CLAIM, 1, Fault.slow(Duration.ZERO, Duration.ofSeconds(3)));
        pass(4_500);
        client().pause(PauseScope.tag("t"), AUDIT);
        pass(20_000);
        assertThat(world.calls).isEmpty();
        client().resume(PauseScope.tag("t"));
        Instant resumed = world.time.wall();
        pass(10_000);
        assertThat(world.calls)
                .extracting(Call::job)
                .as(a.events() + "\n" + document("g2"))
                .containsExactlyInAnyOrder("g1", "g2");
        assertThat(world.calls).allSatisfy(call -> assertThat(call.started()).isBefore(resumed.plusMillis(1_500)));
        assertThat(a.scheduler().node().runs()).isZero();
    }
}
