package dev.almanac.engine;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.Execution;
import dev.almanac.helper.NonRetryableException;
import dev.almanac.helper.RetryAfterException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of a helper, from its start to the end of its stage. It ends once, by whatever comes first: the stage, the
 * timeout, or the shutdown of the node.
 */
final class JobRun {
    private final Node node;
    private final HeldJob held;
    private final boolean manual;
    private final SchedulingCommand command;
    private final Consumer<RunResult> ended;
    private final AtomicBoolean over = new AtomicBoolean();
    private final Object calling = new Object();
    private volatile @Nullable Instant started;
    private volatile @Nullable Duration late;
    private @Nullable Thread thread;
    private @Nullable CompletionStage<Void> stage;

    JobRun(Node node, HeldJob held, boolean manual, SchedulingCommand command, Consumer<RunResult> ended) {
        this.node = node;
        this.held = held;
        this.manual = manual;
        this.command = command;
        this.ended = ended;
    }

    /** Calls the helper on this thread. */
    void call(Helpers helpers) {
        if (!held.isTrusted()) {
            end(RunResult.Kind.UNSTARTED, null, null);
            return;
        }
        Instant now = node.clock().now();
        started = now;
        late = FireDecider.overThreshold(held.job(), now, manual).orElse(null);
        Execution execution = new HeldExecution(held, manual, late != null);
        RunLog.during(execution, () -> callHelper(helpers, now, execution));
    }

    private void callHelper(Helpers helpers, Instant now, Execution execution) {
        try {
            tellStarted(now, execution);
            begin(Thread.currentThread());
            SchedulingHelper helper = helpers.supporting(command, execution)
                    .orElseThrow(() -> new UnsupportedOperationException("no helper of this node supports "
                            + held.type() + "; register one, or remove the command type"));
            follow(invoke(helper, execution));
        } catch (Throwable e) {
            fail(e);
        } finally {
            begin(null);
        }
    }

    private CompletionStage<Void> invoke(SchedulingHelper helper, Execution execution) {
        String id = held.job().commandIdentifier();
        Duration excess = late;
        CompletionStage<Void> answer = excess == null
                ? helper.execute(id, command, execution)
                : helper.lateExecute(id, command, excess, execution);
        if (answer == null) {
            throw new NullPointerException(helper.getClass().getName() + " returned no stage");
        }
        return answer;
    }

    private void follow(CompletionStage<Void> answer) {
        synchronized (calling) {
            stage = answer;
        }
        answer.whenComplete((nothing, error) -> {
            if (error == null) {
                end(RunResult.Kind.SUCCEEDED, null, null);
            } else {
                fail(error);
            }
        });
    }

    /** Asks the run to stop: interrupts the thread that is in the helper, cancels the stage. */
    void interrupt() {
        synchronized (calling) {
            if (thread != null) {
                thread.interrupt();
            }
            if (stage != null) {
                stage.toCompletableFuture().cancel(true);
            }
        }
    }

    /** Its time is over: it counts as failed from now on, whatever it does. */
    void timeOut(Duration after) {
        end(
                RunResult.Kind.FAILED,
                ErrorSummary.of(new TimeoutException("the run did not end within its executionTimeout of " + after)),
                null);
        interrupt();
    }

    /** The node goes down. */
    void shutDown() {
        end(RunResult.Kind.SHUT_DOWN, null, null);
        interrupt();
    }

    boolean isOver() {
        return over.get();
    }

    private void begin(@Nullable Thread current) {
        synchronized (calling) {
            thread = current;
            if (current == null) {
                // an interrupt that came too late must not hit what this thread does next
                Thread.interrupted();
            }
        }
    }

    private void tellStarted(Instant now, Execution execution) {
        Duration lateness = Duration.between(execution.fireTime(), now);
        node.events()
                .emit(new SchedulerEvent.RunStarted(
                        held.job().key(),
                        held.type(),
                        execution.fireTime(),
                        execution.attempt(),
                        lateness.isNegative() ? Duration.ZERO : lateness,
                        execution.late()));
    }

    private void fail(Throwable thrown) {
        Throwable error = unwrap(thrown);
        RunResult.Kind kind =
                error instanceof NonRetryableException ? RunResult.Kind.FAILED_FOR_GOOD : RunResult.Kind.FAILED;
        Duration after = error instanceof RetryAfterException retry ? retry.delay() : null;
        end(kind, ErrorSummary.of(error), after);
    }

    private static Throwable unwrap(Throwable thrown) {
        Throwable cause = thrown.getCause();
        boolean wrapped = thrown instanceof CompletionException && !(thrown instanceof CancellationException);
        return wrapped && cause != null ? cause : thrown;
    }

    private void end(RunResult.Kind kind, @Nullable ErrorSummary error, @Nullable Duration retryAfter) {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        RunLog.during(held.job(), () -> tellEnd(kind, error, retryAfter));
    }

    private void tellEnd(RunResult.Kind kind, @Nullable ErrorSummary error, @Nullable Duration retryAfter) {
        Instant now = node.clock().now();
        Optional<Instant> began = Optional.ofNullable(started);
        node.events()
                .emit(new SchedulerEvent.RunEnded(
                        held.job().key(),
                        held.type(),
                        Optional.ofNullable(held.job().plan().nextFireTime()).orElse(now),
                        held.job().plan().attempts() + 1,
                        Duration.between(began.orElse(now), now),
                        kind == RunResult.Kind.SUCCEEDED));
        ended.accept(new RunResult(kind, started, now, manual, late, error, retryAfter));
    }
}
