package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.Execution;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualClocks;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wall clocks are set, machines stand still: no fire comes early, late or twice for it, and no lease grows (rule X5). */
class ClockTest {
    private final World world = new World(0, InMemoryJobStore::new);
    private final ManualClocks clocks = new ManualClocks(world.time);

    private Machine machine(String name) {
        return machine(name, world.store);
    }

    private Machine machine(String name, JobStore store) {
        return world.node(name, store, Duration.ZERO, builder -> builder.time(clocks));
    }

    private StoredJob document(String key) {
        return world.store.find(key, FindScope.INCLUDING_FINISHED).orElseThrow();
    }

    private static JobSpecification at(String key, long millis) {
        return job(key).singleSchedule(START.plusMillis(millis)).build();
    }

    @ParameterizedTest
    @ValueSource(longs = {86_400, 3_600, -3_600})
    @DisplayName("X5: a wall clock that is set just before a renewal moves no lease; a successor waits no longer")
    void renewal(long seconds) {
        Machine a = machine("a");
        world.work = call -> new CompletableFuture<>();
        a.scheduler().scheduleJob(at("long", 1_000));
        world.pass(Duration.ofMillis(7_500));
        clocks.set(Duration.ofSeconds(seconds));
        world.pass(Duration.ofMillis(1_500));
        StoredJob held = document("long");
        Lease lease = held.lease();
        assertThat(lease).isNotNull();
        assertThat(lease.until())
                .isAfter(START.plusSeconds(26))
                .isBeforeOrEqualTo(world.time.wall().plusSeconds(20));
        assertThat(held.due()).isBeforeOrEqualTo(world.time.wall().plusSeconds(22));
        a.lanes().close();
        world.node("b");
        world.pass(Duration.ofSeconds(25));
        assertThat(world.callsOf("long")).extracting(Call::node).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(longs = {-3_600, 3_600})
    @DisplayName("X5: a wall clock that is set between claim and start moves no start")
    void start(long seconds) {
        Machine a = machine("a");
        a.scheduler().scheduleJob(at("soon", 12_000));
        world.pass(Duration.ofMillis(11_950));
        assertThat(document("soon").lease()).as("it is claimed").isNotNull();
        clocks.set(Duration.ofSeconds(seconds));
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("soon"))
                .as("the server may be asked first")
                .singleElement()
                .extracting(Call::started)
                .isIn(START.plusSeconds(12), START.plusMillis(12_020));
    }

    @Test
    @DisplayName("X5: no fire is missed for a wall clock that is set a day ahead, not even with a claim under way")
    void missed() {
        Machine a = machine("a");
        a.scheduler()
                .scheduleJob(job("often")
                        .schedulingSpecification("3/10 * * * * ?")
                        .missedFirePolicy(MissedFirePolicy.SKIP)
                        .build());
        world.pass(Duration.ofMillis(2_900));
        for (int i = 0; i < 60; i++) {
            clocks.set(Duration.ofDays(i % 2 == 0 ? 1 : -1));
            world.pass(Duration.ofMillis(977));
        }
        world.pass(Duration.ofMillis(81_000 - 2_900 - 60 * 977));
        assertThat(a.events()).noneMatch(SchedulerEvent.FiresMissed.class::isInstance);
        assertThat(world.callsOf("often"))
                .extracting(Call::fire)
                .startsWith(START.plusSeconds(3), START.plusSeconds(13), START.plusSeconds(23))
                .hasSize(8);
        assertThat(world.callsOf("often"))
                .as("the server may be asked first")
                .allSatisfy(call -> assertThat(call.started())
                        .isBetween(call.fire(), call.fire().plusMillis(20)));
    }

    @Test
    @DisplayName("X5: an execution timeout is measured by the monotonic clock")
    void timeout() {
        Machine a = machine("a");
        world.work = call -> new CompletableFuture<>();
        a.scheduler()
                .scheduleJob(job("slow")
                        .singleSchedule(START.plusSeconds(1))
                        .executionTimeout(Duration.ofSeconds(2))
                        .build());
        world.pass(Duration.ofSeconds(2));
        clocks.set(Duration.ofHours(-1));
        world.pass(Duration.ofMillis(1_500));
        assertThat(World.outcomes(a, "slow")).last().isEqualTo("FAILED/RETRIES_EXHAUSTED");
    }

