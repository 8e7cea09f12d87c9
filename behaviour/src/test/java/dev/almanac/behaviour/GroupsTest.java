package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Groups;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.FindScope;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Rate;
import dev.almanac.model.StaleGroupException;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.RateUse;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.time.ManualLanes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sizes and rates of exclusive groups (rules P9, X8). */
class GroupsTest extends OverStores {
    private Duration length = Duration.ofMillis(700);

    private static GroupLimits size(int size) {
        return new GroupLimits(size, null);
    }

    private void schedule(Scheduler scheduler, int jobs, Instant fire) {
        for (int i = 0; i < jobs; i++) {
            scheduler.scheduleJob(
                    job("g-" + i).exclusiveGroup("bank").singleSchedule(fire).build());
        }
    }

    private void work() {
        world.work = call -> world.after(length);
    }

    /** How many runs were under way at a moment. */
    private long running(Instant at) {
        return world.calls.stream()
                .filter(call -> !call.started().isAfter(at)
                        && call.started().plus(length).isAfter(at))
                .count();
    }

    private long most() {
        return world.calls.stream()
                .map(Call::started)
                .mapToLong(this::running)
                .max()
                .orElse(0);
    }

    @Test
    @DisplayName("P9: of a group of three, three jobs run at a time in the whole cluster, and not one more")
    void three() {
        Machine a = world.node("a");
        world.node("b");
        work();
        a.scheduler().groups().put("bank", size(3));
        schedule(a.scheduler(), 12, START.plusSeconds(2));
        world.pass(Duration.ofSeconds(9));
        assertThat(world.calls).hasSize(12);
        assertThat(most()).isEqualTo(3);
        assertThat(running(START.plusSeconds(2).plusMillis(600))).isEqualTo(3);
    }

    @Test
    @DisplayName("P9: a group that gets larger lets more in within a second; one that gets smaller drains")
    void edited() {
        length = Duration.ofSeconds(5);
        Machine a = world.node("a");
        Machine b = world.node("b");
        work();
        schedule(a.scheduler(), 12, START.plusSeconds(1));
        world.pass(Duration.ofSeconds(2));
        assertThat(running(START.plusSeconds(2))).as("without a document").isEqualTo(1);
        b.scheduler().groups().put("bank", size(4));
        world.pass(Duration.ofSeconds(1));
        assertThat(running(world.time.wall())).isEqualTo(4);
        b.scheduler().groups().put("bank", size(2));
        world.pass(Duration.ofSeconds(5));
        assertThat(running(world.time.wall())).isEqualTo(2);
        Instant drained = world.time.wall();
        world.pass(Duration.ofSeconds(25));
        assertThat(world.calls).hasSize(12);
        assertThat(world.calls)
                .filteredOn(call -> call.started().isAfter(drained))
                .allSatisfy(call -> assertThat(running(call.started())).isLessThanOrEqualTo(2));
    }

