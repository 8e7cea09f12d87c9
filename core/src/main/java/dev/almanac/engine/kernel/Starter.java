package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Helpers;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.RunThreads;
import dev.almanac.engine.rules.Decision;
import dev.almanac.engine.rules.RunResult;
import dev.almanac.engine.rules.ThrownResult;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.Lane;
import dev.almanac.store.ExtraRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Starts runs at their planned instant, never early, while the lease is certain to hold, and reports how they end. */
public final class Starter {
    /** For how long a job that the executor has refused is left to other nodes. */
    private static final Duration REFUSED_PAUSE = Duration.ofSeconds(1);
    /** An executor that is full for a moment is in order. */
    private static final Duration REFUSED_PATIENCE = Duration.ofSeconds(5);
    /** A run that ends within this time after it was asked to gets no row about the request. */
    private static final Duration PROMPT_END = Duration.ofMillis(100);

    private static final Duration CLOCK_PAUSE = Duration.ofMillis(20);

    private final Node node;
    private final Helpers helpers;
    private final CompletionDuty completions;
    private final RunThreads threads;
    private final Lane timer;
    private final StartGate gate;
    private final OpenCalls calls = new OpenCalls();
    private final Dispatcher dispatcher;
    private volatile boolean open = true;
    /** Since when the executor has taken no run; absent = it took the last one. Threads that hand over write it. */
    private volatile @Nullable Instant refusing;

    /**
     * What starts need.
     *
     * @param timer runs starts and timeouts; no code of the service
     */
    public record Parts(Helpers helpers, RunThreads threads, Lane timer, StartGate gate) {}

    /** @param dispatcher decides again about jobs that were read too long ago to start them */
    Starter(Node node, CompletionDuty completions, Parts parts, Dispatcher dispatcher) {
        this.node = node;
        this.completions = completions;
        this.helpers = parts.helpers();
        this.threads = parts.threads();
        this.timer = parts.timer();
        this.gate = parts.gate();
        this.dispatcher = dispatcher;
    }

    /** The runs whose code has not ended. */
    public OpenCalls calls() {
        return calls;
    }

    Helpers helpers() {
        return helpers;
    }

    Executor ownThreads() {
        return threads.ownThreads();
    }

    /** Runs a step on a thread of its own; false if there is no thread for it. */
    boolean tryOnOwnThread(Runnable step) {
        try {
            threads.ownThreads().execute(step);
            return true;
        } catch (RuntimeException | Error e) {
            return false;
        }
    }

    /** Whether this node has a helper for the command that the job's phase runs (rule R8). */
    boolean knows(HeldJob held) {
        ExtraRun extra = held.job().requests().extraRun();
        EncodedCommand contents = extra == null || !held.job().isRunByHand() ? null : extra.command();
        return helpers.registry().knows(held.job().command())
                && (contents == null || helpers.registry().knows(contents));
    }

    /** Starts the run at its time; if that is not possible, the claim is released. */
    void startAt(HeldJob held, Decision.Start start) {
        awaitStart(new JobRun(node, held, start.manual(), this), start.at());
    }

    /** Starts nothing any more, and releases the claims that wait, also those that the executor has. */
    public void close() {
        open = false;
        calls.runs().forEach(this::releaseUnstarted);
    }

    private boolean releaseUnstarted(JobRun run) {
        boolean unstarted = completions.release(run.held(), "the node is shutting down");
        if (unstarted) {
            forget(run);
        }
        return unstarted;
    }

    /** For a shutdown: releases the claims that wait and asks the runs to end; returns how many were running. */
    public int shutDownRuns() {
        int running = 0;
        for (JobRun run : calls.runs()) {
            if (!releaseUnstarted(run) && run.held().state() == HeldJob.State.RUNNING) {
                run.ask(JobRun.Asked.SHUTDOWN);
                running++;
            }
        }
        return running;
    }

    private void awaitStart(JobRun run, Instant at) {
        Duration wait = Duration.between(run.held().now(), at);
        if (wait.isNegative() || wait.isZero()) {
            start(run, at);
        } else {
            timer.after(wait, () -> start(run, at));
        }
    }

