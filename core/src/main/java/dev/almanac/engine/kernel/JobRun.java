package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Helpers;
import dev.almanac.engine.port.Interception;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.RunLog;
import dev.almanac.engine.port.ThreadStack;
import dev.almanac.engine.rules.FireDecider;
import dev.almanac.engine.rules.RunResult;
import dev.almanac.engine.rules.StartDeadline;
import dev.almanac.engine.rules.ThrownResult;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.Execution;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.helper.RetryAfterException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.OpenRun;
import dev.almanac.model.Progress;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.Lane;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run, from the executor's call to the end of its code. {@link HeldJob} holds its state: a claim that does not wait
 * any more when the executor calls is not started. It may be asked to end, by its timeout, a user, a shutdown or a lost
 * lease; it has ended when its code has: the helper's call has returned, and its stage and every stage that it was held
 * until are completed (rule X8).
 */
final class JobRun implements HeldJob.Run {
    private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

    /** Who asked the run to end first. */
    enum Asked {
        TIMEOUT,
        USER,
        SHUTDOWN,
        LOST
    }

    private record Request(Asked by, Instant at) {}

    /** What has become of the executor's call; the state of the claim tells the rest. */
    private enum Called {
        /** The executor has it, or is to have it. */
        NOT_YET,
        /** A thread of the executor is in it. */
        INSIDE,
        /** It has returned, has failed, or was refused. If the claim waits still, what was to release it has failed. */
        RETURNED,
        /** The run does not begin, or has ended. */
        OVER
    }

    /** How the code ended; absent error = it succeeded. */
    private record End(@Nullable Throwable error) {}

    private final Node node;
    private final HeldJob held;
    private final @Nullable Instant manualFire;
    private final Instant fireTime;
    private final EncodedCommand encoded;
    private final Starter starter;
    private final Instant handedOver;
    private final AtomicReference<@Nullable Request> asked = new AtomicReference<>();
    private final AtomicReference<@Nullable End> end = new AtomicReference<>();
    private final AtomicBoolean asking = new AtomicBoolean();
    /** Whether the code of the run, as it is now, is still to be asked to end. */
    private volatile boolean unasked;

    private final Object calling = new Object();
    private final RunParts parts;
    private volatile Called called = Called.NOT_YET;
    private boolean timeoutNoted;
    private volatile @Nullable Duration timeout;
    private volatile @Nullable Duration late;
    private volatile @Nullable Thread thread;
    private volatile @Nullable CompletionStage<Void> stage;
    private volatile Lane.@Nullable Alarm alarm;

    JobRun(Node node, HeldJob held, boolean manual, Starter starter) {
        this.node = node;
        this.held = held;
        this.manualFire = manual ? held.job().requests().runNow() : null;
        this.starter = starter;
        this.handedOver = held.now();
        this.fireTime = fireTime(held.job(), manualFire);
        EncodedCommand contents = held.job().requests().contentsOf(manualFire);
        this.encoded = contents == null ? held.job().command() : contents;
        this.parts = new RunParts(held.job().key(), () -> RunLog.during(held.job(), this::end));
    }

    HeldJob held() {
        return held;
    }

    /** When a user asked for the run; absent if it was planned. */
    @Nullable
    Instant manualFire() {
        return manualFire;
    }

    /** The fire that the helper and the events of this run name. */
    Instant fireTime() {
        return fireTime;
    }

    private static Instant fireTime(StoredJob job, @Nullable Instant asked) {
        Instant planned = job.plan().nextFireTime();
        Instant known = planned == null ? job.lastStatus().updatedTime() : planned;
        return asked == null ? known : asked;
    }

    /** What comes of it if the contents that a user gave it cannot be read; absent if it has those of the job. */
    @Nullable
    RunResult unreadable(Throwable e) {
        return encoded == held.job().command()
                ? null
                : result(RunResult.Kind.FAILED, held.now(), ErrorSummary.of(e), null);
    }

    /** The command that it runs. */
    EncodedCommand encoded() {
        return encoded;
    }

    /** By how much the start exceeded the job's threshold; absent if it did not. */
    @Nullable
    Duration overThreshold() {
        return late;
    }

    /** Runs on a thread of the service's executor, once: it may have been handed over twice. */
    void call() {
        if (held.state() == HeldJob.State.WAITING && enter()) {
            try {
                RunLog.during(held.job(), this::prepare);
            } catch (Throwable e) {
                if (held.state() != HeldJob.State.WAITING) {
                    throw e;
                }
                called = Called.RETURNED;
                starter.unprepared(this, e);
            } finally {
                leave();
            }
        }
    }

    private boolean enter() {
        synchronized (calling) {
            boolean first = called == Called.NOT_YET;
            if (first) {
                called = Called.INSIDE;
                thread = Thread.currentThread();
            }
            return first;
        }
    }

    private void leave() {
        synchronized (calling) {
            thread = null;
            called = called == Called.INSIDE ? Called.RETURNED : called;
            // a late interrupt must not hit the next run of this thread
            Thread.interrupted();
        }
    }

