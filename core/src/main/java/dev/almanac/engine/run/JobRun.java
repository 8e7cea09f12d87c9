package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.rules.FireDecider;
import dev.almanac.engine.rules.RunResult;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.Execution;
import dev.almanac.helper.NonRetryableException;
import dev.almanac.helper.RetryAfterException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.OpenRun;
import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of a helper, from its start to the end of its stage. It ends once, by whatever comes first: the stage, the
 * timeout, or the shutdown of the node.
 */
final class JobRun {
    private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

    private final Node node;
    private final HeldJob held;
    private final @Nullable Instant asked;
    private final SchedulingCommand command;
    private final Consumer<RunResult> ended;
    private final OpenCalls calls;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean over = new AtomicBoolean();
    private final Object calling = new Object();
    private volatile Instant handedOver = Instant.EPOCH;
    private volatile @Nullable Instant started;
    private volatile @Nullable Instant toldToStop;
    private volatile @Nullable Duration late;
    private @Nullable Thread thread;
    private @Nullable CompletionStage<Void> stage;

    /** @param calls knows of this run until it is over and no thread is in its helper */
    JobRun(
            Node node,
            HeldJob held,
            boolean manual,
            SchedulingCommand command,
            OpenCalls calls,
            Consumer<RunResult> ended) {
        this.node = node;
        this.held = held;
        this.asked = manual ? held.job().requests().runNow() : null;
        this.command = command;
        this.calls = calls;
        this.ended = ended;
    }

    /**
     * Has the executor call the helper.
     *
     * @throws RejectedExecutionException if the executor threw, whatever it was; the helper was not called and will not be
     */
    void handOver(Executor executor, Helpers helpers) {
        handedOver = node.clock().now();
        calls.add(this);
        try {
            executor.execute(() -> call(helpers));
        } catch (RuntimeException | Error e) {
            // an executor may call on this thread: what has begun comes to its end by itself
            if (begun.compareAndSet(false, true)) {
                calls.remove(this);
                throw new RejectedExecutionException(e);
            }
        }
    }

    private void call(Helpers helpers) {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        inside(Thread.currentThread());
        try {
            if (held.isTrusted() && node.clock().isTrusted()) {
                callHelper(helpers);
            } else {
                end(RunResult.Kind.UNSTARTED, null, null);
            }
        } catch (Throwable e) {
            fail(e);
        } finally {
            inside(null);
        }
    }

    private void callHelper(Helpers helpers) {
        Instant now = node.clock().now();
        started = now;
        late = FireDecider.overThreshold(held.job(), now, asked != null).orElse(null);
        Execution execution = new HeldExecution(held, asked, late != null);
        RunLog.during(execution, () -> callHelper(helpers, now, execution));
    }

    private void callHelper(Helpers helpers, Instant now, Execution execution) {
        try {
            tellStarted(now, execution);
            SchedulingHelper helper = helpers.supporting(command, execution)
                    .orElseThrow(() -> new UnsupportedOperationException("no helper of this node supports "
                            + held.type() + "; register one, or remove the command type"));
            follow(invoke(helper, execution));
        } catch (Throwable e) {
            fail(e);
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
        if (toldToStop == null) {
            toldToStop = node.clock().now();
        }
        CompletionStage<Void> pending;
        synchronized (calling) {
            if (thread != null) {
                thread.interrupt();
            }
            pending = stage;
        }
        try {
            if (pending != null) {
                pending.toCompletableFuture().cancel(true);
            }
        } catch (RuntimeException | Error e) {
            // a stage need not be cancellable; what others hold must not suffer
            LOG.debug("the stage of job '{}' cannot be cancelled", held.job().key(), e);
        }
    }

    /** Where the run is at this moment; {@code withStack} also what its thread is doing, which takes a while. */
    OpenRun view(boolean withStack) {
        synchronized (calling) {
            Thread inside = thread;
            OpenRun.Place outside = started == null ? OpenRun.Place.EXECUTOR : OpenRun.Place.STAGE;
            return new OpenRun(
                    held.job().key(),
                    held.type(),
                    held.job().plan().nextFireTime(),
                    handedOver,
                    started,
                    toldToStop,
                    held.job().specification().executionTimeout(),
                    inside == null ? outside : OpenRun.Place.THREAD,
                    inside == null ? null : ThreadStack.name(inside),
                    inside == null || !withStack ? "" : ThreadStack.of(inside),
                    held.progress());
        }
    }

    /** What is left of the time that it may take; all of it before the helper is called. */
    Duration leftOf(Duration timeout) {
        Instant begin = started;
        return begin == null
                ? timeout
                : timeout.minus(Duration.between(begin, node.clock().now()));
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

    private void inside(@Nullable Thread current) {
        synchronized (calling) {
            thread = current;
            if (current == null) {
                // an interrupt that came too late must not hit what this thread does next
                Thread.interrupted();
            }
            leaveIfOver();
        }
    }

    private void leaveIfOver() {
        synchronized (calling) {
            if (over.get() && thread == null) {
                calls.remove(this);
            }
        }
    }

    private void tellStarted(Instant now, Execution execution) {
        Instant planned = asked != null ? now : FireDecider.toStart(held.job(), execution.fireTime());
        Duration lateness = Duration.between(planned, now);
        node.events()
                .emit(new SchedulerEvent.RunStarted(
                        held.job().key(),
                        held.type(),
                        execution.fireTime(),
                        execution.attempt(),
                        lateness.isNegative() ? Duration.ZERO : lateness,
                        execution.late()));
    }

    /** What a helper throws may itself be broken; the run ends all the same. */
    private void fail(Throwable thrown) {
        try {
            failPlainly(thrown);
        } catch (RuntimeException | Error broken) {
            end(RunResult.Kind.FAILED, new ErrorSummary(thrown.getClass().getName(), "it cannot be read", null), null);
        }
    }

    private void failPlainly(Throwable thrown) {
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
        leaveIfOver();
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
        ended.accept(new RunResult(kind, started, now, asked, late, error, retryAfter));
    }
}
