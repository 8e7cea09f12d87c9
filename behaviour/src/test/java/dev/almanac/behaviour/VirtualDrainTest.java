package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A drain or close of a node in virtual time waits as in a service, and advances the time. */
@Timeout(300)
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
    @DisplayName("R14 X1: drain returns by itself, however long the dependents of a stage take that it cancels")
    void slowDependents() throws InterruptedException {
        Machine a = world.node("a");
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        cancelled.whenComplete((nothing, error) -> a.lanes().takeTime(Duration.ofHours(1)));
        world.work = call -> cancelled;
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        a.scheduler().drain(Duration.ofSeconds(10));
        assertThat(cancelled).isCancelled();
        assertThat(world.time.wall()).isBetween(START.plusSeconds(12), START.plusSeconds(40));
    }

    @Test
    @DisplayName("R14: a drain releases at once, without an attempt, what waits in the executor; what runs goes on")
    void releasesQueued() {
        List<Runnable> queued = new ArrayList<>();
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.executor(queued::add));
        CompletableFuture<Void> stage = new CompletableFuture<>();
        world.work = call -> call.job().equals("runs") ? stage : CompletableFuture.completedFuture(null);
        a.scheduler()
                .scheduleJob(job("runs").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        queued.remove(0).run();
        a.scheduler()
                .scheduleJob(job("waits")
                        .singleSchedule(START.plusSeconds(3))
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        world.pass(Duration.ofSeconds(2));
        assertThat(queued).hasSize(1);
        Machine b = world.node("b");
        a.scheduler().beginDrain(Duration.ofMinutes(5));
        world.pass(Duration.ofSeconds(2));
        queued.remove(0).run();
        assertThat(world.callsOf("waits")).singleElement().satisfies(call -> {
            assertThat(call.node()).isEqualTo("b");
            assertThat(call.attempt()).isEqualTo(1);
        });
        assertThat(outcomes(b, "waits")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(stage).isNotDone();
        stage.complete(null);
        world.pass(Duration.ofSeconds(1));
        assertThat(world.callsOf("runs")).extracting(Call::node).containsExactly("a");
        assertThat(outcomes(b, "runs")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    /** Its type is supported by the helper of the test only. */
    record Asked(String text) implements SchedulingCommand {}

    private static SchedulingHelper counting(AtomicInteger asked) {
        return new SchedulingHelper() {
            @Override
            public boolean supports(SchedulingCommand command) {
                asked.incrementAndGet();
                return command instanceof Asked;
            }

            @Override
            public CompletionStage<Void> execute(String id, SchedulingCommand command) {
                throw new AssertionError("the run was released");
            }
        };
    }

    @Test
    @DisplayName("X4: a call of the executor that comes when the run was released asks no helper and begins nothing")
    void calledTooLate() throws InterruptedException {
        List<Runnable> queued = new ArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(queued::add)
                        .command("asked", 1, Asked.class)
                        .helper(counting(asked)));
        a.scheduler()
                .scheduleJob(job("k").triggerCommand(new Asked("k"))
                        .singleSchedule(START.plusSeconds(1))
                        .build());
        world.pass(Duration.ofSeconds(2));
        a.scheduler().drain(Duration.ofSeconds(1));
        assertThat(queued).hasSize(1);
        queued.get(0).run();
        assertThat(asked).hasValue(0);
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE");
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

    /** The store of a node whose writes of rows take a while, unless the thread that closes the node makes them. */
    private JobStore rowsTake(ManualLanes.Node own, Duration each, AtomicInteger byCaller) {
        Thread caller = Thread.currentThread();
        return StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("writeRows") && Thread.currentThread() == caller) {
                byCaller.incrementAndGet();
            } else if (method.equals("writeRows")) {
                own.takeTime(each);
            }
            return call.proceed();
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4})
    @DisplayName(
            "R14, N2: close of a node that was never started writes the rows of what it has stored, on a slow store too")
    void lastRows(long seconds) {
        ManualLanes.Node own = world.lanes.node();
        AtomicInteger byCaller = new AtomicInteger();
        Scheduler early = scheduler(own, rowsTake(own, Duration.ofSeconds(seconds), byCaller));
        early.scheduleJob(job("k").singleSchedule(START.plusSeconds(60)).build());
        early.close();
        assertThat(world.store.rows(RowQuery.ofKey("k", 2))).hasSize(1);
        assertThat(byCaller).as("writes without a bound").hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "R14, N2: a store that takes no rows holds up close for five seconds, once, and the next pass writes them")
    void lastRowsHang(boolean started) throws InterruptedException {
        ManualLanes.Node own = world.lanes.node();
        AtomicInteger byCaller = new AtomicInteger();
        Scheduler a = scheduler(own, rowsTake(own, Duration.ofDays(1), byCaller));
        if (started) {
            own.open("start", 1).run(a::start);
            world.pass(Duration.ofSeconds(3));
        }
        a.scheduleJob(job("k").singleSchedule(START.plus(Duration.ofHours(3))).build());
        Instant asked = world.time.wall();
        if (started) {
            a.drain(Duration.ofSeconds(1));
        }
        a.close();
        assertThat(world.time.wall()).isBetween(asked, asked.plusMillis(5_500));
        assertThat(byCaller).as("writes without a bound").hasValue(0);
        assertThat(world.store.rows(RowQuery.ofKey("k", 2))).isEmpty();
        Machine next = world.node("next");
        world.pass(Duration.ofHours(4));
        assertThat(outcomes(next, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        world.lanes.close();
    }

    /** A node of which the named call of the cluster does something else; its first report is left alone. */
    private Machine farewell(String name, Runnable instead) {
        AtomicInteger calls = new AtomicInteger();
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            Object answer = call.proceed();
            return !method.equals("cluster")
                    ? answer
                    : StoreHook.over(ClusterStore.class, (ClusterStore) answer, (asked, given, last) -> {
                        if (asked.equals(name) && (calls.incrementAndGet() > 1 || name.equals("addMinute"))) {
                            instead.run();
                        }
                        return last.proceed();
                    });
        });
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder);
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(3));
        return a;
    }

    @ParameterizedTest
    @ValueSource(strings = {"addMinute", "report"})
    @DisplayName("R14, X2: a drain ends, whatever its last calls of the store throw, and so does close")
    void farewellThrows(String name) throws InterruptedException {
        Machine a = farewell(name, () -> {
            throw new NoClassDefFoundError("boom");
        });
        a.scheduler().drain(Duration.ofSeconds(5));
        assertThat(world.time.wall()).isBefore(START.plusSeconds(4));
        world.pass(Duration.ofSeconds(1));
        assertThat(a.events())
                .filteredOn(SchedulerEvent.NodeStopped.class::isInstance)
                .hasSize(1);
        a.scheduler().close();
        assertThat(world.time.wall()).isBefore(START.plusSeconds(6));
    }

    @ParameterizedTest
    @ValueSource(strings = {"addMinute", "report"})
    @DisplayName("R14, X3: last calls that hang do not hold up the end of a drain for long")
    void farewellHangs(String name) throws InterruptedException {
        Machine[] a = new Machine[1];
        a[0] = farewell(name, () -> a[0].lanes().takeTime(Duration.ofDays(1)));
        a[0].scheduler().drain(Duration.ofSeconds(5));
        assertThat(world.time.wall()).isBefore(START.plusSeconds(13));
        world.lanes.close();
    }

    @Test
    @DisplayName("R14, X3: the counts of a minute whose storing hangs hold up no drain: its runs end at its timeout")
    void minuteHangs() throws InterruptedException {
        Machine[] a = new Machine[1];
        a[0] = farewell("addMinute", () -> a[0].lanes().takeTime(Duration.ofDays(1)));
        world.work = call -> new CompletableFuture<>();
        a[0].scheduler()
                .scheduleJob(job("long").singleSchedule(START.plusSeconds(10)).build());
        world.pass(Duration.ofMinutes(2));
        Instant asked = world.time.wall();
        a[0].scheduler().drain(Duration.ofSeconds(5));
        assertThat(world.time.wall()).isBetween(asked.plusSeconds(5), asked.plusSeconds(13));
        assertThat(world.store.rows(RowQuery.ofKey("long", 1)))
                .extracting(JobExecutionStatus::outcome)
                .containsExactly(Outcome.ABANDONED);
        world.lanes.close();
    }

    @Test
    @DisplayName("R14: a close during a drain ends that drain in order: runs are interrupted, recorded and released")
    void closedMeanwhile() {
        Machine a = world.node("a");
        world.work =
                call -> call.node().equals("a") ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        CompletableFuture<Void> drained = a.scheduler().beginDrain(Duration.ofMinutes(1));
        world.pass(Duration.ofSeconds(1));
        a.scheduler().close();
        assertThat(drained).isDone();
        assertThat(a.events())
                .filteredOn(SchedulerEvent.NodeStopped.class::isInstance)
                .hasSize(1);
        assertThat(world.time.wall()).isBefore(START.plusSeconds(5));
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(5));
        assertThat(outcomes(b, "k")).endsWith("SCHEDULED/ABANDONED", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("R14: a second drain with more time does not prolong the first one, and ends with it")
    void drainedTwice() {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        CompletableFuture<Void> first = a.scheduler().beginDrain(Duration.ofSeconds(10));
        CompletableFuture<Void> second = a.scheduler().beginDrain(Duration.ofHours(1));
        world.pass(Duration.ofSeconds(9));
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        world.pass(Duration.ofSeconds(2));
        assertThat(first).isDone();
        assertThat(second).isDone();
    }
}
