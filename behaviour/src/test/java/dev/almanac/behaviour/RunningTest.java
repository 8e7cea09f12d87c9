package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.NonRetryableException;
import dev.almanac.helper.RetryAfterException;
import dev.almanac.model.CancelResult;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.FindScope;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.ProcessingContext;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every store lets a scheduler keep: the same promises over memory and over a real server. */
class RunningTest extends OverStores {
    @Test
    @DisplayName("P2: a one-off starts at its very millisecond, on one node, once, and then it is over")
    void oneOff() {
        Machine a = world.node("a");
        world.node("b");
        Instant at = START.plusMillis(7_123);
        a.scheduler().scheduleJob(job("one").singleSchedule(at).build());
        world.pass(Duration.ofSeconds(7));
        assertThat(world.calls).as("nothing starts early").isEmpty();
        world.pass(Duration.ofMinutes(5));
        assertThat(world.calls).hasSize(1);
        assertThat(world.calls.get(0).started()).isEqualTo(at);
        assertThat(outcomes(a, "one")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.scheduler().findJobById("one")).isEmpty();
        assertThat(a.scheduler().findJobById("one", FindScope.INCLUDING_FINISHED))
                .get()
                .satisfies(job -> assertThat(job.specification().deleteTime().orElseThrow())
                        .isAfter(at));
    }

