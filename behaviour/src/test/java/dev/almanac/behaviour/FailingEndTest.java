package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.Execution;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FindScope;
import dev.almanac.model.Outcome;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.Lane;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes while the end of a run cannot be written, or cannot be decided. */
class FailingEndTest {
    private final World world = new World(0, InMemoryJobStore::new);
    private boolean broken;

    /** A node whose writes get no answer while it is broken. */
    private Machine failing() {
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            if (broken && method.equals("write")) {
                throw new StoreException("no answer", new IllegalStateException("planned"));
            }
            return call.proceed();
        });
        return world.node("a", store, Duration.ZERO, builder -> builder);
    }

    @Test
    @DisplayName(
            "N7: a reading that is older than what was acknowledged, as after an election, is made again; the end is recorded once")
    void olderReading() {
        List<StoredJob> before = new ArrayList<>();
        List<Boolean> stale = new ArrayList<>();
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            if (broken && method.equals("write")) {
                call.proceed();
                broken = false;
                stale.add(true);
                throw new StoreException("the reply is lost", new IllegalStateException("planned"));
            }
            if (method.equals("load") && stale.size() == 1) {
                stale.add(false);
                return before;
            }
            return call.proceed();
        });
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder);
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        before.add(world.store.find("k", FindScope.LIVE).orElseThrow());
        broken = true;
        world.pass(Duration.ofMinutes(2));
        assertThat(stale).as("the older document was read").containsExactly(true, false);
        assertThat(world.calls).hasSize(1);
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.events()).noneMatch(event -> event instanceof SchedulerEvent.LeaseLost);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "N7: a reading before a start that is older than the claim loses no lease: it is made again, and the run starts")
    void olderReadingBeforeTheStart(boolean absent) {
        List<StoredJob> before = new ArrayList<>();
        List<Boolean> older = new ArrayList<>();
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("load") && older.isEmpty()) {
                older.add(true);
                return absent ? List.of() : before;
            }
            return call.proceed();
        });
        Lane pool = world.lanes.node().open("pool", 1);
        Machine a = world.node(
                "a", store, Duration.ZERO, builder -> builder.executor(run -> pool.after(Duration.ofSeconds(5), run)));
        a.scheduler()
                .scheduleJob(job("k").crashPolicy(CrashPolicy.FAIL)
                        .singleSchedule(START.plusSeconds(1))
                        .build());
        before.add(world.store.find("k", FindScope.LIVE).orElseThrow());
        world.pass(Duration.ofMinutes(2));
        assertThat(older).hasSize(1);
        assertThat(a.events()).noneMatch(event -> event instanceof SchedulerEvent.LeaseLost);
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName(
            "X6: a claimed job whose document cannot be read before its start any more is left to others, and keeps no slot")
    void unreadableBeforeTheStart() {
        JobStore store = StoreHook.over(
                world.store, (method, arguments, call) -> method.equals("load") ? List.of() : call.proceed());
        Lane pool = world.lanes.node().open("pool", 1);
        Machine a = world.node(
                "a", store, Duration.ZERO, builder -> builder.executor(run -> pool.after(Duration.ofSeconds(5), run)));
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(5));
        assertThat(a.scheduler().node().runs()).isEqualTo(1);
        world.pass(Duration.ofSeconds(5));
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(a.events())
                .filteredOn(SchedulerEvent.LeaseLost.class::isInstance)
                .singleElement()
                .asString()
                .contains("its document is gone or cannot be read");
        assertThat(world.calls).isEmpty();
    }

    @Test
    @DisplayName(
            "R14: a drain that begins while the end of a run cannot be written waits for it; the run is not repeated")
    void drained() {
        Machine a = failing();
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        broken = true;
        world.pass(Duration.ofSeconds(3));
        CompletableFuture<Void> drain = a.scheduler().beginDrain(Duration.ofSeconds(60));
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(7));
        assertThat(drain).isNotDone();
        broken = false;
        world.pass(Duration.ofSeconds(20));
        assertThat(drain).isDone();
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).hasSize(1);
        assertThat(outcomes(b, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "R14, P2: a drain ends although the end of a run can never be written; another node runs the fire again")
    void drainedInVain() {
        Machine a = failing();
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        broken = true;
        world.pass(Duration.ofSeconds(3));
        CompletableFuture<Void> drain = a.scheduler().beginDrain(Duration.ofSeconds(5));
        Machine b = world.node("b");
        world.pass(Duration.ofMinutes(2));
        assertThat(drain).isDone();
        assertThat(world.calls).extracting(Call::node).containsExactly("a", "b");
        assertThat(outcomes(b, "k")).containsExactly("SCHEDULED/NONE", "SCHEDULED/ABANDONED", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "X8: a run that has ended in time does not exceed its executionTimeout while its end cannot be written")
    void timedOut() {
        Machine a = failing();
        world.work = call -> world.after(Duration.ofSeconds(2));
        a.scheduler()
                .scheduleJob(job("k").singleSchedule(START.plusSeconds(1))
                        .executionTimeout(Duration.ofSeconds(5))
                        .retryPolicy(RetryPolicy.fixed(2, Duration.ofSeconds(1)))
                        .build());
        world.pass(Duration.ofSeconds(2));
        broken = true;
        world.pass(Duration.ofSeconds(10));
        broken = false;
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).hasSize(1);
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName("X1: code that goes on after the end of its run has no lease, although the end is not on record yet")
    void asksAfterTheEnd() {
        Machine a = failing();
        List<Execution> runs = new ArrayList<>();
        world.begun = runs::add;
        CompletableFuture<Void> stage = new CompletableFuture<>();
        world.work = call -> stage;
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        assertThatCode(runs.get(0)::assertOwned).doesNotThrowAnyException();
        broken = true;
        stage.complete(null);
        assertThatThrownBy(runs.get(0)::assertOwned).isInstanceOf(LeaseLostException.class);
        assertThat(runs.get(0).remainingLease()).isZero();
        world.pass(Duration.ofSeconds(5));
        broken = false;
        world.pass(Duration.ofMinutes(1));
        assertThat(world.calls).as("the end itself is written").hasSize(1);
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    /** A calendar that throws while it is broken. */
    private ExclusionCalendar calendar(String how) {
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                if (broken && how.equals("exception")) {
                    throw new IllegalStateException("planned");
                } else if (broken) {
                    throw new NoClassDefFoundError("planned");
                }
                return true;
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId jobZone) {
                isIncluded(instant, jobZone);
                return Optional.of(instant);
            }
        };
    }

    private Machine planning(String how) {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("c", calendar(how)));
        a.scheduler()
                .scheduleJob(job("bad")
                        .schedulingSpecification("0/30 * * * * ?")
                        .calendar("c")
                        .build());
        a.scheduler()
                .scheduleJob(job("fair").singleSchedule(START.plusSeconds(30)).build());
        return a;
    }

    private StoredJob bad() {
        return world.store.find("bad", FindScope.LIVE).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "error"})
    @DisplayName(
            "X2, X6: a decision that throws after a claim releases its own job only, which runs once it can be decided")
    void decisionOfClaim(String how) {
        Machine a = planning(how);
        broken = true;
        world.pass(Duration.ofSeconds(35));
        assertThat(world.callsOf("fair")).hasSize(1);
        assertThat(world.callsOf("bad")).isEmpty();
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(bad().lease()).isNull();
        broken = false;
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("bad"))
                .extracting(Call::attempt)
                .hasSizeGreaterThan(2)
                .containsOnly(1);
        assertThat(a.events()).noneMatch(SchedulerEvent.JobBlocked.class::isInstance);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "error"})
    @DisplayName(
            "X2, X6: a decision that throws at the end of a run costs neither its row nor other jobs nor later fires")
    void decisionOfEnd(String how) {
        Machine a = planning(how);
        CompletableFuture<Void> together = new CompletableFuture<>();
        world.work = call -> together;
        world.pass(Duration.ofSeconds(32));
        broken = true;
        together.complete(null);
        world.pass(Duration.ofSeconds(5));
        assertThat(outcomes(a, "fair")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(bad().lease()).isNull();
        broken = false;
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("bad"))
                .extracting(Call::fire)
                .hasSizeGreaterThan(2)
                .doesNotHaveDuplicates();
        assertThat(outcomes(a, "bad")).contains("SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("X9, O4: that a job is blocked is told once, and not before it is written")
    void blocked() {
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write")) {
                for (Object any : (List<?>) arguments[0]) {
                    refuse((JobChange) any);
                }
            }
            return call.proceed();
        });
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder);
        a.scheduler()
                .scheduleJob(job("bad").singleSchedule(START.plusSeconds(1)).build());
        broken = true;
        world.pass(Duration.ofSeconds(8));
        assertThat(bad().blocked()).isNull();
        assertThat(a.events()).noneMatch(SchedulerEvent.JobBlocked.class::isInstance);
        broken = false;
        world.pass(Duration.ofSeconds(30));
        assertThat(bad().blocked()).isNotNull();
        assertThat(a.events())
                .filteredOn(SchedulerEvent.JobBlocked.class::isInstance)
                .hasSize(1);
        assertThat(world.calls).hasSize(1);
    }

    /** The server refuses the end of a run, and while it is broken it does not answer to what blocks its job. */
    private void refuse(JobChange change) {
        if (change.after().blocked() != null) {
            if (broken) {
                throw new StoreException("no answer", new IllegalStateException("planned"));
            }
        } else if (change.rows().stream().anyMatch(row -> row.outcome() == Outcome.SUCCEEDED)) {
            throw new WriteRefusedException("a validator refuses it", new IllegalStateException("planned"));
        }
    }
}
