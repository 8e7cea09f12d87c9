package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The store answers some kinds of calls and not others, as a server without a majority acknowledges no write. */
class PartialOutageTest {
    private static final Set<String> OF_JOBS = Set.of("claim", "renew", "write", "insert", "writeRows");
    private static final Set<String> OF_NODES = Set.of("report", "addMinute", "takeTurn");

    private final World world = new World(0, InMemoryJobStore::new);
    /** The calls that are applied and get no answer. */
    private final Set<String> silent = new TreeSet<>();

    private int calls;

    private Machine node(String name) {
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            Object answer = answer(method, call.proceed());
            return !method.equals("cluster")
                    ? answer
                    : StoreHook.over(
                            ClusterStore.class,
                            (ClusterStore) answer,
                            (asked, given, inner) -> answer(asked, inner.proceed()));
        });
        return world.node(name, store, Duration.ZERO, builder -> builder);
    }

    private Object answer(String method, Object answer) {
        if (silent.contains(method)) {
            calls++;
            throw new StoreException("waiting for replication timed out", new IllegalStateException());
        }
        return answer;
    }

    private Set<Health.State> states(Machine machine, Duration during) {
        Set<Health.State> states = new TreeSet<>();
        for (int i = 0; i < during.toMillis() / 200; i++) {
            world.pass(Duration.ofMillis(200));
            states.add(machine.scheduler().health().state());
        }
        return states;
    }

    private static List<String> outages(Machine machine) {
        return machine.events().stream()
                .filter(event -> event instanceof SchedulerEvent.StoreUnreachable
                        || event instanceof SchedulerEvent.StoreReachable)
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }

    private void everyMinute(Machine machine, int jobs) {
        for (int i = 0; i < jobs; i++) {
            machine.scheduler()
                    .scheduleJob(job("j" + i)
                            .schedulingSpecification(i + " * * * * ?")
                            .build());
        }
        world.pass(Duration.ofMinutes(2));
    }

    @Test
    @DisplayName("O4, O5: if no write is acknowledged, a node that can read is not UP: one outage, one pair of events")
    void nothingAcknowledged() {
        Machine a = node("a");
        everyMinute(a, 50);
        silent.addAll(OF_JOBS);
        silent.addAll(OF_NODES);
        int before = world.calls.size();
        world.pass(Duration.ofSeconds(10));
        assertThat(states(a, Duration.ofMinutes(10))).containsExactly(Health.State.DOWN);
        assertThat(world.calls).hasSize(before);
        assertThat(a.scheduler().health().reasons())
                .anyMatch(reason -> reason.startsWith("the store has not answered for ")
                        && reason.contains("claiming")
                        && reason.contains("reporting this node"));
        assertThat(outages(a)).containsExactly("StoreUnreachable");
        assertThat(calls).as("pauses grow").isLessThan(10 * 60 * 20);
        silent.clear();
        world.pass(Duration.ofSeconds(2));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
        world.pass(Duration.ofSeconds(40));
        assertThat(outages(a)).containsExactly("StoreUnreachable", "StoreReachable");
        assertThat(world.calls.size()).isGreaterThan(before);
    }

    @Test
    @DisplayName("O5: a node whose reports alone are not acknowledged runs jobs, and is DEGRADED")
    void reportsOnly() {
        Machine a = node("a");
        everyMinute(a, 5);
        silent.addAll(OF_NODES);
        world.pass(Duration.ofSeconds(10));
        int before = world.calls.size();
        assertThat(states(a, Duration.ofMinutes(5)))
                .contains(Health.State.DEGRADED)
                .doesNotContain(Health.State.UP);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        assertThat(a.scheduler().health().reasons())
                .singleElement()
                .asString()
                .endsWith(" ms while reporting this node");
        assertThat(world.calls).hasSize(before + 25);
        assertThat(outages(a)).containsExactly("StoreUnreachable");
    }

    @Test
    @DisplayName("O5: looks without an answer, while reports are acknowledged: the node is DOWN, and tells others why")
    void looksOnly() {
        Machine a = node("a");
        everyMinute(a, 20);
        silent.add("due");
        world.pass(Duration.ofSeconds(20));
        assertThat(states(a, Duration.ofMinutes(2))).containsExactly(Health.State.DOWN);
        assertThat(world.store.cluster().nodes(START))
                .singleElement()
                .satisfies(report -> assertThat(report.reasons())
                        .singleElement()
                        .asString()
                        .contains("the store has not answered for", "looking for due jobs"));
    }

    @Test
    @DisplayName("O5: claims without an answer, while reports are acknowledged, make a node DEGRADED, not DOWN")
    void claimsOnly() {
        Machine a = node("a");
        everyMinute(a, 20);
        silent.addAll(Set.of("claim", "renew"));
        world.pass(Duration.ofSeconds(10));
        assertThat(states(a, Duration.ofMinutes(5))).containsExactly(Health.State.DEGRADED);
        assertThat(outages(a))
                .as("an acknowledged report ends it once, for calls that have failed once")
                .isIn(List.of("StoreUnreachable"), List.of("StoreUnreachable", "StoreReachable", "StoreUnreachable"));
    }

    @Test
    @DisplayName("O5: one call that an idle node gets no answer to is told for two seconds at most")
    void once() {
        Machine a = node("a");
        world.pass(Duration.ofMinutes(1));
        for (String kind : List.of("due", "purge", "report", "addMinute", "claim")) {
            a.scheduler()
                    .scheduleJob(
                            job("of-" + kind).singleSchedule(world.time.wall()).build());
            silent.add(kind);
            calls = 0;
            for (int i = 0; i < 3_000 && calls == 0; i++) {
                world.pass(Duration.ofMillis(100));
            }
            silent.clear();
            assertThat(calls).as(kind).isPositive();
            world.pass(Duration.ofSeconds(2));
            assertThat(a.scheduler().health().reasons()).as(kind).isEmpty();
        }
    }

    @Test
    @DisplayName("O5: a claim whose job others run meanwhile is no outage for long")
    void claimsCease() {
        Machine a = node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(20)).build());
        world.pass(Duration.ofSeconds(19));
        silent.addAll(Set.of("claim", "renew"));
        assertThat(states(a, Duration.ofSeconds(2))).contains(Health.State.DEGRADED);
        a.scheduler().cancelJob("j");
        silent.clear();
        world.pass(Duration.ofSeconds(2));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
        assertThat(outages(a)).startsWith("StoreUnreachable").endsWith("StoreReachable");
    }

    @Test
    @DisplayName("O5, P2: a claim whose reply was lost, and that is confirmed, ends its outage")
    void confirmed() {
        Machine a = node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(20)).build());
        world.pass(Duration.ofMillis(19_700));
        silent.add("claim");
        world.pass(Duration.ofMillis(1_500));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
        assertThat(outages(a)).containsExactly("StoreUnreachable", "StoreReachable");
    }
}
