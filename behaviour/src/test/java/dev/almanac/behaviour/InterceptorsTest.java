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

    /** Why the helper is not called. */
    private static String refusal(RunInterceptor.Next next) throws Exception {
        try {
            next.run();
            return "called";
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void onAnotherThread(Runnable step) throws InterruptedException {
        Thread thread = new Thread(step);
        thread.start();
        thread.join();
    }

    @Test
    @DisplayName("S8: what is kept of an attempt calls no helper once the attempt has ended, on no thread")
    void kept() throws Exception {
        List<RunInterceptor.Next> kept = new ArrayList<>();
        Machine a = node((run, command, next) -> {
            if (run.attempt() == 1) {
                kept.add(next);
            } else {
                seen.add(refusal(kept.get(0)));
                next.run();
            }
        });
        a.scheduler()
                .scheduleJob(
                        job("j").singleSchedule(START).retryPolicy("R1/PT10S").build());
        world.pass(MINUTE);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen)
                .containsExactly("next.run() was called after its interceptor had returned; the helper is not called");
        seen.add(refusal(kept.get(0)));
        onAnotherThread(() -> {
            try {
                seen.add(refusal(kept.get(0)));
            } catch (Exception e) {
                seen.add("thrown: " + e);
            }
        });
        assertThat(seen).hasSize(3).doesNotContain("called");
        world.pass(MINUTE);
        assertThat(world.calls)
                .extracting(World.Call::attempt)
                .as("the helper of the second attempt alone")
                .containsExactly(2);
    }

    @Test
    @DisplayName("S8: one that goes on upon another thread is refused, and the attempt fails with the reason")
    void anotherThread() {
        assertFailed(
                run((run, command, next) -> {
                    List<Exception> refusals = new ArrayList<>();
                    onAnotherThread(() -> {
                        try {
                            next.run();
                        } catch (Exception e) {
                            refusals.add(e);
                        }
                    });
                    throw refusals.get(0);
                }),
                "next.run() belongs to the thread of the run");
        assertThat(world.calls).isEmpty();
    }

    @Test
    @DisplayName("S8: one that was refused upon another thread may go on upon its own")
    void ownThread() {
        JobExecutionStatus end = run((run, command, next) -> {
            onAnotherThread(() -> {
                try {
                    next.run();
                } catch (Exception e) {
                    seen.add("refused");
                }
            });
            next.run();
        });
        assertThat(end.outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(seen).containsExactly("refused");
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("S8: what an inner one has kept calls no helper once the inner one has returned")
    void keptByInner() {
        List<RunInterceptor.Next> kept = new ArrayList<>();
        RunInterceptor outer = (run, command, next) -> {
            try {
                next.run();
            } finally {
                seen.add(refusal(kept.get(0)));
            }
        };
        assertFailed(run(outer, (run, command, next) -> kept.add(next)), "has neither called next.run() nor thrown");
        assertThat(seen).hasSize(1).doesNotContain("called");
        assertThat(world.calls).isEmpty();
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
