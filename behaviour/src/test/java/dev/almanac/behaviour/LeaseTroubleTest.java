package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.Execution;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.Explanation;
import dev.almanac.model.FindScope;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Renewals and completions whose calls hang (rule X3), in virtual time. */
class LeaseTroubleTest {
    private static final Duration HANGS = Duration.ofSeconds(30);

    private final World world = new World(0, InMemoryJobStore::new);
    private final AtomicReference<Machine> machine = new AtomicReference<>();

    private Machine over(StoreHook hook) {
        JobStore store = StoreHook.over(world.store, hook);
        Machine made = world.node("a", store, Duration.ZERO, builder -> builder);
        machine.set(made);
        return made;
    }

    private void takeTime(Duration by) {
        machine.get().lanes().takeTime(by);
    }

    private static Object fails() {
        throw new StoreException("no answer", new IllegalStateException());
    }

    private static void schedule(Machine node, String key) {
        node.scheduler()
                .scheduleJob(job(key).singleSchedule(START.plusSeconds(1)).build());
    }

    @Test
    @DisplayName("X3: one renewal that hangs until far beyond the lease costs no lease: the second way renews")
    void hungRenewal() {
        AtomicInteger renewals = new AtomicInteger();
        Machine a = over((method, arguments, call) -> {
            if (method.equals("renew") && renewals.incrementAndGet() == 1) {
                takeTime(HANGS);
                return fails();
            }
            return call.proceed();
        });
        world.node("b");
        world.work = call -> world.after(Duration.ofMinutes(2));
        schedule(a, "j");
        schedule(a, "k");
        world.pass(Duration.ofMinutes(4));
        assertThat(renewals).hasValueGreaterThan(2);
        assertThat(a.events()).noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
        assertThat(world.calls).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    @DisplayName("P3: a node that stood still beyond its window renews nothing, whichever of its lanes wakes first")
    void stoodStill(long order) {
        World asleep = new World(order, InMemoryJobStore::new);
        AtomicInteger renewed = new AtomicInteger();
        Machine a =
                asleep.node("a", StoreHook.over(asleep.store, counting(renewed)), Duration.ZERO, builder -> builder);
        asleep.work = call -> asleep.after(Duration.ofMinutes(2));
        schedule(a, "j");
        asleep.pass(Duration.ofSeconds(3));
        a.lanes().freeze();
        asleep.pass(Duration.ofSeconds(24));
        a.lanes().thaw();
        asleep.pass(Duration.ofMillis(10));
        assertThat(renewed).hasValue(0);
        assertThat(a.events()).anyMatch(SchedulerEvent.LeaseLost.class::isInstance);
    }

    @ParameterizedTest
    @CsvSource({"claim, 700", "confirmation, 1200", "renewal, 7200"})
    @DisplayName(
            "P2 P3: a node that stands still between any two readings of its clock trusts no lease beyond the margin"
                    + " before its end")
    void stoodStillBetweenReadings(String what, long from) {
        for (int reading = 1; reading <= 60; reading++) {
            assertThat(trustBeyondLease(what.equals("confirmation"), from, reading))
                    .as("reading " + reading)
                    .isEmpty();
        }
    }

    /** @param from the moment from which readings of the clock are counted; the node stands still for 10 s before one of them */
    private static List<String> trustBeyondLease(boolean loseClaim, long from, int reading) {
        World place = new World(0, InMemoryJobStore::new);
        AtomicReference<Machine> stalls = new AtomicReference<>();
        int[] left = {0};
        boolean[] lose = {loseClaim};
        JobStore store = StoreHook.over(place.store, (method, arguments, call) -> {
            Object answer = call.proceed();
            boolean lost = lose[0] && method.equals("claim");
            lose[0] &= !lost;
            return lost ? fails() : answer;
        });
        TimeSource clock = place.time.view(Duration.ZERO);
        stalls.set(place.node(
                "a",
                store,
                Duration.ZERO,
                builder -> builder.time(new ReportingClock(clock, () -> {
                    if (left[0] > 0 && holdsNoLock() && --left[0] == 0) {
                        stalls.get().lanes().takeTime(Duration.ofSeconds(10));
                    }
                }))));
        place.work = call -> place.after(Duration.ofMinutes(2));
        List<Execution> runs = new ArrayList<>();
        place.begun = runs::add;
        schedule(stalls.get(), "j");
        place.pass(Duration.ofMillis(from));
        left[0] = reading;
        List<String> beyond = new ArrayList<>();
        for (int i = 0; i < 160; i++) {
            place.pass(Duration.ofMillis(250));
            int readings = left[0];
            left[0] = 0;
            for (Execution run : runs) {
                Duration trust = run.remainingLease();
                Lease lease =
                        place.store.find("j", FindScope.LIVE).orElseThrow().lease();
                // the end is stored in whole milliseconds
                Instant end = lease == null ? Instant.MIN : lease.until().minusMillis(1_999);
                if (beyond.isEmpty()
                        && !trust.isZero()
                        && place.time.wall().plus(trust).isAfter(end)) {
                    beyond.add(place.time.wall() + " trusts for " + trust + ", lease " + lease);
                }
            }
            left[0] = readings;
        }
        assertThat(runs).isNotEmpty();
        return beyond;
    }

    /** In virtual time only one step goes on, which must not wait for a lock of one that stands still. */
    private static boolean holdsNoLock() {
        long[] self = {Thread.currentThread().getId()};
        return ManagementFactory.getThreadMXBean()
                        .getThreadInfo(self, true, false)[0]
                        .getLockedMonitors()
                        .length
                == 0;
    }

    private static StoreHook counting(AtomicInteger renewals) {
        return (method, arguments, call) -> {
            renewals.addAndGet(method.equals("renew") ? 1 : 0);
            return call.proceed();
        };
    }

    /** A node whose lease of a job is lost in an outage, and on which the code of its run goes on. */
    private Machine outlived(CompletableFuture<Void> code, JobSpecificationBuilder job) {
        boolean[] outage = {false};
        Machine a = over((method, arguments, call) -> outage[0] ? fails() : call.proceed());
        world.work = call -> world.calls.size() > 1 ? CompletableFuture.completedFuture(null) : code;
        a.scheduler().scheduleJob(job.singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(3));
        outage[0] = true;
        world.pass(Duration.ofMinutes(1));
        assertThat(a.events()).anyMatch(SchedulerEvent.LeaseLost.class::isInstance);
        outage[0] = false;
        return a;
    }

    @ParameterizedTest
    @CsvSource({"j, 1, 1", "other, 1, 1", "other, 2, 2"})
    @DisplayName(
            "X8: what still runs in a process whose lease was lost in an outage is not run there a second time, nor is its group's slot used")
    void stillRunsHere(String awaited, int slots, int calls) {
        world.idleNode("user").scheduler().groups().put("g", new GroupLimits(slots, null));
        CompletableFuture<Void> code = World.deaf();
        Machine a = outlived(code, job("j").exclusiveGroup("g"));
        if (!awaited.equals("j")) {
            a.scheduler().cancelJob("j");
            world.pass(Duration.ofMinutes(1));
            a.scheduler()
                    .scheduleJob(job(awaited)
                            .exclusiveGroup("g")
                            .singleSchedule(world.time.wall())
                            .build());
        }
        world.pass(Duration.ofMinutes(3));
        assertThat(world.calls).hasSize(calls);
        if (awaited.equals("j")) {
            assertThat(a.scheduler().explainJob("j").headline())
                    .contains("the code of an earlier run of it goes on in this one, without a lease");
        }
        code.complete(null);
        world.pass(Duration.ofMinutes(3));
        assertThat(world.calls).hasSize(2);
        assertThat(outcomes(a, awaited)).last().isEqualTo("TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("X8: explain does not say that code keeps a job back whose claim was released by force")
    void releasedByForce() {
        Machine a = world.node("a");
        world.work = call -> World.deaf();
        schedule(a, "j");
        world.pass(Duration.ofSeconds(3));
        a.scheduler().pause(PauseScope.job("j"), Pause.because("the code hangs"));
        a.scheduler().apply(JobAction.release(), JobSelection.keys("j"), false);
        world.pass(Duration.ofSeconds(3));
        assertThat(world.store.find("j", FindScope.LIVE).orElseThrow().lease()).isNull();
        assertThat(a.scheduler().explainJob("j").has(Explanation.Kind.NOT_HERE)).isFalse();
    }

    @Test
    @DisplayName("R7: the crash of a run is recorded also where its code goes on, since that starts nothing of the job")
    void crashedWhereItRuns() {
        Machine a = outlived(
                World.deaf(),
                job("j").crashPolicy(CrashPolicy.FAIL)
                        .onFailure(JobSpecification.now("alarm", new World.Note("alarm"))));
        world.pass(Duration.ofMinutes(3));
        assertThat(outcomes(a, "j")).last().isEqualTo("FAILED/CRASHED");
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(world.callsOf("alarm")).hasSize(1);
    }

    @Test
    @DisplayName("R7, X8: a start that waits for other code of its group in this process is not marked as begun")
    void unmarked() {
        Machine a = outlived(World.deaf(), job("j").exclusiveGroup("g"));
        a.scheduler().cancelJob("j");
        world.pass(Duration.ofMinutes(1));
        a.scheduler()
                .scheduleJob(job("once")
                        .crashPolicy(CrashPolicy.FAIL)
                        .exclusiveGroup("g")
                        .singleSchedule(world.time.wall())
                        .build());
        world.pass(Duration.ofMinutes(3));
        assertThat(world.callsOf("once")).isEmpty();
        StoredJob waiting = world.store.find("once", FindScope.LIVE).orElseThrow();
        assertThat(waiting.sequences().claimSeq()).as("it was claimed").isPositive();
        assertThat(waiting.sequences().startedSeq()).isZero();
    }

    @ParameterizedTest(name = "a lease of {0}")
    @ValueSource(strings = {"PT20S", "PT8S", "PT6.001S"})
    @DisplayName("X3: a document that stalls the renewal of all is singled out: it alone is not renewed")
    void stalledDocument(Duration lease) {
        AtomicReference<String> stalled = new AtomicReference<>();
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("renew")
                    && ((Renewal) arguments[0]).tokens().containsKey(String.valueOf(stalled.get()))) {
                takeTime(Duration.ofSeconds(3));
                return fails();
            }
            return call.proceed();
        });
        Machine a = world.node(
                "a",
                store,
                Duration.ZERO,
                builder -> builder.settings(SchedulerSettings.builder()
                        .leaseLength(lease)
                        .maxConcurrentRuns(100)
                        .build()));
        machine.set(a);
        world.work = call -> world.after(Duration.ofMinutes(2));
        // more than are split into single ones at once
        for (int i = 0; i < 80; i++) {
            schedule(a, "j" + i);
        }
        world.pass(Duration.ofSeconds(3));
        stalled.set(world.store
                .find("j7", dev.almanac.model.FindScope.LIVE)
                .orElseThrow()
                .id());
        world.pass(Duration.ofMinutes(1));
        Set<String> lost = new HashSet<>();
        a.events().stream()
                .filter(SchedulerEvent.LeaseLost.class::isInstance)
                .map(SchedulerEvent.LeaseLost.class::cast)
                .forEach(event -> lost.add(event.key()));
        assertThat(lost).containsExactly("j7");
    }