    @Test
    @DisplayName("P9: a group that is removed is a group of one again")
    void removed() {
        Machine a = world.node("a");
        work();
        Groups groups = a.scheduler().groups();
        groups.put("bank", size(3));
        assertThat(groups.remove("bank")).isTrue();
        assertThat(groups.remove("bank")).isFalse();
        assertThat(groups.list()).isEmpty();
        schedule(a.scheduler(), 4, START.plusSeconds(1));
        world.pass(Duration.ofSeconds(8));
        assertThat(world.calls).hasSize(4);
        assertThat(most()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({", bank", "shop, bank"})
    @DisplayName("X8: a job that a user puts into a group after its claim does not start beside a member of it")
    void movedIntoAGroup(String before, String after) {
        moved(before, after);
        assertThat(world.calls).extracting(Call::job).containsExactly("member");
        world.pass(Duration.ofSeconds(60));
        assertThat(world.calls).extracting(Call::job).containsExactly("member", "mover");
        assertThat(most()).isEqualTo(1);
    }

    @Test
    @DisplayName("X8: a job that a user takes out of its group after its claim starts beside the members of the group")
    void movedOutOfAGroup() {
        moved("bank", null);
        assertThat(world.calls).extracting(Call::job).containsExactly("mover");
        world.pass(Duration.ofSeconds(60));
        assertThat(world.calls).extracting(Call::job).containsExactly("mover", "member");
    }

    /** A job waits for a thread while a user changes its group; a member of the new group is due meanwhile. */
    private void moved(@Nullable String before, @Nullable String after) {
        length = Duration.ofSeconds(20);
        work();
        List<Runnable> queued = new ArrayList<>();
        boolean[] busy = {true};
        ManualLanes.Node threads = world.lanes.node();
        Executor executor = run -> {
            if (busy[0]) {
                queued.add(run);
            } else {
                threads.execute(run);
            }
        };
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(executor)
                        .settings(
                                SchedulerSettings.builder().maxConcurrentRuns(1).build()));
        JobSpecification mover = job("mover")
                .exclusiveGroup(before)
                .singleSchedule(START.plusSeconds(1))
                .build();
        a.scheduler().scheduleJob(mover);
        world.pass(Duration.ofSeconds(3));
        assertThat(queued).hasSize(1);
        a.scheduler().updateJob(mover.toBuilder().exclusiveGroup(after).build());
        world.node("b");
        a.scheduler()
                .scheduleJob(job("member")
                        .exclusiveGroup("bank")
                        .singleSchedule(START.plusSeconds(4))
                        .build());
        world.pass(Duration.ofSeconds(3));
        busy[0] = false;
        threads.execute(queued.get(0));
        world.pass(Duration.ofSeconds(2));
    }

    @Test
    @DisplayName("P9: within no period are more jobs of a group claimed than its rate")
    void rate() {
        length = Duration.ofMillis(10);
        Machine a = world.node("a");
        world.node("b");
        work();
        a.scheduler().groups().put("bank", new GroupLimits(50, Rate.parse("5/PT10S")));
        schedule(a.scheduler(), 13, START.plusSeconds(1));
        for (int i = 0; i < 3; i++) {
            a.scheduler()
                    .scheduleJob(job("free-" + i)
                            .singleSchedule(START.plusSeconds(2 + i))
                            .build());
        }
        world.pass(Duration.ofSeconds(25));
        List<Instant> starts = world.calls.stream()
                .filter(call -> call.job().startsWith("g-"))
                .map(Call::started)
                .sorted()
                .toList();
        assertThat(starts).as("all of them, without dawdling").hasSize(13);
        for (int i = 5; i < starts.size(); i++) {
            assertThat(Duration.between(starts.get(i - 5), starts.get(i)))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(10).minusMillis(250));
        }
        assertThat(world.callsOf("free-1"))
                .as("it delays nobody else")
                .singleElement()
                .satisfies(call -> assertThat(call.started()).isEqualTo(START.plusSeconds(3)));
    }

    @Test
    @DisplayName("P9: a count whose reply is lost is lost; the rate is never exceeded")
    void lostCount() {
        Machine[] machine = new Machine[1];
        FaultyStore network = new FaultyStore(
                world.store,
                world.lanes.node().open("network", 1),
                time -> machine[0].lanes().takeTime(time));
        network.fail(StoreCall.COUNT_CLAIMS, 1, Fault.LOSE_REPLY);
        machine[0] = world.node("a", network, Duration.ZERO, builder -> builder);
        length = Duration.ofMillis(10);
        work();
        machine[0].scheduler().groups().put("bank", new GroupLimits(5, Rate.parse("4/min")));
        schedule(machine[0].scheduler(), 6, START.plusSeconds(1));
        world.pass(Duration.ofSeconds(55));
        assertThat(world.calls).as("one of four is lost").hasSize(3);
        world.pass(Duration.ofSeconds(20));
        assertThat(world.calls).hasSize(6);
    }

