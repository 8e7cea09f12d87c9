package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that others store are found by looks; a node that watches the store is told when to look (section 6.3). */
class WatchTest {
    private static final Duration POLL = Duration.ofHours(1);
    private static final Duration BRIEF = Duration.ofMillis(400);
    /** One after the other, so that each is stored while nobody expects it. */
    private static final List<String> KEYS =
            IntStream.range(0, 20).mapToObj(i -> "j" + i).toList();

    private final World world = new World(0, InMemoryJobStore::new);
    private final Scheduler client = world.client(builder -> builder);

    private FaultyStore network;

    private Machine node(String name, boolean watches) {
        FaultyStore[] own = new FaultyStore[1];
        Machine[] machine = new Machine[1];
        own[0] = new FaultyStore(
                world.store,
                world.lanes.node().open("network", 1),
                duration -> machine[0].lanes().takeTime(duration));
        network = own[0];
        machine[0] = world.node(
                name,
                network,
                Duration.ZERO,
                builder -> builder.label(name)
                        .settings(SchedulerSettings.builder()
                                .pollInterval(POLL)
                                .watchForNewJobs(watches)
                                .build()));
        return machine[0];
    }

    private void storeNow(String key) {
        client.scheduleJob(job(key).now().build());
    }

    private void storeOneByOne() {
        for (String key : KEYS) {
            storeNow(key);
            world.pass(BRIEF);
        }
    }

    @Test
    @DisplayName(
            "6.3: a node that watches starts a job of now that another scheduler stores without waiting for its poll")
    void watched() {
        node("a", true);
        world.pass(Duration.ofSeconds(2));
        storeOneByOne();
        assertThat(world.calls).extracting(Call::job).containsExactlyElementsOf(KEYS);
        assertThat(world.calls)
                .allSatisfy(
                        call -> assertThat(call.started()).isBefore(call.fire().plusMillis(100)));
        assertThat(network.calls(StoreCall.DUE)).as("a look for each, and some").isLessThan(KEYS.size() + 10);
    }

    @Test
    @DisplayName("6.3: without the setting nothing is watched, and such a job is found by the poll")
    void notWatched() {
        node("a", false);
        world.pass(Duration.ofSeconds(2));
        storeOneByOne();
        assertThat(world.calls).isEmpty();
        world.pass(POLL);
        assertThat(world.calls).hasSize(KEYS.size());
        assertThat(network.calls(StoreCall.WATCH)).isZero();
    }

    @Test
    @DisplayName("6.3: a watching node is told of a job that a user of another scheduler moves to now")
    void moved() {
        node("a", true);
        client.scheduleJob(
                job("j").singleSchedule(World.START.plus(Duration.ofDays(1))).build());
        world.pass(Duration.ofSeconds(2));
        assertThat(world.calls).isEmpty();
        client.runNow("j");
        world.pass(BRIEF);
        assertThat(world.callsOf("j")).hasSize(1);
    }

    @Test
    @DisplayName("6.3: of several nodes that are told of a job one claims it, and each job runs once")
    void several() {
        List<FaultyStore> networks = Stream.of("a", "b", "c")
                .map(name -> {
                    node(name, true);
                    return network;
                })
                .toList();
        world.pass(Duration.ofSeconds(10));
        int before = claims(networks);
        storeOneByOne();
        assertThat(world.calls).extracting(Call::job).containsExactlyElementsOf(KEYS);
        assertThat(world.calls).extracting(Call::node).containsOnly("a", "b", "c");
        assertThat(claims(networks) - before).isEqualTo(KEYS.size());
    }

    private static int claims(List<FaultyStore> networks) {
        return networks.stream().mapToInt(one -> one.calls(StoreCall.CLAIM)).sum();
    }