    /** There is no thread for it; its claim is to be released. */
    void refused() {
        synchronized (calling) {
            called = called == Called.NOT_YET ? Called.RETURNED : called;
        }
    }

    /** It does not begin, or has ended. */
    void ended() {
        called = Called.OVER;
    }

    @Override
    public boolean isOver() {
        return called == Called.OVER;
    }

    /** Whether it may still be handed to the executor. */
    boolean isToCall() {
        return called == Called.NOT_YET;
    }

    /** Calls code of the service that decodes and chooses the helper; the run has not started yet. */
    private void prepare() {
        Optional<SchedulingCommand> command = starter.decoded(this);
        if (command.isEmpty()) {
            return;
        }
        HeldExecution execution =
                new HeldExecution(node, held, this, starter.helpers().requests());
        Optional<SchedulingHelper> helper = starter.helpers().supporting(command.get(), execution);
        if (helper.isEmpty()) {
            starter.unsupported(this);
        } else if (starter.admit(this)) {
            begin(helper.get(), command.get(), execution);
        }
    }

    private void begin(SchedulingHelper helper, SchedulingCommand command, HeldExecution execution) {
        parts.begin();
        HeldJob.Start start = node.clock().isTrusted() ? held.begin(latest()) : null;
        if (start == null) {
            starter.tooLate(this);
            return;
        }
        try {
            late = FireDecider.overThreshold(held.job(), start.at(), manualFire != null)
                    .orElse(null);
            RunLog.during(execution, held.job(), () -> {
                starter.started(this);
                reportStarted(start.at(), execution);
                call(helper, command, execution);
            });
        } catch (Throwable e) {
            end.compareAndSet(null, new End(e));
        } finally {
            parts.returned();
        }
    }

    /** The last moment at which it may start (rule S4). */
    Instant latest() {
        return manualFire == null
                ? StartDeadline.latest(held.job(), node.settings()).orElse(Instant.MAX)
                : Instant.MAX;
    }

    private void call(SchedulingHelper helper, SchedulingCommand command, Execution execution) {
        Helpers all = starter.helpers();
        CompletionStage<Void> answer;
        try {
            answer = new Interception(
                            all.interceptors(),
                            all.failures(),
                            execution,
                            command,
                            () -> invoke(helper, command, execution))
                    .call();
        } catch (Exception e) {
            end.compareAndSet(null, new End(e));
            return;
        }
        follow(answer);
    }

    private CompletionStage<Void> invoke(SchedulingHelper helper, SchedulingCommand command, Execution execution) {
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
        stage = answer;
        parts.enter(answer, error -> end.compareAndSet(null, new End(error)));
        if (asked.get() != null) {
            ask();
        }
    }

    /** The run has not ended before that stage is completed, normally or not. */
    void holdUntil(CompletionStage<?> more) {
        parts.enter(more, error -> {});
    }

    /** Runs the step, during which the run cannot end. */
    void whileOpen(Runnable step) {
        parts.whileOpen(step);
    }

    @Override
    public void cancel() {
        starter.cancel(this);
    }

    @Override
    public void lose() {
        starter.lose(this);
    }

    @Override
    public void watched() {
        tryAgain();
        if (!parts.isToEnd() && called == Called.RETURNED && held.state() == HeldJob.State.WAITING) {
            starter.left(this);
        }
    }

    /** Does again what found no thread: a request to end, and the end; also of a run whose lease is lost. */
    void tryAgain() {
        if (unasked) {
            ask();
        }
        if (parts.isToEnd()) {
            starter.tryOnOwnThread(parts::tryToEnd);
        }
    }

    @Override
    public void beginAgain() {
        starter.beginAgain(this);
    }

    private void end() {
        End first = end.get();
        Throwable error = first == null ? new IllegalStateException("it ended without a result") : first.error();
        reportEnd(error == null);
        starter.ended(this, result(error));
    }

    private Optional<RunResult> result(@Nullable Throwable thrown) {
        try {
            return verdict(thrown == null ? null : ThrownResult.unwrap(thrown));
        } catch (RuntimeException | Error broken) {
            // the exception's own methods may throw; the run ends all the same
            ErrorSummary summary = new ErrorSummary(
                    String.valueOf(thrown == null ? null : thrown.getClass()), "it cannot be read", null);
            return Optional.of(result(RunResult.Kind.FAILED, held.now(), summary, null));
        }
    }

