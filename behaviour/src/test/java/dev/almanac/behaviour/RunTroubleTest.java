package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds when executors queue, user code hangs, and clocks jump; in virtual time. */
class RunTroubleTest {
    private final World world = new World(0, InMemoryJobStore::new);
    private final AtomicReference<Machine> machine = new AtomicReference<>();

    private Machine node(String name) {
        Machine made = world.node(name);
        machine.set(made);
        return made;
    }

    private void takeTime(Duration by) {
        machine.get().lanes().takeTime(by);
    }

    private static void schedule(Machine node, String key) {
        node.scheduler()
                .scheduleJob(job(key).singleSchedule(START.plusSeconds(1)).build());
    }

    @Test
    @DisplayName("X4: a run that waits in the executor when its node is drained is released and never started here")
    void queuedAndDrained() {
        List<Runnable> queued = new ArrayList<>();
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.executor(queued::add));
        a.scheduler()
                .scheduleJob(job("once")
                        .singleSchedule(START.plusSeconds(1))
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        world.pass(Duration.ofSeconds(3));
        assertThat(queued).hasSize(1);
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(3));
        assertThat(a.scheduler().node().runs()).isZero();
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(5));
        queued.get(0).run();
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).extracting(Call::node).containsExactly("b");
        assertThat(outcomes(b, "once")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "X3: a job whose claims got no answer is claimed within a minute after that, also if the server's clock goes back")
    void leftAloneByAnotherClock() {
        boolean[] broken = {true};
        Duration[] back = {Duration.ZERO};
        JobStore view = StoreHook.over(world.store, (method, arguments, call) -> {
            if (broken[0] && method.equals("claim")) {
                throw new StoreException("no answer", new IllegalStateException());
            }
            return method.equals("serverTime") ? ((Instant) call.proceed()).minus(back[0]) : call.proceed();
        });
        Machine a = world.node("a", view, Duration.ZERO, builder -> builder);
        schedule(a, "j");
        world.pass(Duration.ofMinutes(40));
        back[0] = Duration.ofMinutes(30);
        world.pass(Duration.ofMinutes(2));
        broken[0] = false;
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("j")).hasSize(1);
    }

    @Test
    @DisplayName("X2: a run whose stage is completed by a thread on which only Errors come is recorded, and once")
    void endFails() {
        boolean[] broken = {false};
        TimeSource clock = world.time.view(Duration.ZERO);
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.time(new ReportingClock(clock, () -> {
                    if (broken[0]) {
                        throw new StackOverflowError();
                    }
                })));
        CompletableFuture<Void> stage = new CompletableFuture<>();
        world.work = call -> stage;
        schedule(a, "j");
        world.pass(Duration.ofSeconds(3));
        broken[0] = true;
        stage.complete(null);
        broken[0] = false;
        world.pass(Duration.ofSeconds(2));
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).hasSize(1);
        assertThat(a.events())
                .filteredOn(SchedulerEvent.RunEnded.class::isInstance)
                .hasSize(1);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    /** Completes the stage as deep in the stack as that is possible. */
    private static int completeDeep(CompletableFuture<Void> stage) {
        try {
            return completeDeep(stage) + 1;
        } catch (StackOverflowError e) {
            if (!stage.isDone()) {
                stage.complete(null);
            }
            return 0;
        }
    }

    static Stream<CompletableFuture<Void>> stages() {
        return Stream.of(new CompletableFuture<>(), new CompletableFuture<>() {});
    }

    @ParameterizedTest
    @MethodSource("stages")
    @DisplayName("X2: a stage that is completed where the stack is used up ends its run, and no other stage of the run")
    void completedWithoutStack(CompletableFuture<Void> stage) throws InterruptedException {
        Machine a = world.node("a");
        CompletableFuture<Void> more = new CompletableFuture<>();
        schedule(a, "first");
        world.pass(Duration.ofSeconds(3));
        assertThat(outcomes(a, "first")).as("all classes are loaded").hasSize(2);
        world.begun = execution -> execution.holdUntil(more);
        world.work = call -> stage;
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(4)).build());
        world.pass(Duration.ofSeconds(3));
        Thread thread = new Thread(() -> completeDeep(stage));
        thread.start();
        thread.join();
        assertThat(stage).isDone();
        world.pass(Duration.ofMinutes(1));
        assertThat(outcomes(a, "j")).as("a stage that it is held until is open").containsExactly("SCHEDULED/NONE");
        thread = new Thread(() -> completeDeep(more));
        thread.start();
        thread.join();
        assertThat(more).isDone();
        world.pass(Duration.ofSeconds(2));
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.events())
                .filteredOn(SchedulerEvent.RunEnded.class::isInstance)
                .hasSize(2);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName("X4: a run that waits in the executor when its lease is lost is never started under it")
    void queuedAndLost() {
        List<Runnable> queued = new ArrayList<>();
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.executor(queued::add));
        schedule(a, "j");
        world.pass(Duration.ofSeconds(3));
        a.lanes().freeze();
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(40));
        assertThat(world.calls).extracting(Call::node).containsExactly("b");
        a.lanes().thaw();
        queued.get(0).run();
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).hasSize(1);
        assertThat(outcomes(b, "j")).endsWith("TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("X1: what hangs on a stage that is cancelled takes its time; no other run loses its lease for it")
    void slowDependents() {
        Machine a = node("a");
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        cancelled.whenComplete((nothing, error) -> takeTime(Duration.ofSeconds(25)));
        world.work = call -> call.job().equals("cleans") ? cancelled : world.after(Duration.ofMinutes(3));
        schedule(a, "cleans");
        IntStream.range(0, 5).forEach(i -> schedule(a, "fair" + i));
        world.pass(Duration.ofSeconds(3));
        a.scheduler().cancelJob("cleans", CancelMode.INTERRUPT);
        world.pass(Duration.ofMinutes(5));
        assertThat(a.events()).noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
        IntStream.range(0, 5).forEach(i -> assertThat(world.callsOf("fair" + i)).hasSize(1));
    }

    @Test
    @DisplayName("X1: dependents of a stage that its timeout cancels hold up no other start and no other timeout")
    void slowDependentsOfTimeout() {
        Machine a = node("a");
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        cancelled.whenComplete((nothing, error) -> takeTime(Duration.ofSeconds(40)));
        world.work = call -> call.job().equals("slow") ? cancelled : CompletableFuture.completedFuture(null);
        a.scheduler()
                .scheduleJob(job("slow")
                        .singleSchedule(START.plusSeconds(1))
                        .executionTimeout(Duration.ofSeconds(2))
                        .build());
        Instant at = START.plusMillis(4_500);
        a.scheduler().scheduleJob(job("next").singleSchedule(at).build());
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("next"))
                .singleElement()
                .satisfies(call -> assertThat(call.started()).isEqualTo(at));
    }

    @Test
    @DisplayName("X1: dependents of a stage that is cancelled for its lost lease take no other lease with them")
    void slowDependentsOfLostLease() {
        Machine a = node("a");
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        cancelled.whenComplete((nothing, error) -> takeTime(Duration.ofSeconds(60)));
        world.work = call -> call.job().equals("taken") ? cancelled : world.after(Duration.ofMinutes(3));
        schedule(a, "taken");
        IntStream.range(0, 5).forEach(i -> schedule(a, "fair" + i));
        world.pass(Duration.ofSeconds(3));
        a.scheduler().apply(JobAction.release(), JobSelection.keys("taken"), false);
        world.pass(Duration.ofSeconds(20));
        assertThat(cancelled).isCancelled();
        world.pass(Duration.ofMinutes(5));
        assertThat(a.events())
                .filteredOn(SchedulerEvent.LeaseLost.class::isInstance)
                .hasSize(1);
        IntStream.range(0, 5).forEach(i -> assertThat(world.callsOf("fair" + i)).hasSize(1));
    }

    @Test
    @DisplayName("X1, R10: an executor that blocks on one run starts the others in time, and no lease is lost")
    void blockingExecutor() {
        AtomicReference<Machine> node = new AtomicReference<>();
        List<Runnable> first = new ArrayList<>();
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(run -> {
                    if (first.isEmpty()) {
                        first.add(run);
                        node.get().lanes().takeTime(Duration.ofSeconds(30));
                    }
                    node.get().lanes().execute(run);
                }));
        node.set(a);
        schedule(a, "blocks");
        world.pass(Duration.ofSeconds(2));
        Instant at = START.plusMillis(4_250);
        a.scheduler().scheduleJob(job("next").singleSchedule(at).build());
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("next"))
                .singleElement()
                .satisfies(call -> assertThat(call.started()).isEqualTo(at));
        assertThat(world.callsOf("blocks")).hasSize(1);
        assertThat(a.events()).noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
    }

    @Test
    @DisplayName("X1, O4: a listener that never returns costs no lease, no start and no row")
    void blockingListener() {
        AtomicReference<Machine> node = new AtomicReference<>();
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.listener(event -> {
                    if (event instanceof SchedulerEvent.LeasesRenewed || event instanceof SchedulerEvent.BatchClaimed) {
                        node.get().lanes().takeTime(Duration.ofDays(1));
                    }
                }));
        node.set(a);
        world.work = call -> world.after(Duration.ofSeconds(40));
        schedule(a, "j");
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(20)).build());
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(2);
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        world.lanes.close();
    }

    @Test
    @DisplayName(
            "R8, R5: a command that no helper here supports is released without an attempt, and another node runs it")
    void unsupported() {
        Machine desk = world.node("desk");
        for (int i = 0; i < 10; i++) {
            schedule(desk, "j" + i);
        }
        desk.lanes().close();
        Machine a = bare("a");
        world.pass(Duration.ofSeconds(20));
        assertThat(outcomes(desk, "j0")).as("nothing fails for want of code").containsExactly("SCHEDULED/NONE");
        long back = a.events().stream()
                .filter(SchedulerEvent.ClaimReleased.class::isInstance)
                .count();
        assertThat(back).as("each is backed off from").isBetween(10L, 20L);
        world.node("b");
        world.pass(Duration.ofSeconds(40));
        assertThat(world.calls).hasSize(10).extracting(Call::attempt).containsOnly(1);
    }

    /** A node that knows the type, and has no helper for it. */
    private Machine bare(String name) {
        List<SchedulerEvent> events = new ArrayList<>();
        var own = world.lanes.node();
        SchedulingHelper other = new SchedulingHelper() {
            @Override
            public boolean supports(SchedulingCommand command) {
                return false;
            }

            @Override
            public CompletionStage<Void> execute(String id, SchedulingCommand command) {
                throw new AssertionError("it does not support this");
            }
        };
        var scheduler = dev.almanac.Scheduler.builder()
                .store(world.store)
                .time(world.time)
                .zone(ZoneOffset.UTC)
                .lanes(own)
                .executor(own::execute)
                .command("note", 1, World.Note.class)
                .helper(other)
                .listener(events::add)
                .build()
                .start();
        return new Machine(name, scheduler, own, events);
    }

    @Test
    @DisplayName("a run that a user interrupts ends as CANCELED/INTERRUPTED if it fails, not as FAILED")
    void interrupted() {
        Machine a = node("a");
        world.work = call -> new CompletableFuture<>();
        schedule(a, "j");
        world.pass(Duration.ofSeconds(3));
        a.scheduler().cancelJob("j", CancelMode.INTERRUPT);
        world.pass(Duration.ofSeconds(10));
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "SCHEDULED/NONE", "CANCELED/INTERRUPTED");
        assertThat(a.scheduler().findJobById("j")).isEmpty();
    }

    @Test
    @DisplayName("a run that a user interrupts and that ends well all the same is SUCCEEDED")
    void interruptedAndGood() {
        Machine a = node("a");
        CompletableFuture<Void> deaf = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean interrupt) {
                return false;
            }
        };
        world.work = call -> deaf;
        schedule(a, "j");
        world.pass(Duration.ofSeconds(3));
        a.scheduler().cancelJob("j", CancelMode.INTERRUPT);
        world.later(Duration.ofSeconds(12), () -> deaf.complete(null));
        world.pass(Duration.ofSeconds(20));
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("an interrupt whose cancel was taken back meanwhile is like a shutdown: it runs again, no attempt")
    void interruptTakenBack() {
        Machine a = node("a");
        CompletableFuture<Void> deaf = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean interrupt) {
                return false;
            }
        };
        world.work = call -> world.calls.size() == 1 ? deaf : CompletableFuture.completedFuture(null);
        var spec = job("j").schedulingSpecification("0 0/10 * * * ?").build();
        a.scheduler().scheduleJob(spec);
        world.pass(Duration.ofSeconds(602));
        a.scheduler().cancelJob("j", CancelMode.INTERRUPT);
        world.pass(Duration.ofSeconds(8));
        a.scheduler().scheduleJob(spec);
        deaf.completeExceptionally(new IllegalStateException("interrupted"));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.calls).hasSize(2).extracting(Call::attempt).containsOnly(1);
        assertThat(outcomes(a, "j")).containsSubsequence("SCHEDULED/ABANDONED", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "R7: a stage that fails with LeaseLostException is lost, not failed, whatever a renewal says meanwhile")
    void lostIsNotFailed() {
        Machine a = node("a");
        world.work = call -> world.calls.size() == 1
                ? CompletableFuture.failedFuture(new LeaseLostException("j"))
                : CompletableFuture.completedFuture(null);
        schedule(a, "j");
        world.pass(Duration.ofMinutes(1));
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "SCHEDULED/ABANDONED", "TRIGGERED/SUCCEEDED");
        assertThat(world.calls).extracting(Call::attempt).containsOnly(1);
        assertThat(a.events()).anyMatch(SchedulerEvent.LeaseLost.class::isInstance);
    }

    /** A machine's clock that somebody sets. */
    private static final class SetClock implements TimeSource {
        private final ManualTime time;
        private Duration step = Duration.ZERO;

        SetClock(ManualTime time) {
            this.time = time;
        }

        @Override
        public Instant wall() {
            return time.wall().plus(step);
        }

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public ZoneId zone() {
            return ZoneOffset.UTC;
        }
    }

    @Test
    @DisplayName(
            "X5: executionTimeout is measured by the monotonic clock: a wall clock that is set moves it by nothing")
    void timeoutBySetClock() {
        SetClock clock = new SetClock(world.time);
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.time(clock));
        List<Instant> ends = new ArrayList<>();
        world.work = call -> {
            CompletableFuture<Void> run = new CompletableFuture<>();
            run.whenComplete((nothing, error) -> ends.add(world.time.wall()));
            return run;
        };
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(5))
                        .executionTimeout(Duration.ofSeconds(2))
                        .build());
        world.later(Duration.ofMillis(5_500), () -> clock.step = Duration.ofSeconds(-30));
        world.pass(Duration.ofSeconds(20));
        assertThat(ends).containsExactly(START.plusSeconds(7));
    }

    @Test
    @DisplayName("X5, R3: the late verdict is measured by the monotonic clock from the claim on")
    void lateBySetClock() {
        SetClock clock = new SetClock(world.time);
        List<Runnable> queued = new ArrayList<>();
        Machine a = world.node(
                "a", world.store, Duration.ZERO, builder -> builder.time(clock).executor(queued::add));
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(5))
                        .lateExecutionThreshold(Duration.ofSeconds(60))
                        .build());
        world.pass(Duration.ofSeconds(6));
        clock.step = Duration.ofHours(1);
        queued.get(0).run();
        assertThat(world.callsOf("j"))
                .as("the machine may have stood still: the server is asked first")
                .isEmpty();
        world.pass(Duration.ofSeconds(3));
        queued.get(queued.size() - 1).run();
        assertThat(world.callsOf("j"))
                .singleElement()
                .satisfies(call -> assertThat(call.over()).isZero());
    }

    @Test
    @DisplayName("X5: a wall clock that is set back between claim and start delays no start")
    void startBySetClock() {
        SetClock clock = new SetClock(world.time);
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.time(clock));
        Instant at = START.plusMillis(5_000);
        a.scheduler().scheduleJob(job("j").singleSchedule(at).build());
        world.later(Duration.ofMillis(4_990), () -> clock.step = Duration.ofHours(-1));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.calls).extracting(Call::started).containsExactly(at);
    }

    @Test
    @DisplayName("X2, R12: an Error in the rehydration of a start is like any failure: it is done again")
    void errorInRehydration() {
        AtomicReference<String> once = new AtomicReference<>("once");
        Machine a = world.node(
                "a",
                StoreHook.over(world.store, (method, arguments, call) -> {
                    if (method.equals("list") && once.getAndSet(null) != null) {
                        throw new NoClassDefFoundError("gone");
                    }
                    return call.proceed();
                }),
                Duration.ZERO,
                builder -> builder);
        schedule(a, "j");
        world.pass(Duration.ofSeconds(10));
        assertThat(once.get()).isNull();
        assertThat(world.calls).hasSize(1);
    }
}
