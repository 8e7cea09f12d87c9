package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.FindScope;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.JobChange;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that is too slow for a while gets a few commands more, not hundreds of them in place of each batch, so that
 * it becomes fast again; and a document that stalls is still found among many (rule X3). In virtual time.
 */
class SlowServerTest {
    private static final int JOBS = 400;
    /** What a call takes that gets no answer. */
    private static final Duration LIMIT = Duration.ofMillis(3_300);

    private final World world = new World(0, InMemoryJobStore::new);
    private final Map<String, List<Instant>> calls = new HashMap<>();
    private final Set<String> stalled = new HashSet<>();
    private Machine machine;
    private String slow = "";
    private Instant slowFrom = Instant.MAX;
    private Instant slowUntil = Instant.MIN;

    private void start() {
        machine = world.node(
                "a",
                StoreHook.over(world.store, (method, arguments, call) -> {
                    calls.computeIfAbsent(method, any -> new ArrayList<>()).add(world.time.wall());
                    if (isSlow(method) || concernsStalled(method, arguments)) {
                        machine.lanes().takeTime(LIMIT);
                        throw new StoreException("no answer in time", new IllegalStateException());
                    }
                    return call.proceed();
                }),
                Duration.ZERO,
                builder -> builder.settings(SchedulerSettings.builder()
                        .maxConcurrentRuns(JOBS)
                        .claimBatch(JOBS)
                        .completionBatch(JOBS)
                        .build()));
        for (int i = 0; i < JOBS; i++) {
            machine.scheduler()
                    .scheduleJob(
                            job("j" + i).singleSchedule(START.plusSeconds(1)).build());
        }
    }

    private boolean isSlow(String method) {
        Instant now = world.time.wall();
        return method.equals(slow) && !now.isBefore(slowFrom) && now.isBefore(slowUntil);
    }

    private boolean concernsStalled(String method, Object[] arguments) {
        return switch (method) {
            case "renew" -> ((Renewal) arguments[0]).tokens().keySet().stream().anyMatch(stalled::contains);
            case "claim" -> ((ClaimRequest) arguments[0]).ids().stream().anyMatch(stalled::contains);
            case "write" ->
                ((List<?>) arguments[0])
                        .stream()
                                .anyMatch(change -> stalled.contains(
                                        ((JobChange) change).before().id()));
            default -> false;
        };
    }

    private void slow(String method, double fromSecond, double toSecond) {
        slow = method;
        slowFrom = START.plusMillis((long) (fromSecond * 1_000));
        slowUntil = START.plusMillis((long) (toSecond * 1_000));
    }

    private void stall(String... keys) {
        Stream.of(keys)
                .map(key -> world.store.find(key, FindScope.LIVE).orElseThrow().id())
                .forEach(stalled::add);
    }

    private List<String> lost() {
        return machine.events().stream()
                .filter(SchedulerEvent.LeaseLost.class::isInstance)
                .map(event -> ((SchedulerEvent.LeaseLost) event).key())
                .distinct()
                .toList();
    }

    private long callsOf(String method, double fromSecond, double toSecond) {
        return calls.getOrDefault(method, List.of()).stream()
                .filter(at -> !at.isBefore(START.plusMillis((long) (fromSecond * 1_000)))
                        && at.isBefore(START.plusMillis((long) (toSecond * 1_000))))
                .count();
    }

    @Test
    @DisplayName(
            "X3: after renewals that got no answer, 400 leases are renewed by some twenty commands, and none is lost")
    void renewals() {
        world.work = call -> new CompletableFuture<>();
        slow("renew", 5, 10);
        start();
        world.pass(Duration.ofSeconds(40));
        assertThat(world.calls).hasSize(JOBS);
        assertThat(callsOf("renew", 5, 10)).as("it was slow").isPositive();
        assertThat(callsOf("renew", 5, 19)).isLessThan(50);
        assertThat(lost()).isEmpty();
        assertThat(callsOf("renew", 25, 40)).as("then they are one batch again").isLessThan(10);
    }

    @Test
    @DisplayName("X3: among 400 leases those of ten documents that stall are lost, and no other")
    void stalledRenewals() {
        world.work = call -> new CompletableFuture<>();
        start();
        world.pass(Duration.ofSeconds(3));
        String[] some =
                Stream.iterate(3, i -> i + 40).limit(10).map(i -> "j" + i).toArray(String[]::new);
        stall(some);
        world.pass(Duration.ofSeconds(40));
        assertThat(lost()).containsExactlyInAnyOrder(some);
    }

    @Test
    @DisplayName(
            "X3: after a write that got no answer, the ends of 400 runs are written by some twenty commands, each once")
    void writes() {
        CompletableFuture<Void> together = new CompletableFuture<>();
        world.work = call -> together;
        start();
        world.pass(Duration.ofSeconds(4));
        slow("write", 4, 6);
        together.complete(null);
        world.pass(Duration.ofSeconds(20));
        assertThat(callsOf("write", 4, 6)).as("it was slow").isPositive();
        assertThat(callsOf("write", 4, 24)).isLessThan(60);
        assertThat(machine.scheduler().node().runs()).isZero();
        assertThat(lost()).isEmpty();
        assertThat(World.outcomes(machine, "j7")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("X3: among the ends of 400 runs the one whose document stalls delays no other for long")
    void stalledWrite() {
        CompletableFuture<Void> together = new CompletableFuture<>();
        world.work = call -> together;
        start();
        world.pass(Duration.ofSeconds(4));
        stall("j7");
        together.complete(null);
        world.pass(Duration.ofSeconds(12));
        assertThat(machine.scheduler().node().runs()).isEqualTo(1);
        stalled.clear();
        world.pass(Duration.ofSeconds(12));
        assertThat(World.outcomes(machine, "j7")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("X3: after a claim that got no answer, 400 jobs are claimed by some twenty commands, few at a time")
    void claims(boolean stalls) {
        world.work = call -> world.after(Duration.ofSeconds(1));
        slow("claim", 0, 2);
        start();
        if (stalls) {
            stall("j7");
        }
        world.pass(Duration.ofSeconds(25));
        assertThat(callsOf("claim", 0, 2)).as("it was slow").isPositive();
        assertThat(callsOf("claim", 0, 25)).isLessThan(60);
        assertThat(world.calls).hasSize(stalls ? JOBS - 1 : JOBS);
    }
}