    @Test
    @DisplayName("P2: a one-off given as a wall time of nanoseconds runs at its millisecond, and ends")
    void oneOffByWallTime() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("wall")
                        .zoneId("Europe/Brussels")
                        .singleSchedule(LocalDateTime.parse("2099-03-02T09:00:05.745162431"))
                        .build());
        world.pass(Duration.ofSeconds(20));
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusMillis(5_745));
        assertThat(outcomes(a, "wall")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("R2: a recurring job fires at each planned instant, planned from the plan and never from now")
    void recurring() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(
                        job("tick").schedulingSpecification("0/10 * * * * ?").build());
        world.pass(Duration.ofSeconds(61));
        assertThat(world.calls)
                .extracting(Call::fire)
                .containsExactly(
                        START.plusSeconds(10),
                        START.plusSeconds(20),
                        START.plusSeconds(30),
                        START.plusSeconds(40),
                        START.plusSeconds(50),
                        START.plusSeconds(60));
        assertThat(world.calls).allSatisfy(call -> assertThat(call.started()).isEqualTo(call.fire()));
    }

    @Test
    @DisplayName("R1: a job never overlaps itself; fires that pass while it runs are missed fires")
    void noOverlap() {
        Machine a = world.node("a");
        world.node("b");
        world.work = call -> world.after(Duration.ofSeconds(35));
        a.scheduler()
                .scheduleJob(
                        job("slow").schedulingSpecification("0/10 * * * * ?").build());
        world.pass(Duration.ofSeconds(46));
        assertThat(world.callsOf("slow")).hasSize(2);
        assertThat(world.calls.get(1).fire())
                .as("the newest passed fire is run")
                .isEqualTo(START.plusSeconds(40));
        assertThat(outcomes(a, "slow")).containsExactly("SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "SCHEDULED/MISSED");
    }

    @Test
    @DisplayName("R3: a start later than planned plus threshold goes to lateExecute with the excess, others do not")
    void late() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("late")
                        .singleSchedule(START.plusSeconds(5))
                        .lateExecutionThreshold(Duration.ofSeconds(10))
                        .build());
        a.scheduler()
                .scheduleJob(job("intime")
                        .singleSchedule(START.plusSeconds(5))
                        .lateExecutionThreshold(Duration.ofMinutes(10))
                        .build());
        a.lanes().close();
        world.pass(Duration.ofSeconds(60));
        world.node("b");
        world.pass(Duration.ofSeconds(10));
        assertThat(world.callsOf("late").get(0).over())
                .isEqualTo(Duration.between(
                        START.plusSeconds(15), world.callsOf("late").get(0).started()));
        assertThat(world.callsOf("intime").get(0).over()).isEqualTo(Duration.ZERO);
    }

    @Test
    @DisplayName("P5: what a dead node was running runs again after its lease, with a higher fencing number")
    void recovery() {
        Machine a = world.node("a");
        world.work =
                call -> call.node().equals("a") ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
        a.scheduler()
                .scheduleJob(job("crash").singleSchedule(START.plusSeconds(2)).build());
        world.pass(Duration.ofSeconds(3));
        assertThat(world.calls).hasSize(1);
        a.lanes().close();
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(15));
        assertThat(world.calls).as("not before the lease is over").hasSize(1);
        world.pass(Duration.ofSeconds(15));
        assertThat(world.calls).hasSize(2);
        assertThat(world.calls.get(1).fencing())
                .isGreaterThan(world.calls.get(0).fencing());
        assertThat(outcomes(b, "crash"))
                .containsExactly("SCHEDULED/NONE", "SCHEDULED/ABANDONED", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("R7: crashPolicy FAIL records a crash and does not run again")
    void crashPolicyFail() {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        a.scheduler()
                .scheduleJob(job("once")
                        .singleSchedule(START.plusSeconds(2))
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        world.pass(Duration.ofSeconds(3));
        a.lanes().close();
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(60));
        assertThat(world.calls).hasSize(1);
        assertThat(outcomes(b, "once")).containsExactly("SCHEDULED/NONE", "SCHEDULED/ABANDONED", "FAILED/CRASHED");
    }

    @Test
    @DisplayName("P3: a run longer than its lease keeps it by renewal; no other node runs the job")
    void renewal() {
        Machine a = world.node("a");
        world.node("b");
        world.work = call -> world.after(Duration.ofMinutes(3));
        a.scheduler()
                .scheduleJob(job("long").singleSchedule(START.plusSeconds(2)).build());
        world.pass(Duration.ofMinutes(5));
        assertThat(world.calls).hasSize(1);
        assertThat(outcomes(a, "long")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("P3: a node that stood still longer than its lease loses it, and what it writes then matches nothing")
    void zombie() {
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(5));
        a.scheduler().scheduleJob(job("z").singleSchedule(START.plusSeconds(2)).build());
        world.pass(Duration.ofSeconds(3));
        a.lanes().freeze();
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(40));
        a.lanes().thaw();
        world.pass(Duration.ofSeconds(40));
        assertThat(world.calls).hasSize(2);
        assertThat(a.events()).anyMatch(event -> event instanceof SchedulerEvent.LeaseLost);
        assertThat(outcomes(b, "z")).containsExactly("SCHEDULED/NONE", "SCHEDULED/ABANDONED", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("M4: after CANCELED nothing starts; a running job answers ALREADY_RUNNING and does not fire again")
    void cancel() {
        Machine a = world.node("a");
        world.node("b");
        a.scheduler()
                .scheduleJob(job("future").singleSchedule(START.plusSeconds(30)).build());
        assertThat(a.scheduler().cancelJob("future")).isEqualTo(CancelResult.CANCELED);
        assertThat(a.scheduler().cancelJob("future")).isEqualTo(CancelResult.NOT_FOUND);
        world.work = call -> world.after(Duration.ofSeconds(8));
        a.scheduler()
                .scheduleJob(
                        job("rec").schedulingSpecification("0/10 * * * * ?").build());
        world.pass(Duration.ofSeconds(12));
        assertThat(a.scheduler().cancelJob("rec")).isEqualTo(CancelResult.ALREADY_RUNNING);
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("future")).isEmpty();
        assertThat(world.callsOf("rec")).hasSize(1);
        assertThat(outcomes(a, "rec"))
                .containsExactly("SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "CANCELED/CANCELED");
    }

    @Test
    @DisplayName("R5: retries wait their delay, keep the fire, and end in FAILED; a good attempt ends them")
    void retries() {
        Machine a = world.node("a");
        world.work = call -> {
            if (call.job().equals("mends") && call.attempt() == 3) {
                return CompletableFuture.completedFuture(null);
            }
            throw new IllegalStateException("boom");
        };
        a.scheduler()
                .scheduleJob(job("mends")
                        .singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R5/PT5M")
                        .build());
        a.scheduler()
                .scheduleJob(job("never")
                        .singleSchedule(START.plusSeconds(1))
                        .retryPolicy("PT10S,PT20S")
                        .build());
        world.pass(Duration.ofMinutes(20));
        assertThat(world.callsOf("mends"))
                .extracting(Call::started)
                .containsExactly(START.plusSeconds(1), START.plusSeconds(301), START.plusSeconds(601));
        assertThat(world.callsOf("mends")).extracting(Call::fire).containsOnly(START.plusSeconds(1));
        assertThat(world.callsOf("never"))
                .extracting(Call::started)
                .containsExactly(START.plusSeconds(1), START.plusSeconds(11), START.plusSeconds(31));
        assertThat(outcomes(a, "never"))
                .containsExactly(
                        "SCHEDULED/NONE",
                        "SCHEDULED/ATTEMPT_FAILED",
                        "SCHEDULED/ATTEMPT_FAILED",
                        "FAILED/RETRIES_EXHAUSTED");
        assertThat(outcomes(a, "mends")).endsWith("TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("R5: a non-retryable failure ends at once, a retry-after overrides the delay")
    void signals() {
        Machine a = world.node("a");
        world.work = call -> {
            if (call.job().equals("final")) {
                throw new NonRetryableException("no use");
            }
            return call.attempt() == 1
                    ? CompletableFuture.failedFuture(new RetryAfterException(Duration.ofSeconds(7), "busy"))
                    : CompletableFuture.completedFuture(null);
        };
        a.scheduler()
                .scheduleJob(job("final")
                        .singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R5/PT1S")
                        .build());
        a.scheduler()
                .scheduleJob(job("busy")
                        .singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R5/PT1H")
                        .build());
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("final")).hasSize(1);
        assertThat(world.callsOf("busy"))
                .extracting(Call::started)
                .containsExactly(START.plusSeconds(1), START.plusSeconds(8));
    }

    @Test
    @DisplayName("R6: when a fire has failed for good the failure command is delivered, and a recurring job goes on")
    void failureCommand() {
        Machine a = world.node("a");
        world.work = call -> {
            if (call.fencing() % 2 == 1) {
                throw new IllegalStateException("boom");
            }
            return CompletableFuture.completedFuture(null);
        };
        a.scheduler()
                .scheduleJob(job("f").schedulingSpecification("0 * * * * ?")
                        .failureCommand(new World.Note("sorry"))
                        .failureIdentifier("sorry-id")
                        .build());
        world.pass(Duration.ofSeconds(130));
        assertThat(outcomes(a, "f"))
                .containsExactly(
                        "SCHEDULED/NONE",
                        "FAILED/RETRIES_EXHAUSTED",
                        "FAILED/FAILURE_DELIVERED",
                        "FAILED/RETRIES_EXHAUSTED",
                        "FAILED/FAILURE_DELIVERED");
    }

    @Test
    @DisplayName("R6: a run sees its job's context and last good fire, and a failure command why its fire failed")
    void whatARunSees() {
        record Seen(String id, Instant good, String failure, ProcessingContext context) {}
        List<Seen> seen = new ArrayList<>();
        world.begun = run -> seen.add(new Seen(
                run.identifier(),
                run.previousGoodRun().orElse(null),
                run.failure().map(ErrorSummary::message).orElse(null),
                run.processingContext().orElse(null)));
        world.work = call -> call.fencing() == 2
                ? CompletableFuture.failedFuture(new IllegalStateException("boom"))
                : CompletableFuture.completedFuture(null);
        ProcessingContext context = new ProcessingContext("bank", "request-1", "unit-7");
        world.node("a")
                .scheduler()
                .scheduleJob(job("f").schedulingSpecification("0 * * * * ?")
                        .processingContext(context)
                        .failureCommand(new World.Note("sorry"))
                        .failureIdentifier("sorry-id")
                        .build());
        world.pass(Duration.ofSeconds(190));
        Instant good = START.plusSeconds(60);
        assertThat(seen)
                .containsExactly(
                        new Seen("id-f", null, null, context),
                        new Seen("id-f", good, null, context),
                        new Seen("sorry-id", good, "boom", context),
                        new Seen("id-f", good, null, context));
    }

    @Test
    @DisplayName("R5: a run that does not end within its executionTimeout counts as failed")
    void timeout() {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        a.scheduler()
                .scheduleJob(job("hangs")
                        .singleSchedule(START.plusSeconds(1))
                        .executionTimeout(Duration.ofSeconds(30))
                        .build());
        world.pass(Duration.ofMinutes(2));
        assertThat(outcomes(a, "hangs")).containsExactly("SCHEDULED/NONE", "FAILED/RETRIES_EXHAUSTED");
        assertThat(a.scheduler().node().runs()).as("the slot is free again").isZero();
    }

    @Test
    @DisplayName("R4: missed fires are run as the policy says, and recorded")
    void missed() {
        Machine a = world.node("a");
        for (var policy : new MissedFirePolicy[] {
            MissedFirePolicy.SKIP, MissedFirePolicy.RUN_LATEST, MissedFirePolicy.RUN_ALL, MissedFirePolicy.runAll(2)
        }) {
            a.scheduler()
                    .scheduleJob(job(policy.toString())
                            .schedulingSpecification("0 0/10 * * * ?")
                            .missedFirePolicy(policy)
                            .build());
        }
        a.lanes().close();
        world.pass(Duration.ofMinutes(45));
        Machine b = world.node("b");
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("SKIP")).isEmpty();
        assertThat(world.callsOf("RUN_LATEST")).extracting(Call::fire).containsExactly(START.plusSeconds(2400));
        assertThat(world.callsOf("RUN_ALL(100)"))
                .extracting(Call::fire)
                .containsExactly(
                        START.plusSeconds(600),
                        START.plusSeconds(1200),
                        START.plusSeconds(1800),
                        START.plusSeconds(2400));
        assertThat(world.callsOf("RUN_ALL(2)"))
                .extracting(Call::fire)
                .containsExactly(START.plusSeconds(1800), START.plusSeconds(2400));
        assertThat(b.scheduler().history("SKIP").get(0).missed().count()).isEqualTo(4);
        assertThat(b.scheduler().history("RUN_LATEST").get(1).missed().count()).isEqualTo(3);
        world.pass(Duration.ofMinutes(10));
        assertThat(world.callsOf("SKIP")).as("the plan goes on").hasSize(1);
    }

    @Test
    @DisplayName("P7: a paused job does not fire, a pause under a lease lets the run end, a resume goes on")
    void pause() {
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(5));
        a.scheduler()
                .scheduleJob(job("p").schedulingSpecification("0/20 * * * * ?").build());
        world.pass(Duration.ofSeconds(22));
        a.scheduler().pause(PauseScope.job("p"), new Pause("audit", "ops", null));
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(1);
        a.scheduler().resume(PauseScope.job("p"));
        world.pass(Duration.ofSeconds(30));
        assertThat(world.calls).hasSizeGreaterThan(1);
    }

    @Test
    @DisplayName("M3: an equal specification changes nothing; a new schedule moves the next fire; a run goes on")
    void update() {
        Machine a = world.node("a");
        var spec = job("u").singleSchedule(START.plusSeconds(60)).build();
        a.scheduler().scheduleJob(spec);
        assertThat(a.scheduler().scheduleJob(spec).specification().version()).isEqualTo(1);
        var moved = a.scheduler()
                .updateJob(
                        spec.toBuilder().singleSchedule(START.plusSeconds(30)).build());
        assertThat(moved.specification().version()).isEqualTo(2);
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).extracting(Call::started).containsExactly(START.plusSeconds(30));
    }

    @Test
    @DisplayName("R14: draining releases what has not started and waits for what runs; it costs no attempt")
    void drain() {
        Machine a = world.node("a");
        world.work =
                call -> call.node().equals("a") ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
        a.scheduler()
                .scheduleJob(job("runs").singleSchedule(START.plusSeconds(1)).build());
        a.scheduler()
                .scheduleJob(job("next").singleSchedule(START.plusMillis(2_100)).build());
        world.pass(Duration.ofSeconds(2));
        Machine b = world.node("b");
        a.scheduler().beginDrain(Duration.ofSeconds(5));
        world.pass(Duration.ofSeconds(2));
        assertThat(world.callsOf("next")).extracting(Call::node).containsExactly("b");
        world.pass(Duration.ofSeconds(20));
        assertThat(world.callsOf("runs")).extracting(Call::node).containsExactly("a", "b");
        assertThat(world.callsOf("runs")).extracting(Call::attempt).containsOnly(1);
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(outcomes(b, "runs")).endsWith("TRIGGERED/SUCCEEDED");
    }
}
