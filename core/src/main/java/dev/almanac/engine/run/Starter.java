package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.rules.Decision;
import dev.almanac.engine.rules.RunResult;
import dev.almanac.runtime.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Starts runs at their instant, never early, while the lease is certain to hold, and passes on how they end. */
public final class Starter {
    /** What the executor has refused is left to other nodes for that long. */
    private static final Duration REFUSED_PAUSE = Duration.ofSeconds(1);
    /** What no helper here supports is left to other nodes for that long. */
    private static final Duration UNSUPPORTED_PAUSE = Duration.ofSeconds(30);
    /** What ends as soon as it is asked needs no row that says that it was asked. */
    private static final Duration PROMPT_END = Duration.ofMillis(100);

    private static final Duration CLOCK_PAUSE = Duration.ofMillis(20);

    private final Node node;
    private final Helpers helpers;
    private final CompletionDuty completions;
    private final RunThreads threads;
    private final Lane timer;
    private final StartGate gate;
    private final Map<HeldJob, JobRun> runs = new ConcurrentHashMap<>();
    private final OpenCalls calls = new OpenCalls();
    private volatile BiConsumer<String, Duration> refused = (id, pause) -> {};
    private volatile Consumer<HeldJob> outdated = held -> {};
    private volatile Predicate<HeldJob> unchanged = held -> false;
    private volatile boolean open = true;

    /** @param timer of starts and timeouts; nothing of the service runs there */
    public Starter(
            Node node, Helpers helpers, CompletionDuty completions, RunThreads threads, Lane timer, StartGate gate) {
        this.node = node;
        this.helpers = helpers;
        this.gate = gate;
        this.completions = completions;
        this.threads = threads;
        this.timer = timer;
    }

    /** Notified of jobs that cannot be started here, and for how long to leave them alone. */
    void onRefused(BiConsumer<String, Duration> told) {
        this.refused = told;
    }

    StartGate gate() {
        return gate;
    }

    /**
     * @param told of jobs of which too little is known to start them: what is known is too old
     * @param asked reads such a job again, and answers whether it is as it was
     */
    void onOutdated(Consumer<HeldJob> told, Predicate<HeldJob> asked) {
        this.outdated = told;
        this.unchanged = asked;
    }

    /** The runs that are under way, and those whose code is. */
    public OpenCalls calls() {
        return calls;
    }

    Helpers helpers() {
        return helpers;
    }

    Executor aside() {
        return threads.aside();
    }

    /** Whether this node has the code for what the job's phase runs (rule R8). */
    boolean knows(HeldJob held) {
        return helpers.registry().knows(held.job().command());
    }

    /** What cannot be started goes back. */
    void startAt(HeldJob held, Decision.Start start) {
        awaitStart(new JobRun(node, held, start.manual(), this), start.at());
    }

    /** Nothing is started any more; what waits is handed back. */
    public void close() {
        open = false;
    }