    @Test
    @DisplayName("X3: a completion that hangs holds up no other completion and no renewal")
    void hungCompletions() {
        Set<String> hung = Set.of("h0", "h1", "h2", "h3");
        Machine a = over((method, arguments, call) -> {
            if (method.equals("write") && ofAny(hung, (List<?>) arguments[0])) {
                takeTime(Duration.ofHours(1));
                return fails();
            }
            return call.proceed();
        });
        for (String key : hung) {
            schedule(a, key);
            world.pass(Duration.ofMillis(300));
        }
        world.pass(Duration.ofSeconds(5));
        for (int i = 0; i < 5; i++) {
            a.scheduler()
                    .scheduleJob(job("fair" + i)
                            .singleSchedule(START.plusSeconds(20 + i))
                            .build());
        }
        world.pass(Duration.ofSeconds(40));
        for (int i = 0; i < 5; i++) {
            assertThat(outcomes(a, "fair" + i)).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        }
        world.lanes.close();
    }

    private static boolean ofAny(Set<String> keys, List<?> changes) {
        return changes.stream()
                .map(JobChange.class::cast)
                .anyMatch(change ->
                        keys.contains(change.before().key()) && change.before().lease() != null);
    }

    @Test
    @DisplayName("X3: a document that stalls its batch of completions stalls only itself, and ends once it is free")
    void stalledCompletion() {
        AtomicInteger refusals = new AtomicInteger();
        Machine a = over((method, arguments, call) -> {
            if (method.equals("write")
                    && ofAny(Set.of("stalled"), (List<?>) arguments[0])
                    && refusals.incrementAndGet() <= 3) {
                takeTime(Duration.ofSeconds(3));
                return fails();
            }
            return call.proceed();
        });
        CompletableFuture<Void> together = new CompletableFuture<>();
        world.work = call -> together;
        schedule(a, "stalled");
        for (int i = 0; i < 5; i++) {
            schedule(a, "fair" + i);
        }
        world.pass(Duration.ofSeconds(3));
        together.complete(null);
        world.pass(Duration.ofMillis(3_600));
        for (int i = 0; i < 5; i++) {
            assertThat(outcomes(a, "fair" + i)).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        }
        assertThat(outcomes(a, "stalled")).doesNotContain("SCHEDULED/ABANDONED");
        world.pass(Duration.ofSeconds(20));
        assertThat(outcomes(a, "stalled")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @ParameterizedTest(name = "no answer for {0}")
    @CsvSource({"PT4S, false", "PT30S, true"})
    @DisplayName(
            "N7: an end whose reply is lost is no lost lease, though another node has run the next fire, in the window")
    void lostReplyOfAnEnd(Duration silence, boolean lost) {
        AtomicInteger ends = new AtomicInteger();
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            Object answer = call.proceed();
            if (method.equals("write") && ofAny(Set.of("j"), (List<?>) arguments[0]) && ends.incrementAndGet() == 1) {
                takeTime(silence);
                return fails();
            }
            return answer;
        });
        Machine a = world.node(
                "a",
                store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(1).build()));
        machine.set(a);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("* * * * * ?").build());
        world.pass(Duration.ofMillis(1_500));
        assertThat(ends).hasValue(1);
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(40));
        assertThat(b.events().stream().filter(SchedulerEvent.RunRecorded.class::isInstance))
                .hasSizeGreaterThan(2);
        assertThat(a.events().stream().filter(SchedulerEvent.LeaseLost.class::isInstance))
                .hasSize(lost ? 1 : 0);
        assertThat(world.store.rows(RowQuery.ofKey("j", 100)).stream()
                        .filter(row -> row.outcome() == Outcome.ABANDONED))
                .isEmpty();
    }

    @Test
    @DisplayName("P3: a run that ends during a renewal step leaves the leases of the others renewed")
    void endsDuringRenewal() {
        CompletableFuture<Void> ends = new CompletableFuture<>();
        AtomicInteger renewals = new AtomicInteger();
        Machine a = over((method, arguments, call) -> {
            if (method.equals("renew") && renewals.incrementAndGet() == 1) {
                // the run ends, and is recorded, while the renewal is under way
                ends.complete(null);
                takeTime(Duration.ofMillis(500));
            }
            return call.proceed();
        });
        world.work = call -> call.job().equals("ends") ? ends : world.after(Duration.ofMinutes(1));
        schedule(a, "ends");
        schedule(a, "other");
        world.pass(Duration.ofMinutes(2));
        assertThat(outcomes(a, "ends")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(outcomes(a, "other")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.events()).noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
    }
}
