package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.Lanes;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualClocks;
import dev.almanac.testkit.time.ManualLanes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls of the store hang, or throw what they never should: no lane dies, and no flag sticks (rules X2, X3). */
class HungCallsTest {
    private static final Duration HANGS = Duration.ofMinutes(10);

    private final World world = new World(0, InMemoryJobStore::new);
    private Machine machine;

    private static JobSpecification at(String key, long millis) {
        return job(key).singleSchedule(START.plusMillis(millis)).build();
    }

    /** Throws at calls of a method while {@code left} lasts. */
    private JobStore throwing(String name, Throwable thrown, int[] left) {
        StoreHook hook = (method, arguments, call) -> {
            if (method.equals(name) && left[0] > 0) {
                left[0]--;
                throw thrown;
            }
            return call.proceed();
        };
        ClusterStore cluster = StoreHook.over(ClusterStore.class, world.store.cluster(), hook);
        return StoreHook.over(
                JobStore.class,
                world.store,
                (method, arguments, call) -> method.equals("cluster") ? cluster : hook.on(method, arguments, call));
    }

    @ParameterizedTest
    @CsvSource({
        "due, exception", "due, error",
        "claim, exception", "claim, error",
        "control, exception", "control, error"
    })
    @DisplayName(
            "X2: after whatever a look, a claim or a reading of pauses has thrown, the node goes on, and reports it")
    void thrown(String method, String what) {
        int[] left = {0};
        Throwable thrown = what.equals("error") ? new AssertionError("boom") : new IllegalStateException("boom");
        JobStore store = throwing(method, thrown, left);
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder);
        a.scheduler().scheduleJob(at("before", 1_000));
        world.pass(Duration.ofMillis(2_500));
        left[0] = 3;
        a.scheduler().scheduleJob(at("during", 3_000));
        world.pass(Duration.ofSeconds(30));
        a.scheduler().scheduleJob(at("after", 35_000));
        world.pass(Duration.ofSeconds(10));
        assertThat(left[0]).as("it was thrown").isZero();
        assertThat(world.calls).extracting(Call::job).containsExactly("before", "during", "after");
        assertThat(world.callsOf("after"))
                .singleElement()
                .satisfies(call -> assertThat(call.started()).isEqualTo(START.plusSeconds(35)));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    private FaultyStore network() {
        FaultyStore store = new FaultyStore(
                world.store,
                world.lanes.node().open("network", 1),
                duration -> machine.lanes().takeTime(duration));
        machine = world.node(
                "a",
                store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().claimsInFlight(1).build()));
        return store;
    }

    @ParameterizedTest
    @CsvSource({"DUE", "CLAIM", "CONTROL"})
    @DisplayName(
            "X3: a look, a claim or a reading of pauses that hangs holds up other jobs for a sixth of the trust window")
    void hangs(StoreCall call) {
        FaultyStore network = network();
        machine.scheduler().scheduleJob(at("first", 1_000));
        world.pass(Duration.ofMillis(2_500));
        network.fail(call, network.calls(call) + 1, Fault.slow(Duration.ZERO, HANGS));
        machine.scheduler().scheduleJob(at("second", 3_000));
        world.pass(Duration.ofMillis(1_000));
        // another machine, of whose jobs the node learns by looking
        world.client(builder -> builder).scheduleJob(at("third", 9_500));
        world.pass(Duration.ofSeconds(8));
        assertThat(world.callsOf("third"))
                .singleElement()
                .satisfies(started -> assertThat(started.started()).isEqualTo(START.plusMillis(9_500)));
        world.pass(Duration.ofSeconds(30));
        assertThat(world.callsOf("second")).hasSize(1);
    }

    @Test
    @DisplayName("X3: a claim that never returns keeps its slots for no longer than a lease")
    void slotsOfHungClaims() {
        FaultyStore network = network();
        network.fail(StoreCall.CLAIM, 1, Fault.slow(HANGS, HANGS));
        for (int i = 0; i < 64; i++) {
            machine.scheduler().scheduleJob(at("first-" + i, 1_000));
        }
        world.pass(Duration.ofSeconds(25));
        assertThat(world.calls).hasSize(64);
    }

    @Test
    @DisplayName(
            "X3: a claim that waited long for a thread is not sent as it was decided; what is paused since stays alone")
    void lateClaims() {
        int[] claims = {0};
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            Object answer = call.proceed();
            if (method.equals("claim") && claims[0]++ < 6) {
                machine.lanes().takeTime(Duration.ofSeconds(5));
            }
            return answer;
        });
        machine = world.node(
                "a",
                store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().claimsInFlight(1).build()));
        // each of a group is claimed alone, and with one claim in flight six calls have a thread
        for (int i = 0; i < 8; i++) {
            machine.scheduler()
                    .scheduleJob(job("j" + i)
                            .exclusiveGroup("g" + i)
                            .tags("t" + i)
                            .priority(i)
                            .singleSchedule(START.plusSeconds(1))
                            .build());
        }
        world.pass(Duration.ofSeconds(2));
        assertThat(claims[0]).isEqualTo(6);
        world.client(builder -> builder).pause(PauseScope.tag("t7"), new Pause("meanwhile", "tests", null));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.calls)
                .extracting(Call::job)
                .containsExactlyInAnyOrder("j0", "j1", "j2", "j3", "j4", "j5", "j6");
        assertThat(claims[0]).isEqualTo(7);
        world.client(builder -> builder).resume(PauseScope.tag("t7"));
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("j7")).hasSize(1);
    }

    @Test
    @DisplayName("X3: a document that does not answer holds up those of the same claim once, and then only itself")
    void stuckDocument() {
        int[] claims = {0};
        String[] stuck = {""};
        JobStore store = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("claim") && ((ClaimRequest) arguments[0]).ids().contains(stuck[0])) {
                claims[0]++;
                machine.lanes().takeTime(Duration.ofSeconds(2));
                throw new StoreException("the limit was exceeded", new IllegalStateException());
            }
            return call.proceed();
        });
        machine = world.node("a", store, Duration.ZERO, builder -> builder);
        for (int i = 0; i < 20; i++) {
            machine.scheduler().scheduleJob(at("j" + i, 1_000));
        }
        stuck[0] = world.store.find("j7", FindScope.LIVE).orElseThrow().id();
        world.pass(Duration.ofSeconds(6));
        assertThat(world.calls).hasSize(19);
        machine.scheduler().scheduleJob(at("later", 8_000));
        world.pass(Duration.ofSeconds(54));
        assertThat(world.callsOf("later"))
                .singleElement()
                .satisfies(call -> assertThat(call.started()).isEqualTo(START.plusSeconds(8)));
        assertThat(claims[0]).as("tried again with growing pauses").isBetween(3, 8);
        stuck[0] = "";
        world.pass(Duration.ofSeconds(31));
        assertThat(world.callsOf("j7")).hasSize(1);
    }

    @Test
    @DisplayName("R9: claims whose outcome is unknown count towards the limit of their type until it is known")
    void doubtfulClaimsCount() {
        FaultyStore store = new FaultyStore(world.store, world.lanes.node().open("network", 1));
        store.fail(StoreCall.CLAIM, 1, Fault.LOSE_REPLY);
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder.typeLimit("note", 2));
        world.work = call -> new CompletableFuture<>();
        for (int i = 0; i < 6; i++) {
            a.scheduler().scheduleJob(at("j" + i, 1_000));
        }
        for (int i = 0; i < 300; i++) {
            world.pass(Duration.ofMillis(100));
            assertThat(a.scheduler().node().runs()).isLessThanOrEqualTo(2);
        }
        assertThat(world.calls).hasSize(2);
    }

    /** A node whose writes about the end of that job's run throw an exception of no known kind, so many times. */
    private List<Instant> throwingAtTheEnd(String key, int times) {
        List<Instant> thrown = new ArrayList<>();
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write") && thrown.size() < times && endsRun((List<?>) arguments[0], key)) {
                thrown.add(world.time.wall());
                throw new IllegalArgumentException("of the driver, and nobody knows why");
            }
            return call.proceed();
        });
        machine = world.node("a", store, Duration.ZERO, builder -> builder);
        CompletableFuture<Void> together = new CompletableFuture<>();
        world.work = call -> together;
        for (String any : List.of("fair0", key, "fair1")) {
            machine.scheduler().scheduleJob(at(any, 1_000));
        }
        world.pass(Duration.ofSeconds(3));
        together.complete(null);
        world.pass(Duration.ofMillis(500));
        for (String fair : List.of("fair0", "fair1")) {
            assertThat(World.outcomes(machine, fair))
                    .as("of the same batch")
                    .containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        }
        world.pass(Duration.ofSeconds(30));
        assertThat(machine.scheduler().node().runs()).isZero();
        assertThat(world.calls).hasSize(3);
        return thrown;
    }

    private static boolean endsRun(List<?> changes, String key) {
        return changes.stream()
                .map(JobChange.class::cast)
                .filter(change -> change.before().key().equals(key))
                .anyMatch(change -> change.rows().stream().anyMatch(row -> row.outcome() == Outcome.SUCCEEDED));
    }

    @Test
    @DisplayName("X2: the end of a run whose write throws what nobody expects is written again, after growing pauses")
    void unexpected() {
        List<Instant> thrown = throwingAtTheEnd("j", 5);
        assertThat(World.outcomes(machine, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(machine.events()).noneMatch(SchedulerEvent.JobBlocked.class::isInstance);
        assertThat(thrown).hasSize(5);
        for (int i = 2; i < thrown.size(); i++) {
            assertThat(Duration.between(thrown.get(i - 1), thrown.get(i)))
                    .isGreaterThan(Duration.between(thrown.get(i - 2), thrown.get(i - 1)));
        }
    }

    /** Throws at calls of {@code method} that the end of a run makes while {@code left} lasts. */
    private Object throwing(String failing, AtomicInteger left, String method, StoreHook.Call call) throws Throwable {
        if (method.equals(failing)
                && isCalledBy("dev.almanac.engine.kernel.HeldWrites")
                && left.getAndDecrement() > 0) {
            throw new IllegalArgumentException("of the driver, and nobody knows why");
        }
        return call.proceed();
    }

    private static boolean isCalledBy(String part) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith(part)));
    }

    private void assertAllRecorded(Machine a, AtomicInteger left, int runs) {
        assertThat(left).as("the calls were made, and have thrown").hasValueLessThanOrEqualTo(0);
        assertThat(world.calls).hasSize(runs);
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(a.scheduler().history("j"))
                .filteredOn(row -> row.outcome() == Outcome.SUCCEEDED)
                .hasSize(runs);
        assertThat(a.events()).noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
    }

    @Test
    @DisplayName("X2: the end of a run is recorded, whatever is thrown while the calendars are read for it")
    void unexpectedCalendars() {
        AtomicInteger left = new AtomicInteger(1);
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            Object answer = call.proceed();
            return method.equals("cluster")
                    ? StoreHook.over(ClusterStore.class, (ClusterStore) answer, (inner, values, part) -> {
                        if (inner.equals("control") && isCalledBy("dev.almanac.engine.kernel.LeaseDuty")) {
                            // else its reading is fresh at each end, which then reads nothing itself
                            throw new StoreException("no answer", new IllegalStateException("planned"));
                        }
                        return throwing("control", left, inner, part);
                    })
                    : answer;
        });
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder.calendarReader(MinuteCalendar::read));
        a.scheduler().calendars().put("c", MinuteCalendar.excluding("59"));
        world.work = call -> world.after(Duration.ofMillis(3_000 + 70 * world.calls.size()));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("5/10 * * * * ?")
                        .calendar("c")
                        .build());
        world.pass(Duration.ofSeconds(302));
        assertAllRecorded(a, left, 30);
    }

    @Test
    @DisplayName("X2: the end of a run is recorded, whatever is thrown while the server's time is read for it")
    void unexpectedTime() {
        AtomicInteger left = new AtomicInteger(3);
        ManualClocks clocks = new ManualClocks(world.time);
        JobStore store =
                StoreHook.over(world.store, (method, arguments, call) -> throwing("serverTime", left, method, call));
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder.time(clocks));
        world.work = call -> world.after(Duration.ofMillis(500)).thenRun(() -> clocks.set(Duration.ofSeconds(1)));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("5/10 * * * * ?").build());
        world.pass(Duration.ofMinutes(2));
        assertAllRecorded(a, left, 12);
    }

    @Test
    @DisplayName("X2: the end of a run is recorded though no thread can be created to write it at first")
    void noThread() {
        AtomicInteger left = new AtomicInteger(0);
        ManualLanes.Node own = world.lanes.node();
        Lanes scarce = StoreHook.over(
                Lanes.class,
                own,
                (method, arguments, call) -> method.equals("threads") && arguments[0].equals("complete")
                        ? scarce((Executor) call.proceed(), left)
                        : call.proceed());
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(scarce));
        a.scheduler().scheduleJob(at("j", 1_000));
        left.set(2);
        world.pass(Duration.ofSeconds(12));
        assertAllRecorded(a, left, 1);
    }

    private static Executor scarce(Executor threads, AtomicInteger left) {
        return step -> {
            if (left.getAndDecrement() > 0) {
                throw new InternalError("no thread can be created");
            }
            threads.execute(step);
        };
    }
}