    private void start(JobRun run, Instant at) {
        HeldJob held = run.held();
        if (held.checkWindow() && !node.clock().isTrusted()) {
            // the machine may have been suspended, so that the lease is over; the renewals measure that
            timer.after(CLOCK_PAUSE, () -> start(run, at));
        } else if (held.now().isBefore(at)) {
            awaitStart(run, at);
        } else if (!open || !held.checkWindow()) {
            completions.release(held, open ? "it could not be started in time" : "the node is shutting down");
        } else if (held.state() == HeldJob.State.WAITING) {
            startUnlessPaused(run);
        }
    }

    /** Asks the gate, since the claim may have taken long and the job may have been paused meanwhile (rule X10). */
    private void startUnlessPaused(JobRun run) {
        HeldJob held = run.held();
        if (!held.hasRun() && admit(held, gate.ask(held.job(), held.readNanos()))) {
            calls.add(run);
            held.handedTo(run);
            handOverOnThread(run);
        }
    }

    private void handOverOnThread(JobRun run) {
        try {
            threads.handOver().execute(() -> handOver(run));
        } catch (RuntimeException | Error e) {
            refuse(run, "there is no thread for it: ", e);
        }
    }

    /** The kernel begins again: the run is handed over once more, unless it was called, and its timeout is planned. */
    void beginAgain(JobRun run) {
        HeldJob.State state = run.held().state();
        if (state == HeldJob.State.WAITING && run.isToCall()) {
            handOverOnThread(run);
        } else if (state == HeldJob.State.RUNNING && !run.isTimeoutNoted()) {
            watch(run);
        }
    }

    /** Lets the job start if the gate does; else its claim is decided again or released, and the answer is false. */
    private boolean admit(HeldJob held, StartGate.Answer answer) {
        switch (answer) {
            case UNKNOWN -> dispatcher.outdated(held);
            case HELD -> completions.release(held, "it is paused");
            case NO_SLOT -> completions.release(held, "it holds no slot of its group by now");
            case OPEN -> {}
        }
        return answer == StartGate.Answer.OPEN;
    }

    /**
     * Asks the gate again on the thread of the run, which may have waited long for that thread (rule X10). If its start
     * deadline is over by then, the job is decided again (rule S4). False if it does not start.
     */
    boolean admit(JobRun run) {
        HeldJob held = run.held();
        if (held.now().isAfter(run.latest())) {
            forget(run);
            dispatcher.outdated(held);
            return false;
        }
        StartGate.Answer answer = gate.ask(held.job(), held.readNanos());
        if (answer == StartGate.Answer.UNKNOWN && dispatcher.isStillTheSame(held)) {
            answer = gate.ask(held.job(), held.readNanos());
        }
        if (answer != StartGate.Answer.OPEN) {
            forget(run);
        }
        return admit(held, answer);
    }

    /**
     * Gives the run to the executor, which may block, throw, or call on this thread. A run that has begun ends by
     * itself.
     */
    private void handOver(JobRun run) {
        HeldJob held = run.held();
        try {
            if (!open) {
                // closed since its start was decided, perhaps before it was among the runs that are released then
                releaseUnstarted(run);
            } else if (held.state() == HeldJob.State.WAITING) {
                threads.executor().execute(run::call);
                refusing = null;
            }
        } catch (Throwable e) {
            refuse(run, "the executor has refused it: ", e);
        }
    }

    /** The claim is released, and left to other nodes for a while, unless the run has begun or is over. */
    private void refuse(JobRun run, String why, Throwable e) {
        run.refused();
        if (completions.leave(run.held(), why + reason(e), REFUSED_PAUSE)) {
            forget(run);
            Instant now = run.held().now();
            Instant since = refusing;
            if (since == null) {
                refusing = now;
            } else if (now.isAfter(since.plus(REFUSED_PATIENCE))) {
                helpers.failures().add("handing runs to the executor", e);
            }
        }
    }

    static String reason(Throwable e) {
        ErrorSummary error = ErrorSummary.of(e);
        return error.message() == null ? error.type() : error.type() + ": " + error.message();
    }

    /** Interrupts a run at a user's request; a helper that was not called yet is not called any more. */
    void cancel(JobRun run) {
        if (completions.release(run.held(), "a user cancelled it before it started")) {
            forget(run);
        } else if (run.held().state() == HeldJob.State.RUNNING) {
            run.ask(JobRun.Asked.USER);
        }
    }