    private Optional<RunResult> verdict(@Nullable Throwable error) {
        Request request = asked.get();
        if (error instanceof LeaseLostException) {
            return Optional.empty();
        }
        if (request != null && request.by() == Asked.TIMEOUT) {
            // a retry is planned from here, but cannot start before the lease is released
            return Optional.of(result(RunResult.Kind.FAILED, request.at(), ThrownResult.timeout(timeout), null));
        }
        if (error == null) {
            return Optional.of(result(RunResult.Kind.SUCCEEDED, held.now(), null, null));
        }
        RunResult.Kind said = ThrownResult.kind(error);
        // a helper that ends its fire, skips it or puts it off has decided; any other exception is the interrupt's
        boolean shutDown = request != null && request.by() == Asked.SHUTDOWN && said == RunResult.Kind.FAILED;
        RunResult.Kind kind = shutDown ? RunResult.Kind.SHUT_DOWN : said;
        Duration after = error instanceof RetryAfterException retry ? retry.delay() : null;
        return Optional.of(
                ThrownResult.putOff(result(kind, held.now(), shutDown ? null : ErrorSummary.of(error), after), error));
    }

    private RunResult result(
            RunResult.Kind kind, Instant ended, @Nullable ErrorSummary error, @Nullable Duration retryAfter) {
        return new RunResult(kind, startedTime(), ended, manualFire, late, error, retryAfter, left());
    }

    private RunResult.Left left() {
        Progress said = held.notes().progress();
        boolean silent = said == null || said.message().isEmpty();
        return new RunResult.Left(held.notes().state(), silent ? null : said.message(), null, null);
    }

    @Nullable
    Instant startedTime() {
        HeldJob.Start start = held.start();
        return start == null ? null : start.at();
    }

    /** Asks the run to end: the thread that is in the helper is interrupted, the stage cancelled, both on a thread of their own. */
    void ask(Asked by) {
        asked.compareAndSet(null, new Request(by, held.now()));
        ask();
    }

    /**
     * One request at a time, so that a cancel that hangs does not use up threads. One that finds no thread, or another
     * under way, is made again.
     */
    private void ask() {
        unasked = true;
        if (asking.compareAndSet(false, true) && !starter.tryOnOwnThread(this::interrupt)) {
            asking.set(false);
        }
    }

    private void interrupt() {
        try {
            unasked = false;
            synchronized (calling) {
                Thread inside = thread;
                if (inside != null) {
                    inside.interrupt();
                }
            }
            CompletionStage<Void> pending = stage;
            if (pending != null) {
                pending.toCompletableFuture().cancel(true);
            }
        } catch (Throwable e) {
            // a stage may refuse to be cancelled; other runs must not be affected
            String key = Printable.value(held.job().key());
            LOG.debug("the stage of job '{}' cannot be cancelled", key, e);
        } finally {
            asking.set(false);
        }
        if (unasked) {
            ask();
        }
    }

    /** It starts: a timeout that is set later is for the next run. */
    void takeTimeout() {
        timeout = held.job().specification().executionTimeout().orElse(null);
    }

    /** How long it may take; absent if it has no timeout, or has not started. */
    @Nullable
    Duration timeout() {
        return timeout;
    }

    /** Sets the alarm that goes off if the run has not ended by then. */
    void watch(Lane.Alarm next) {
        alarm = next;
    }

    void unwatch() {
        Lane.Alarm last = alarm;
        if (last != null) {
            last.cancel();
        }
    }

    /** Whether its timeout was the first to ask it to end. */
    boolean hasTimedOut() {
        Request request = asked.get();
        return request != null && request.by() == Asked.TIMEOUT;
    }

    /** The row of its timeout is to be written. */
    void noteTimeout() {
        timeoutNoted = true;
    }

    boolean isTimeoutNoted() {
        return timeoutNoted;
    }

    /** The run at this moment; {@code withStack} adds the stack of its thread, which takes longer. */
    OpenRun view(boolean withStack) {
        Thread inside = thread;
        Request request = asked.get();
        Progress progress = held.notes().progress();
        Instant started = startedTime();
        OpenRun.Place outside = started == null ? OpenRun.Place.EXECUTOR : OpenRun.Place.STAGE;
        return new OpenRun(
                held.job().key(),
                held.type(),
                held.job().plan().nextFireTime(),
                handedOver,
                started,
                request == null ? null : request.at(),
                timeout,
                inside == null ? outside : OpenRun.Place.THREAD,
                inside == null ? null : ThreadStack.name(inside),
                inside == null || !withStack ? "" : ThreadStack.of(inside),
                progress == null ? null : progress.text());
    }

    private void reportStarted(Instant now, Execution execution) {
        node.events()
                .emit(new SchedulerEvent.RunStarted(
                        held.job().key(),
                        held.type(),
                        execution.fireTime(),
                        execution.attempt(),
                        manualFire == null ? lateness(now, execution.fireTime()) : null,
                        execution.late()));
    }

    private Duration lateness(Instant now, Instant fire) {
        Duration lateness = Duration.between(FireDecider.toStart(held.job(), fire), now);
        return lateness.isNegative() ? Duration.ZERO : lateness;
    }

    private void reportEnd(boolean good) {
        Instant now = held.now();
        Instant began = startedTime();
        node.events()
                .emit(new SchedulerEvent.RunEnded(
                        held.job().key(),
                        held.type(),
                        fireTime,
                        held.job().plan().attempts() + 1,
                        Duration.between(began == null ? now : began, now),
                        good));
    }
}