    @Test
    @DisplayName("X5: a scheduler that is never started is not misled by a wall clock that is set")
    void client() {
        Scheduler client = world.client(builder -> builder.time(clocks));
        client.scheduleJob(at("first", 1_000));
        clocks.set(Duration.ofHours(1));
        world.node("b");
        client.scheduleJob(job("every").schedulingSpecification("0 * * * * ?").build());
        assertThat(document("every").plan().nextFireTime()).isEqualTo(START.plusSeconds(60));
        assertThat(document("every").lastStatus().updatedTime()).isEqualTo(START);
        world.pass(Duration.ofSeconds(61));
        assertThat(world.callsOf("every")).hasSize(1);
    }

    @Test
    @DisplayName("6.5: a scheduler that is never started measures again after a while")
    void clientMeasuresAgain() {
        Duration[] ahead = {Duration.ZERO};
        JobStore store = serverTime(() -> world.time.wall().plus(ahead[0]));
        Scheduler client = world.client(builder -> builder.store(store).time(clocks));
        client.scheduleJob(at("first", 1_000));
        ahead[0] = Duration.ofSeconds(7);
        world.pass(Duration.ofSeconds(61));
        client.scheduleJob(at("second", 100_000));
        assertThat(document("second").lastStatus().updatedTime()).isEqualTo(START.plusSeconds(68));
    }

    @Test
    @DisplayName("X5: a wall clock that is set while the server is asked for its time does no harm")
    void measuring() {
        int[] asked = {0};
        JobStore store = serverTime(() -> {
            clocks.set(asked[0]++ % 3 == 0 ? Duration.ofHours(1) : Duration.ZERO);
            return world.time.wall();
        });
        Machine a = machine("a", store);
        a.scheduler().scheduleJob(at("soon", 10_000));
        world.pass(Duration.ofMinutes(5));
        assertThat(world.callsOf("soon")).extracting(Call::started).containsExactly(START.plusSeconds(10));
        assertThat(document("soon").lastStatus().updatedTime()).isEqualTo(START.plusSeconds(10));
    }