    @Test
    @DisplayName("6.3, X10: a node on standby claims nothing by a hint; the others take what it leaves")
    void standby() {
        node("a", true);
        node("b", true);
        FaultyStore waiting = network;
        world.pass(Duration.ofSeconds(10));
        client.pause(PauseScope.node("b"), Pause.because("maintenance"));
        world.pass(Duration.ofSeconds(2));
        int before = waiting.calls(StoreCall.CLAIM);
        storeOneByOne();
        assertThat(world.calls).hasSize(KEYS.size()).extracting(Call::node).containsOnly("a");
        assertThat(waiting.calls(StoreCall.CLAIM)).isEqualTo(before);
    }

    @Test
    @DisplayName("6.3: a stream that is lost is opened again after a pause that grows; the node goes on by its poll")
    void lost() {
        Machine a = node("a", true);
        world.pass(Duration.ofSeconds(2));
        for (int next = 1; next <= 1_000; next++) {
            network.fail(StoreCall.WATCH, network.calls(StoreCall.WATCH) + next, Fault.LOSE_REQUEST);
        }
        int before = network.calls(StoreCall.WATCH);
        world.pass(Duration.ofMinutes(1));
        assertThat(network.calls(StoreCall.WATCH) - before).isBetween(5, 7);
        storeNow("j");
        world.pass(Duration.ofMinutes(10));
        assertThat(network.calls(StoreCall.WATCH) - before).isBetween(14, 18);
        assertThat(world.calls).isEmpty();
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        assertThat(a.scheduler().health().reasons())
                .anySatisfy(reason -> assertThat(reason).contains("watching for new jobs", "has failed"));
        world.pass(POLL);
        assertThat(world.callsOf("j")).hasSize(1);
        network.heal();
        world.pass(Duration.ofMinutes(2));
        storeNow("k");
        world.pass(BRIEF);
        assertThat(world.callsOf("k")).hasSize(1);
    }

    @Test
    @DisplayName("6.3: what is stored while the stream is lost is found as soon as it is open again")
    void reopened() {
        node("a", true);
        world.pass(Duration.ofSeconds(2));
        network.fail(StoreCall.WATCH, network.calls(StoreCall.WATCH) + 1, Fault.LOSE_REQUEST);
        world.pass(Duration.ofMillis(100));
        storeNow("j");
        world.pass(Duration.ofMillis(500));
        assertThat(world.calls).isEmpty();
        world.pass(Duration.ofSeconds(1));
        assertThat(world.callsOf("j")).hasSize(1);
    }

    @Test
    @DisplayName("X2: a reading of the stream that hangs holds nothing up")
    void hangs() {
        Machine a = node("a", true);
        world.pass(Duration.ofSeconds(2));
        network.fail(
                StoreCall.WATCH, network.calls(StoreCall.WATCH) + 1, Fault.slow(Duration.ZERO, Duration.ofHours(9)));
        world.pass(Duration.ofSeconds(1));
        int hung = network.calls(StoreCall.WATCH);
        storeNow("of others");
        Instant fire = world.time.wall().plusSeconds(3);
        a.scheduler().scheduleJob(job("own").singleSchedule(fire).build());
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("own"))
                .singleElement()
                .extracting(Call::started)
                .isEqualTo(fire);
        world.pass(POLL);
        assertThat(world.callsOf("of others")).hasSize(1);
        assertThat(network.calls(StoreCall.WATCH)).isEqualTo(hung);
        world.lanes.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("6.3: a node that is drained or closed watches no longer")
    void ended(boolean drained) throws InterruptedException {
        Machine a = node("a", true);
        world.pass(Duration.ofSeconds(2));
        int before = network.calls(StoreCall.WATCH);
        world.pass(Duration.ofSeconds(1));
        assertThat(network.calls(StoreCall.WATCH)).as("it watches").isGreaterThan(before);
        if (drained) {
            a.scheduler().drain(Duration.ZERO);
        } else {
            a.scheduler().close();
        }
        world.pass(Duration.ofMillis(100));
        int after = network.calls(StoreCall.WATCH);
        storeNow("j");
        world.pass(POLL);
        assertThat(network.calls(StoreCall.WATCH)).isEqualTo(after);
        assertThat(world.calls).isEmpty();
    }
}
