package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A start that meets a store which does not answer: the node is started and goes on trying, or it is not started. */
class StartTest {
    private final World world = new World(0, InMemoryJobStore::new);
    private final Lane wire = world.lanes.node().open("network", 1);

    private FaultyStore network() {
        return new FaultyStore(world.store, wire);
    }

    private Machine node(JobStore view) {
        return world.node("a", view, Duration.ZERO, builder -> builder);
    }

    private Scheduler built(JobStore view) {
        return Scheduler.builder()
                .store(view)
                .time(world.time)
                .lanes(world.lanes.node())
                .command("note", 1, World.Note.class)
                .build();
    }

    private void stored() {
        built(world.store)
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
    }

    @Test
    @DisplayName("X2: a start that is refused, as the scheduler was started before, leaves no lanes behind")
    void startedTwice() {
        List<String> opened = new ArrayList<>();
        Lanes lanes = StoreHook.over(Lanes.class, world.lanes.node(), (method, arguments, call) -> {
            opened.add(method);
            return call.proceed();
        });
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(lanes));
        int before = opened.size();
        assertThatThrownBy(() -> a.scheduler().start()).hasMessageContaining("started once");
        assertThat(opened).hasSize(before);
    }

    private static long rehydrated(Machine node) {
        return node.events().stream()
                .filter(SchedulerEvent.Rehydrated.class::isInstance)
                .count();
    }

    @Test
    @DisplayName(
            "R12: a node whose store is gone when it is to rehydrate tries again, and claims nothing until it is done")
    void triesAgain() {
        stored();
        FaultyStore network = network();
        for (int i = 1; i <= 8; i++) {
            network.fail(StoreCall.LIST, i, Fault.LOSE_REQUEST);
        }
        Machine a = node(network);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DOWN);
        assertThat(a.scheduler().health().reasons()).first().asString().contains("not rehydrated");
        world.pass(Duration.ofSeconds(2));
        assertThat(network.calls(StoreCall.LIST)).as("with pauses").isBetween(3, 7);
        assertThat(network.calls(StoreCall.DUE) + network.calls(StoreCall.CLAIM))
                .isZero();
        assertThat(rehydrated(a)).isZero();
        world.pass(Duration.ofSeconds(20));
        int done = network.calls(StoreCall.LIST);
        world.pass(Duration.ofSeconds(20));
        assertThat(rehydrated(a)).isEqualTo(1);
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.scheduler().health().reasons()).isEmpty();
        assertThat(network.calls(StoreCall.LIST)).as("once done, it is done").isEqualTo(done);
    }

    @Test
    @DisplayName("R12, O5: a rehydration that fails for another reason is tried again too, and health reports it")
    void anotherFailure() {
        stored();
        AtomicInteger lists = new AtomicInteger();
        JobStore broken = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("list") && lists.incrementAndGet() == 1) {
                throw new IllegalStateException("no such cursor");
            }
            return call.proceed();
        });
        Machine a = node(broken);
        assertThat(a.scheduler().health().reasons())
                .hasSize(2)
                .anyMatch(reason -> reason.contains("not rehydrated"))
                .anyMatch(reason -> reason.startsWith("rehydrating has failed once"));
        world.pass(Duration.ofSeconds(5));
        assertThat(rehydrated(a)).isEqualTo(1);
        assertThat(world.callsOf("j")).hasSize(1);
    }

    @Test
    @DisplayName("R14: a node that is drained before it is rehydrated does not try again")
    void drained() {
        FaultyStore network = network().fail(StoreCall.LIST, 1, Fault.LOSE_REQUEST);
        Machine a = node(network);
        a.scheduler().beginDrain(Duration.ZERO);
        world.pass(Duration.ofSeconds(10));
        assertThat(network.calls(StoreCall.LIST)).isEqualTo(1);
        assertThat(rehydrated(a)).isZero();
        assertThat(a.scheduler().health().reasons()).noneMatch(reason -> reason.contains("rehydrating has failed"));
    }

    @Test
    @DisplayName("R12: a service that rehydrates by itself meanwhile has done it; it is not done twice")
    void byHand() {
        FaultyStore network = network().fail(StoreCall.LIST, 1, Fault.LOSE_REQUEST);
        Machine a = node(network);
        a.scheduler().rehydrate();
        int done = network.calls(StoreCall.LIST);
        world.pass(Duration.ofSeconds(10));
        assertThat(rehydrated(a)).isEqualTo(1);
        assertThat(network.calls(StoreCall.LIST)).isEqualTo(done);
    }

    @Test
    @DisplayName("R12: a start that cannot open the store throws and starts nothing; it may be called again")
    void notOpened() {
        FaultyStore network = network().fail(StoreCall.OPEN, 1, Fault.LOSE_REQUEST);
        Scheduler scheduler = built(network);
        assertThatThrownBy(scheduler::start).isInstanceOf(StoreException.class);
        world.pass(Duration.ofSeconds(60));
        assertThat(network.calls(StoreCall.REPORT)).as("no duty runs").isZero();
        assertThat(scheduler.health().reasons()).singleElement().asString().contains("not started");
        scheduler.start();
        assertThat(scheduler.health().state()).isEqualTo(Health.State.UP);
        assertThat(network.calls(StoreCall.REPORT)).isEqualTo(1);
    }

    @Test
    @DisplayName("R12, X2: a node whose first report fails unexpectedly is started all the same, and reports again")
    void firstReport() {
        stored();
        AtomicInteger reports = new AtomicInteger();
        JobStore broken = StoreHook.over(world.store, (method, arguments, call) -> {
            Object answer = call.proceed();
            return !method.equals("cluster")
                    ? answer
                    : StoreHook.over(ClusterStore.class, (ClusterStore) answer, (asked, given, report) -> {
                        if (asked.equals("report") && reports.incrementAndGet() == 1) {
                            throw new IllegalArgumentException("no such codec");
                        }
                        return report.proceed();
                    });
        });
        Machine a = node(broken);
        assertThat(a.scheduler().health().reasons())
                .singleElement()
                .asString()
                .startsWith("reporting this node has failed once");
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(reports).hasValueGreaterThan(2);
    }

    @Test
    @DisplayName(
            "R12, X1: a calendar that throws, an Error, too, for an overdue job keeps no node from claiming the others")
    void calendarThatThrows() {
        AtomicBoolean broken = new AtomicBoolean();
        HookedCalendar bank = new HookedCalendar(() -> {
            if (broken.get()) {
                throw new NoClassDefFoundError("com/bank/Holidays");
            }
        });
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("bank", bank));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .calendar("bank")
                        .build());
        a.scheduler()
                .scheduleJob(job("other").singleSchedule(START.plusSeconds(30)).build());
        a.lanes().close();
        world.pass(Duration.ofMinutes(5));
        broken.set(true);
        Machine b = world.node("b", world.store, Duration.ZERO, builder -> builder.calendar("bank", bank));
        world.pass(Duration.ofSeconds(5));
        assertThat(rehydrated(b)).isEqualTo(1);
        assertThat(world.calls).extracting(World.Call::job).containsExactly("other");
        assertThat(b.scheduler().health().state()).isNotEqualTo(Health.State.DOWN);
    }

    @Test
    @DisplayName("R12, X2: a rehydration that fails again and again is repeated after growing pauses")
    void growingPauses() {
        AtomicInteger lists = new AtomicInteger();
        JobStore broken = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("list") || method.equals("plannedByOthers")) {
                lists.incrementAndGet();
                throw new NoClassDefFoundError("gone");
            }
            return call.proceed();
        });
        Machine a = node(broken);
        world.pass(Duration.ofMinutes(10));
        assertThat(lists.get())
                .as("one for the zone rules, one for the summary, each time")
                .isBetween(15, 40);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DOWN);
    }
}