    @Test
    @DisplayName("X5: a machine that stood still starts, renews and records nothing of what it held before")
    void standstill() {
        Machine a = machine("a");
        world.work = call ->
                call.node().equals("a") ? new CompletableFuture<>() : CompletableFuture.<Void>completedFuture(null);
        a.scheduler().scheduleJob(at("running", 1_000));
        a.scheduler().scheduleJob(at("claimed", 10_000));
        world.pass(Duration.ofMillis(9_900));
        assertThat(document("claimed").lease()).as("it is claimed").isNotNull();
        Machine b = world.node("b");
        a.lanes().freeze();
        world.pass(Duration.ofHours(1));
        clocks.stoodStill(Duration.ofHours(1));
        a.lanes().thaw();
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("claimed")).extracting(Call::node).containsExactly("b");
        assertThat(world.callsOf("running")).extracting(Call::node).containsExactly("a", "b");
        assertThat(a.scheduler().node().runs()).isZero();
        b.lanes().close();
        Instant now = world.time.wall();
        a.scheduler()
                .scheduleJob(job("after").singleSchedule(now.plusSeconds(30)).build());
        world.pass(Duration.ofSeconds(40));
        assertThat(world.callsOf("after")).extracting(Call::started).containsExactly(now.plusSeconds(30));
    }

    @ParameterizedTest(name = "{0} s, set by {1} s meanwhile")
    @CsvSource({"0, 0", "4, 0", "17, 0", "17, -9", "17, 3600", "30, 0", "30, -29", "30, -3600", "3600, 0"})
    @DisplayName("X5: what a helper learns about its lease allows for a standstill that is not measured yet")
    void standstillNotMeasured(long seconds, long set) {
        Execution run = runningOn(machine("a"));
        Duration left = run.remainingLease().minusSeconds(seconds);
        world.time.advance(Duration.ofSeconds(seconds));
        clocks.stoodStill(Duration.ofSeconds(seconds));
        clocks.set(Duration.ofSeconds(set));
        if (seconds > 0) {
            assertThat(run.remainingLease()).as("nothing is certain").isEqualTo(Duration.ZERO);
        }
        if (left.isNegative()) {
            assertThatThrownBy(run::assertOwned).isInstanceOf(LeaseLostException.class);
            clocks.set(Duration.ofSeconds(-seconds));
            assertThatThrownBy(run::assertOwned)
                    .as("a lease that was reported lost stays lost")
                    .isInstanceOf(LeaseLostException.class);
        } else {
            assertThatCode(run::assertOwned).doesNotThrowAnyException();
            assertThat(run.remainingLease()).as("it is measured now").isCloseTo(left, Duration.ofMillis(2));
        }
    }

    @ParameterizedTest(name = "{0} s")
    @ValueSource(longs = {-3_600, -4, 4, 3_600})
    @DisplayName("X5: setting the wall clock costs no lease, also if the helper asks before the next measurement")
    void setBesideRun(long seconds) {
        Machine a = machine("a");
        Execution run = runningOn(a);
        Duration before = run.remainingLease();
        clocks.set(Duration.ofSeconds(seconds));
        assertThat(run.remainingLease()).as("nothing is certain").isEqualTo(Duration.ZERO);
        assertThatCode(run::assertOwned).doesNotThrowAnyException();
        assertThat(run.remainingLease()).as("it is measured now").isEqualTo(before);
        world.pass(Duration.ofMinutes(1));
        assertThat(a.events()).noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
        assertThatCode(run::assertOwned).doesNotThrowAnyException();
        assertThat(run.remainingLease()).isGreaterThan(Duration.ofSeconds(8));
    }

    @ParameterizedTest(name = "{0} s")
    @ValueSource(longs = {-4, 4})
    @DisplayName("X5: a lease that cannot be confirmed, since the server does not answer, counts as lost")
    void notConfirmed(long seconds) {
        boolean[] down = {false};
        Machine a = machine("a", StoreHook.over(world.store, (method, arguments, call) -> {
            if (down[0]) {
                throw new StoreException("planned", new IllegalStateException());
            }
            return call.proceed();
        }));
        Execution run = runningOn(a);
        down[0] = true;
        assertThatCode(run::assertOwned).as("the clocks agree").doesNotThrowAnyException();
        clocks.set(Duration.ofSeconds(seconds));
        assertThatThrownBy(run::assertOwned).isInstanceOf(LeaseLostException.class);
        down[0] = false;
        assertThatThrownBy(run::assertOwned).as("it stays lost").isInstanceOf(LeaseLostException.class);
    }

    private Execution runningOn(Machine a) {
        Execution[] begun = new Execution[1];
        world.begun = run -> begun[0] = run;
        world.work = call -> new CompletableFuture<>();
        a.scheduler().scheduleJob(at("k", 1_000));
        world.pass(Duration.ofMillis(1_100));
        return begun[0];
    }

    @ParameterizedTest
    @CsvSource({"64, 0", "0, 64", "40, 24", "0, 0"})
    @DisplayName(
            "6.5: a start is early by the server's clock by half the round trip in which it was measured, a millisecond and the drift at most")
    void early(long there, long back) {
        Machine[] a = new Machine[1];
        FaultyStore network = new FaultyStore(world.store, world.lanes.node().open("network", 1), duration -> {
            if (a[0] == null) {
                world.time.advance(duration);
            } else {
                a[0].lanes().takeTime(duration);
            }
        });
        for (int i = 1; i <= 100; i++) {
            network.fail(StoreCall.SERVER_TIME, i, Fault.slow(Duration.ofMillis(there), Duration.ofMillis(back)));
        }
        clocks.set(Duration.ofMillis(300));
        a[0] = machine("a", network);
        for (int i = 0; i < 60; i++) {
            a[0].scheduler().scheduleJob(at("j" + i, 5_000 + 777 * i));
        }
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).hasSize(60);
        long bound = (there + back) / 2 + 1 + 6;
        for (Call call : world.calls) {
            assertThat(call.started())
                    .isBetween(call.fire().minusMillis(bound), call.fire().plusMillis(bound + 1));
        }
        if (there - back > 16) {
            assertThat(world.calls)
                    .as("the bound is not larger than it has to be")
                    .anyMatch(call -> call.started().isBefore(call.fire().minusMillis((there - back) / 2 - 2)));
        }
    }

    private JobStore serverTime(Supplier<Instant> server) {
        return StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("serverTime")) {
                return server.get();
            }
            return call.proceed();
        });
    }

    @Test
    @DisplayName(
            "X2, X5: a node that drains and had no thread to measure the server's time measures it later; its runs keep their leases")
    void noThread() {
        ScarceThreads threads = new ScarceThreads(world.lanes.node(), "renew");
        Machine a = world.node(
                "a", world.store, Duration.ZERO, builder -> builder.time(clocks).lanes(threads));
        world.work = call -> world.after(Duration.ofMinutes(1));
        a.scheduler().scheduleJob(at("long", 1_000));
        world.pass(Duration.ofSeconds(2));
        a.scheduler().beginDrain(Duration.ofMinutes(5));
        clocks.set(Duration.ofHours(1));
        threads.refuse(4);
        world.pass(Duration.ofSeconds(70));
        assertThat(a.events()).noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
        assertThat(World.outcomes(a, "long")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }
}
