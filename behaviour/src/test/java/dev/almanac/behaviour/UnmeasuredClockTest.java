package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.CancelResult;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualClocks;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The server answers too slowly to tell its time: until it does, the wall clock decides nothing (rule X5). */
class UnmeasuredClockTest {
    private final World world = new World(0, InMemoryJobStore::new);
    private final ManualClocks clocks = new ManualClocks(world.time);
    private Instant slowUntil = Instant.MAX;

    /** The server's time takes 1.2 s to get, half there and half back; all else is quick. */
    private JobStore slow(Runnable half) {
        return StoreHook.over(world.store, (method, arguments, call) -> {
            if (!method.equals("serverTime") || !world.time.wall().isBefore(slowUntil)) {
                return call.proceed();
            }
            half.run();
            Object answer = call.proceed();
            half.run();
            return answer;
        });
    }

    /** Its wall clock is wrong from its start on. */
    private Machine node(Duration wrong) {
        Machine[] own = new Machine[1];
        Runnable half = () -> {
            if (own[0] == null) {
                world.time.advance(Duration.ofMillis(600));
            } else {
                own[0].lanes().takeTime(Duration.ofMillis(600));
            }
        };
        clocks.set(wrong);
        own[0] = world.node("slow", slow(half), Duration.ZERO, builder -> builder.time(clocks));
        return own[0];
    }

    private Scheduler client(JobStore store) {
        return world.client(builder -> builder.store(store).time(clocks));
    }

    private static JobSpecification in(Duration delay) {
        return job("j").singleSchedule(START.plus(delay)).build();
    }

    @Test
    @DisplayName("X5: a node that could not measure claims nothing and says so; it runs the job in time once it can")
    void notEarly() {
        client(world.store).scheduleJob(in(Duration.ofMinutes(5)));
        slowUntil = START.plusSeconds(60);
        Machine node = node(Duration.ofMinutes(10));
        world.pass(Duration.ofSeconds(30));
        assertThat(node.scheduler().health().state()).isEqualTo(Health.State.DOWN);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).isEmpty();
        assertThat(node.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        world.pass(Duration.ofMinutes(4));
        assertThat(world.callsOf("j"))
                .singleElement()
                .satisfies(call -> assertThat(call.started()).isEqualTo(START.plusSeconds(300)));
    }

    @Test
    @DisplayName("X5: its leases are not written by a wall clock that is behind, so that no other node takes them over")
    void notTwice() {
        client(world.store).scheduleJob(in(Duration.ZERO));
        world.pass(Duration.ofSeconds(90));
        world.work = call -> world.after(Duration.ofSeconds(10));
        node(Duration.ofMinutes(-1));
        world.pass(Duration.ofSeconds(2));
        Machine other = world.node("other");
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("j"))
                .singleElement()
                .satisfies(call -> assertThat(call.node()).isEqualTo("other"));
        assertThat(World.outcomes(other, "j")).doesNotContain("ABANDONED");
    }

    @Test
    @DisplayName(
            "X5, M4: a client that could not measure does not take a lease for over: it refuses, nothing is changed")
    void notCanceled() {
        world.node("n").scheduler().scheduleJob(in(Duration.ofSeconds(10)));
        clocks.set(Duration.ofMinutes(1));
        Scheduler client = client(slow(() -> world.time.advance(Duration.ofMillis(600))));
        world.pass(Duration.ofMillis(9_900));
        assertThatThrownBy(() -> client.cancelJob("j"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the server's time is not known");
        world.pass(Duration.ofSeconds(30));
        assertThat(world.callsOf("j")).hasSize(1);
        slowUntil = Instant.MIN;
        assertThat(client.cancelJob("j")).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    @DisplayName(
            "X5, O5: while a clock that was set cannot be compared with the server's, nothing runs, and health is DOWN")
    void standsStill() {
        slowUntil = Instant.MIN;
        Machine node = node(Duration.ZERO);
        node.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0/5 * * * * ?").build());
        world.pass(Duration.ofMinutes(1));
        int before = world.calls.size();
        slowUntil = Instant.MAX;
        clocks.set(Duration.ofMillis(200));
        world.pass(Duration.ofSeconds(20));
        assertThat(world.calls).hasSize(before);
        Health health = node.scheduler().health();
        assertThat(health.state()).isEqualTo(Health.State.DOWN);
        assertThat(health.reasons()).anyMatch(reason -> reason.contains("the server's time has not been measured"));
        slowUntil = Instant.MIN;
        world.pass(Duration.ofSeconds(20));
        assertThat(world.calls).hasSizeGreaterThan(before);
        assertThat(node.scheduler().health().state()).isEqualTo(Health.State.UP);
    }
}