    /** The lease is lost. Who releases a claim by force states that its code has ended (rule X8); otherwise it goes on. */
    void lose(JobRun run) {
        run.unwatch();
        if (run.startedTime() == null) {
            calls.remove(run);
        } else {
            if (run.held().hasExpired()) {
                calls.lose(run);
            }
            run.ask(JobRun.Asked.LOST);
        }
    }

    /**
     * The command of the run. Empty if it cannot be read, and then the claim is over: what the codec says does not fit its
     * type fits on no node, and the job is blocked, or the run has failed if a user gave it contents of its own; any other
     * failure may be one of this node, and others get the job (rule X6).
     */
    Optional<SchedulingCommand> decoded(JobRun run) {
        try {
            return Optional.of(helpers.registry().decode(run.encoded()));
        } catch (IllegalArgumentException e) {
            RunResult unreadable = run.unreadable(e);
            if (unreadable != null) {
                completions.failWaiting(run.held(), unreadable);
            } else {
                completions.blockWaiting(
                        run.held(),
                        "its command cannot be read: " + ErrorSummary.of(e).message());
            }
            forget(run);
        } catch (Throwable e) {
            String what = "reading commands of type " + run.held().type();
            leaveToOthers(run, what + " fails on this node: " + e.getClass().getName());
            helpers.failures().add(what, e);
        }
        return Optional.empty();
    }

    /** No helper of this node supports the command; another node may have one (rules R5, R8). */
    void unsupported(JobRun run) {
        String type = run.held().type();
        String reason = "no helper of this node supports its command of type " + type;
        leaveToOthers(run, reason);
        helpers.failures().add("finding a helper for commands of type " + type, new IllegalStateException(reason));
    }

    /** Something in the service's code that comes before the helper has failed; other nodes may do better. */
    void unprepared(JobRun run, Throwable e) {
        leaveToOthers(run, "it cannot be started on this node: " + e.getClass().getName());
        helpers.failures().add("starting runs of type " + run.held().type(), e);
    }

    /** It could not be released when it did not start. */
    void left(JobRun run) {
        leaveToOthers(run, "it could not be started on this node");
    }

    /** Releases the claim without using an attempt, and leaves the job alone for a while. */
    private void leaveToOthers(JobRun run, String reason) {
        completions.leave(run.held(), reason, Decision.LEFT_TO_OTHERS);
        forget(run);
    }

    void tooLate(JobRun run) {
        completions.release(run.held(), "it could not be started in time");
        forget(run);
    }

    /** The helper is about to be called; the timeout counts from here. */
    void started(JobRun run) {
        run.takeTimeout();
        watch(run);
    }

    private void watch(JobRun run) {
        HeldJob.Start start = run.held().start();
        Duration timeout = run.timeout();
        if (start != null && timeout != null) {
            Duration passed = Duration.ofNanos(node.clock().nanos() - start.nanos());
            run.watch(timer.after(timeout.minus(passed), () -> timeOut(run)));
        }
    }

    /** The run counts as failed from now on; its lease is held until its code has ended (rule X8). */
    private void timeOut(JobRun run) {
        if (run.held().state() == HeldJob.State.RUNNING) {
            run.ask(JobRun.Asked.TIMEOUT);
            run.watch(timer.after(PROMPT_END, () -> noteTimeout(run)));
        }
    }

    private void noteTimeout(JobRun run) {
        if (run.held().state() == HeldJob.State.RUNNING && run.hasTimedOut() && !run.isTimeoutNoted()) {
            completions.timedOut(run.held(), run.startedTime(), run.manualFire(), ThrownResult.timeout(run.timeout()));
            run.noteTimeout();
        }
    }

    /** @param result absent = the helper has reported that the lease is lost */
    void ended(JobRun run, Optional<RunResult> result) {
        calls.remove(run);
        run.unwatch();
        if (result.isEmpty()) {
            completions.lost(run.held(), "its helper was notified");
        } else {
            completions.ended(run.held(), result.get());
        }
        run.ended();
    }

    /** The run does not begin. */
    private void forget(JobRun run) {
        calls.remove(run);
        run.unwatch();
        run.ended();
    }
}