    /** What waits goes back, what runs is asked to end, as the node goes down; how many were running. */
    public int shutDownRuns() {
        int running = 0;
        for (JobRun run : List.copyOf(runs.values())) {
            if (completions.handBack(run.held(), "the node is shutting down")) {
                forget(run);
            } else if (run.held().state() == HeldJob.State.RUNNING) {
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
        if (held.isTrusted() && !node.clock().isTrusted()) {
            // the machine may have stood still, so that the lease is over: the renewals measure it
            timer.after(CLOCK_PAUSE, () -> start(run, at));
        } else if (held.now().isBefore(at)) {
            awaitStart(run, at);
        } else if (!open || !held.isTrusted()) {
            completions.handBack(held, open ? "it could not be started in time" : "the node is shutting down");
        } else if (held.state() == HeldJob.State.WAITING) {
            startUnlessPaused(run);
        }
    }

    /** The claim may have taken long, and a pause may have come meanwhile (rule X10). */
    private void startUnlessPaused(JobRun run) {
        HeldJob held = run.held();
        switch (gate.ask(held.job(), held.readNanos())) {
            case UNKNOWN -> outdated.accept(held);
            case HELD -> completions.handBack(held, "it is paused");
            case NO_SLOT -> completions.handBack(held, "its group has fewer slots by now");
            case OPEN -> {
                runs.put(held, run);
                calls.add(run);
                held.onInterrupt(() -> cancel(run));
                held.onLost(() -> lose(run));
                threads.handOver().execute(() -> handOver(run));
            }
        }
    }

    /**
     * It may have waited long for a thread, and a pause may have come meanwhile (rule X10). Asked on that thread: to wait for
     * another one could go on for ever.
     */
    boolean isWanted(JobRun run) {
        HeldJob held = run.held();
        StartGate.Answer answer = gate.ask(held.job(), held.readNanos());
        if (answer == StartGate.Answer.UNKNOWN && unchanged.test(held)) {
            answer = gate.ask(held.job(), held.readNanos());
        }
        if (answer != StartGate.Answer.OPEN) {
            forget(run);
        }
        if (answer == StartGate.Answer.UNKNOWN) {
            outdated.accept(held);
        } else if (answer == StartGate.Answer.HELD) {
            completions.handBack(held, "it is paused");
        }
        return answer == StartGate.Answer.OPEN;
    }

    /** The executor may block, throw, or call on this thread: what has begun comes to its end by itself. */
    private void handOver(JobRun run) {
        HeldJob held = run.held();
        try {
            if (held.state() == HeldJob.State.WAITING) {
                threads.executor().execute(run::call);
            }
        } catch (Throwable e) {
            if (completions.handBack(held, "the executor has refused it: " + e)) {
                forget(run);
                refused.accept(held.id(), REFUSED_PAUSE);
            }
        }
    }

    /** A user has asked to interrupt it; what was not called yet is not called any more. */
    private void cancel(JobRun run) {
        if (completions.handBack(run.held(), "a user cancelled it before it started")) {
            forget(run);
        } else if (run.held().state() == HeldJob.State.RUNNING) {
            run.ask(JobRun.Asked.USER);
        }
    }

    private void lose(JobRun run) {
        runs.remove(run.held());
        run.unwatch();
        if (run.startedTime() == null) {
            calls.remove(run);
        } else {
            run.ask(JobRun.Asked.LOST);
        }
    }

    void unreadable(JobRun run, String reason) {
        forget(run);
        completions.blockWaiting(run.held(), reason);
    }

    /** That costs no attempt: another node may have the helper (rules R5, R8). */
    void unsupported(JobRun run) {
        forget(run);
        refused.accept(run.held().id(), UNSUPPORTED_PAUSE);
        completions.handBack(
                run.held(),
                "no helper of this node supports its command of type "
                        + run.held().type());
    }

    void tooLate(JobRun run) {
        forget(run);
        completions.handBack(run.held(), "it could not be started in time");
    }

    /** The helper is about to be called; its time counts from here. */
    void started(JobRun run) {
        Duration timeout = run.held().job().specification().executionTimeout();
        if (timeout != null) {
            run.watch(timer.after(timeout, () -> timeOut(run)));
        }
    }

    /** It counts as failed from now on, whatever it does; its lease is held until its code has ended (rule X8). */
    private void timeOut(JobRun run) {
        if (run.held().state() == HeldJob.State.RUNNING) {
            run.ask(JobRun.Asked.TIMEOUT);
            run.watch(timer.after(PROMPT_END, () -> noteTimeout(run)));
        }
    }

    private void noteTimeout(JobRun run) {
        if (run.held().state() == HeldJob.State.RUNNING && run.hasTimedOut()) {
            completions.timedOut(run.held(), run.startedTime(), run.wished(), run.timeoutError());
        }
    }

    /** @param result absent = the run says itself that its lease is lost */
    void ended(JobRun run, Optional<RunResult> result) {
        forget(run);
        if (result.isEmpty()) {
            completions.lost(run.held(), "its helper was told so");
        } else if (run.held().move(HeldJob.State.RUNNING, HeldJob.State.ENDING)) {
            completions.ended(run.held(), result.get());
        }
    }

    private void forget(JobRun run) {
        runs.remove(run.held());
        calls.remove(run);
        run.unwatch();
    }
}