    @Test
    @DisplayName(
            "P9: a rate whose count was set back, as by a person, goes on from there on a node that has counted more")
    void rateSetBack() {
        length = Duration.ofMillis(10);
        Machine a = world.node("a");
        work();
        a.scheduler().groups().put("bank", new GroupLimits(5, Rate.parse("2/min")));
        schedule(a.scheduler(), 2, START.plusSeconds(1));
        world.pass(Duration.ofSeconds(65));
        assertThat(world.calls).hasSize(2);
        StoredGroup group = world.store.cluster().control().groups().get("bank");
        assertThat(world.store.cluster().countClaims(group, RateUse.NONE)).isTrue();
        // the node reads it
        world.pass(Duration.ofSeconds(10));
        a.scheduler().scheduleJob(job("after").exclusiveGroup("bank").now().build());
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("after")).hasSize(1);
    }

    /** A second node; the first one was killed as it ran a job of the group. */
    private Machine besideKilledHolder(Machine a) {
        length = Duration.ofSeconds(1);
        world.work = call -> world.after(call.node().equals("a") ? Duration.ofHours(1) : length);
        a.scheduler()
                .scheduleJob(job("dies")
                        .exclusiveGroup("bank")
                        .singleSchedule(START.plusSeconds(1))
                        .build());
        world.pass(Duration.ofSeconds(3));
        Machine b = world.node("b");
        a.lanes().close();
        return b;
    }

    @Test
    @DisplayName("P9: the slot of a killed node is free when its lease is over; the other slots go on")
    void deadNode() {
        Machine a = world.node("a");
        a.scheduler().groups().put("bank", size(2));
        Machine b = besideKilledHolder(a);
        schedule(b.scheduler(), 20, START.plusSeconds(4));
        world.pass(Duration.ofSeconds(15));
        assertThat(world.calls.size()).as("one at a time beside the dead").isBetween(8, 16);
        assertThat(world.callsOf("dies")).hasSize(1);
        world.pass(Duration.ofSeconds(25));
        assertThat(world.callsOf("dies")).hasSize(2);
        assertThat(world.calls).hasSize(22);
    }

    @Test
    @DisplayName("P9, O5: a group goes on whose holder died after an edit by hand had taken its due time")
    void deadWithoutDueTime() {
        Machine b = besideKilledHolder(world.node("a"));
        StoredJob held = world.store.find("dies", FindScope.LIVE).orElseThrow();
        StoredJob edited = held.with(edit -> edit.due(null));
        assertThat(world.store.write(List.of(new JobChange(held, edited, List.of(), JobChange.By.REQUEST))))
                .containsExactly(true);
        schedule(b.scheduler(), 2, START.plusSeconds(4));
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).extracting(Call::job).containsExactlyInAnyOrder("dies", "g-0", "g-1");
        assertThat(most()).isEqualTo(1);
    }

    @Test
    @DisplayName("X8: a claim whose reply is slow starts nothing in a slot that is gone since")
    void slowClaim() {
        Machine[] machine = new Machine[1];
        FaultyStore network = new FaultyStore(
                world.store,
                world.lanes.node().open("network", 1),
                time -> machine[0].lanes().takeTime(time));
        Fault slow = Fault.slow(Duration.ZERO, Duration.ofSeconds(4));
        network.fail(StoreCall.CLAIM, 1, slow).fail(StoreCall.CLAIM, 2, slow);
        machine[0] = world.node("a", network, Duration.ZERO, builder -> builder);
        length = Duration.ofSeconds(30);
        work();
        Scheduler scheduler = machine[0].scheduler();
        scheduler.groups().put("bank", size(2));
        schedule(scheduler, 2, START.plusSeconds(1));
        world.later(
                Duration.ofSeconds(2),
                () -> world.store.cluster().putGroup(new StoredGroup("bank", 2, GroupLimits.ONE, START, "ops")));
        world.pass(Duration.ofSeconds(20));
        assertThat(most()).isEqualTo(1);
        world.pass(Duration.ofSeconds(30));
        assertThat(world.calls).hasSizeBetween(1, 2);
        assertThat(most()).isEqualTo(1);
    }

    @Test
    @DisplayName("X8, X10: a run whose slot is gone when the executor calls it is released, and runs in another slot")
    void slotGoneBeforeTheCall() {
        List<Runnable> queue = new ArrayList<>();
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.executor(queue::add));
        a.scheduler().groups().put("bank", size(3));
        schedule(a.scheduler(), 3, START.plusSeconds(2));
        world.pass(Duration.ofSeconds(3));
        assertThat(queue).hasSize(3);
        a.scheduler().groups().put("bank", size(1));
        world.pass(Duration.ofSeconds(2));
        callAll(queue);
        assertThat(world.calls).as("beyond the group nothing starts").hasSize(1);
        world.pass(Duration.ofSeconds(1));
        assertThat(a.events().stream()
                        .filter(event -> event instanceof SchedulerEvent.ClaimReleased released
                                && released.reason().contains("no slot of its group")))
                .hasSize(2);
        for (int i = 0; i < 5; i++) {
            assertThat(queue).hasSizeLessThanOrEqualTo(1);
            callAll(queue);
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(world.calls).hasSize(3);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    private static void callAll(List<Runnable> queue) {
        List<Runnable> now = List.copyOf(queue);
        queue.clear();
        now.forEach(Runnable::run);
    }

    @Test
    @DisplayName(
            "O2, P9: a job that waits explains for how many slots, or for which rate, though a page has one holder only, as large ones; it counts no claim meanwhile")
    void explained() {
        JobStore paged = StoreHook.over(
                world.store,
                (method, arguments, call) -> method.equals("list")
                                && arguments.length == 1
                                && arguments[0] instanceof JobQuery query
                                && query.runningGroup() != null
                        ? world.store.list(query.limit(1))
                        : call.proceed());
        Machine a = world.node("a", paged, Duration.ZERO, builder -> builder);
        length = Duration.ofSeconds(30);
        work();
        a.scheduler().groups().put("bank", new GroupLimits(2, Rate.parse("3/h")));
        schedule(a.scheduler(), 5, START.plusSeconds(1));
        world.pass(Duration.ofSeconds(3));
        Explanation full = explanation(a);
        assertThat(full.headline()).contains("waits for a slot of group 'bank': 2 of 2 are held");
        world.pass(Duration.ofSeconds(65));
        assertThat(world.calls).hasSize(3);
        Explanation used = explanation(a);
        assertThat(used.has(Kind.WAITING_FOR_RATE)).isTrue();
        assertThat(used.headline()).contains("the rate of group 'bank', 3/h, is used up until 2099-03-02T09:0");
        assertThat(a.scheduler().checkInvariants(Duration.ofHours(1)).findings())
                .isEmpty();
    }

    /** Of a job that has not run. */
    private Explanation explanation(Machine machine) {
        for (int i = 0; i < 5; i++) {
            if (world.callsOf("g-" + i).isEmpty()) {
                return machine.scheduler().explainJob("g-" + i);
            }
        }
        throw new AssertionError("all have run");
    }

    @Test
    @DisplayName("P9: an edit that names a version changes that version alone; equal limits change nothing")
    void versions() {
        Machine a = world.node("a");
        Groups groups = a.scheduler().as("ann", "ticket 7").groups();
        StoredGroup first = groups.put("bank", size(3), 0);
        assertThat(first.version()).isEqualTo(1);
        assertThat(first.author()).isEqualTo("ann (ticket 7)");
        assertThat(groups.put("bank", size(3))).isEqualTo(first);
        assertThatThrownBy(() -> groups.put("bank", size(4), 0))
                .isInstanceOf(StaleGroupException.class)
                .hasMessageContaining("expects none", "version 1");
        StoredGroup second = groups.put("bank", size(4), 1);
        assertThat(groups.get("bank")).contains(second);
        assertThat(groups.put("bank", size(4), 1))
                .as("a repeated edit, whose answer may have been lost")
                .isEqualTo(second);
        assertThatThrownBy(() -> groups.remove("bank", 1)).isInstanceOf(StaleGroupException.class);
        assertThat(groups.remove("bank", 2)).isTrue();
        assertThat(groups.put("bank", size(2), 0).version()).isEqualTo(4);
        assertThatThrownBy(() -> groups.put("a\tb", size(2))).isInstanceOf(IllegalArgumentException.class);
    }
}
