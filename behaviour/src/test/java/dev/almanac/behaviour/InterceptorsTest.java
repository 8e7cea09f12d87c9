package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.helper.Execution;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.helper.SkipException;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Code around each attempt (rule S8), over memory and a real server. */
class InterceptorsTest extends LifecycleFixture {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> seen = new ArrayList<>();

    /** Runs one job, which is due at once, with these interceptors; returns the row of its end. */
    private JobExecutionStatus run(RunInterceptor... interceptors) {
        node(interceptors)
                .scheduler()
                .scheduleJob(job("j").singleSchedule(START).build());
        world.pass(MINUTE);
        return newest("j");
    }

    private Machine node(RunInterceptor... interceptors) {
        return world.node("a", world.store, Duration.ZERO, builder -> {
            List.of(interceptors).forEach(builder::interceptor);
            return builder;
        });
    }

    private RunInterceptor noting(String name) {
        return (run, command, next) -> {
            seen.add(name + " before " + command + " of " + run.jobSpecificationKey());
            try {
                next.run();
            } finally {
                seen.add(name + " after");
            }
        };
    }

    private void assertFailed(JobExecutionStatus end, String message) {
        assertThat(end.executionStatus()).isEqualTo(ExecutionStatus.FAILED);
        assertThat(Objects.requireNonNull(end.error()).message()).contains(message);
    }

    @Test
    @DisplayName("S8: interceptors surround the helper in their order, and know run and command")
    void order() {
        world.begun = run -> seen.add("helper");
        assertThat(run(noting("first"), noting("second")).outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen)
                .containsExactly(
                        "first before Note[text=j] of j",
                        "second before Note[text=j] of j",
                        "helper",
                        "second after",
                        "first after");
    }

    @Test
    @DisplayName("S8: they surround each attempt, and the late one of a fire that comes over its threshold")
    void attempts() {
        world.work = call -> call.attempt() == 1 ? bad() : good();
        Machine a = node((run, command, next) -> {
            seen.add(run.jobSpecificationKey() + run.attempt() + (run.late() ? " late" : ""));
            next.run();
        });
        a.scheduler()
                .scheduleJob(
                        job("j").singleSchedule(START).retryPolicy("R1/PT5S").build());
        a.scheduler()
                .scheduleJob(job("late")
                        .singleSchedule(START.minusSeconds(5))
                        .lateExecutionThreshold(Duration.ofSeconds(2))
                        .build());
        world.pass(MINUTE);
        assertThat(seen).containsExactlyInAnyOrder("j1", "j2", "late1 late");
    }

    @Test
    @DisplayName("S8: one that throws SkipException vetoes the fire: no helper is called, and the next fire comes")
    void veto() {
        Machine a = node(noting("outer"), (run, command, next) -> {
            if (run.fireTime().equals(START.plus(MINUTE))) {
                throw new SkipException("closed");
            }
            next.run();
        });
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .maxFires(2)
                        .build());
        world.pass(MINUTE.multipliedBy(3));
        assertThat(world.calls)
                .extracting(World.Call::fire)
                .as("only the second fire")
                .containsExactly(START.plus(MINUTE.multipliedBy(2)));
        assertThat(rows("j"))
                .extracting(JobExecutionStatus::outcome)
                .contains(Outcome.SKIPPED, Outcome.SUCCEEDED)
                .doesNotContain(Outcome.ATTEMPT_FAILED);
    }

    @Test
    @DisplayName("S8: none can swallow what the helper, or a veto further in, has thrown, nor put another in its place")
    void swallowed() {
        world.work = call -> {
            throw new IllegalStateException("of the helper");
        };
        RunInterceptor swallows = (run, command, next) -> {
            try {
                next.run();
            } catch (IllegalStateException e) {
                seen.add(e.getMessage());
            }
        };
        RunInterceptor replaces = (run, command, next) -> {
            try {
                next.run();
            } catch (IllegalStateException e) {
                throw new UnsupportedOperationException("another", e);
            }
        };
        assertFailed(run(swallows, replaces), "of the helper");
        assertThat(seen).containsExactly("of the helper");
    }

    @Test
    @DisplayName("S8: what one throws after the helper was called changes no outcome, and is a contained failure")
    void after() {
        Machine a = node((run, command, next) -> {
            next.run();
            throw new UnsupportedOperationException("after");
        });
        a.scheduler().scheduleJob(job("j").singleSchedule(START).build());
        world.pass(MINUTE);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(a.scheduler().health().reasons())
                .anySatisfy(reason -> assertThat(reason).contains("intercepting a run"));
    }

    @Test
    @DisplayName("S8: one that neither goes on nor throws fails the attempt, and the message names it")
    void neither() {
        assertFailed(run(noting("outer"), new Forgetful()), Forgetful.class.getName());
        assertThat(world.calls).isEmpty();
    }

    private static final class Forgetful implements RunInterceptor {
        @Override
        public void around(Execution execution, SchedulingCommand command, Next next) {
            // forgets to go on
        }
    }

    @Test
    @DisplayName("S8: one that goes on twice runs the helper once")
    void twice() {
        assertThat(run((run, command, next) -> {
                            next.run();
                            next.run();
                        })
                        .outcome())
                .isEqualTo(Outcome.SUCCEEDED);
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("S8: the stage that one gets ends with the run")
    void stage() {
        world.work = call -> world.after(Duration.ofSeconds(10));
        JobExecutionStatus end = run((run, command, next) -> {
            CompletableFuture<Void> stage = next.run().toCompletableFuture();
            stage.thenRun(() -> seen.add("ended"));
            seen.add("returned");
        });
        assertThat(seen).containsExactly("returned", "ended");
        assertThat(end.outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(end.updatedTime()).isAfterOrEqualTo(START.plusSeconds(10));
    }

    @Test
    @DisplayName("S8: an interceptor that completes its stage does not end the run")
    void completed() {
        world.work = call -> world.after(Duration.ofSeconds(10));
        JobExecutionStatus end = run((run, command, next) ->
                next.run().toCompletableFuture().completeExceptionally(new IllegalStateException("mine")));
        assertThat(end.outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(end.updatedTime()).isAfterOrEqualTo(START.plusSeconds(10));
    }
}
