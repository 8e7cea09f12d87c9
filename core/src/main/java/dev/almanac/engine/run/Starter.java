package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.rules.Decision;
import dev.almanac.engine.rules.RunResult;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Starts runs at their instant, never early, while the lease is certain to hold, and passes on how they end. */
public final class Starter {
    /** What the executor has refused is left to other nodes for that long. */
    private static final Duration REFUSED_PAUSE = Duration.ofSeconds(1);

    private static final Duration CLOCK_PAUSE = Duration.ofMillis(20);

    private final Node node;
    private final Helpers helpers;
    private final CompletionDuty completions;
    private final Executor executor;
    private final Lane timer;
    private final Map<HeldJob, JobRun> runs = new ConcurrentHashMap<>();
    private final Map<HeldJob, Lane.Alarm> alarms = new ConcurrentHashMap<>();
    private final OpenCalls calls = new OpenCalls();
    private final StartGate gate;
    private volatile BiConsumer<String, Duration> refused = (id, pause) -> {};
    private volatile Consumer<HeldJob> outdated = held -> {};
    private volatile boolean open = true;

    public Starter(
            Node node, Helpers helpers, CompletionDuty completions, Executor executor, Lane timer, StartGate gate) {
        this.node = node;
        this.helpers = helpers;
        this.completions = completions;
        this.executor = executor;
        this.timer = timer;
        this.gate = gate;
    }

    /** Who is told of jobs that the executor has refused, and for how long to leave them alone. */
    void onRefused(BiConsumer<String, Duration> told) {
        this.refused = told;
    }

    StartGate gate() {
        return gate;
    }

    /** Who is told of jobs of which too little is known to start them: what is known is too old. */
    void onOutdated(Consumer<HeldJob> told) {
        this.outdated = told;
    }

    /** The runs that are under way, and those whose threads are. */
    public OpenCalls calls() {
        return calls;
    }

    /** Whether this node has the code for what the job's phase runs (rule R8). */
    boolean knows(HeldJob held) {
        return helpers.registry().knows(held.job().command());
    }

    /** @param handBack is told, with the reason, if the run cannot be started */
    void startAt(HeldJob held, Decision.Start start, BiConsumer<HeldJob, String> handBack) {
        SchedulingCommand command;
        try {
            command = helpers.registry().decode(held.job().command());
        } catch (RuntimeException e) {
            held.move(HeldJob.State.WAITING, HeldJob.State.ENDING);
            completions.setAside(held, "its command cannot be read: " + e.getMessage());
            return;
        }
        JobRun run = new JobRun(node, held, start.manual(), command, calls, result -> ended(held, result));
        awaitStart(held, start.at(), run, handBack);
    }

    /** Nothing is started any more; what waits is handed back. */
    public void close() {
        open = false;
    }

    /** Ends the runs that are under way, as the node goes down; how many there were. */
    public int shutDownRuns() {
        Collection<JobRun> left = List.copyOf(runs.values());
        left.forEach(JobRun::shutDown);
        return left.size();
    }

    private void awaitStart(HeldJob held, Instant at, JobRun run, BiConsumer<HeldJob, String> handBack) {
        Duration wait = Duration.between(node.clock().now(), at);
        if (wait.isNegative() || wait.isZero()) {
            start(held, at, run, handBack);
        } else {
            timer.after(wait, () -> start(held, at, run, handBack));
        }
    }

    private void start(HeldJob held, Instant at, JobRun run, BiConsumer<HeldJob, String> handBack) {
        if (held.isTrusted() && !node.clock().isTrusted()) {
            // the machine may have stood still, so that the lease is over: the renewals measure it
            timer.after(CLOCK_PAUSE, () -> start(held, at, run, handBack));
        } else if (node.clock().now().isBefore(at)) {
            awaitStart(held, at, run, handBack);
        } else if (!open || !held.isTrusted()) {
            if (held.state() == HeldJob.State.WAITING) {
                handBack.accept(held, open ? "it could not be started in time" : "the node is shutting down");
            }
        } else {
            startUnlessPaused(held, run, handBack);
        }
    }

    /** The claim may have taken long, and a pause may have come meanwhile (rule X10). */
    private void startUnlessPaused(HeldJob held, JobRun run, BiConsumer<HeldJob, String> handBack) {
        StartGate.Answer answer = gate.ask(held.job(), held.readNanos());
        if (answer == StartGate.Answer.UNKNOWN) {
            outdated.accept(held);
        } else if (answer == StartGate.Answer.HELD && held.state() == HeldJob.State.WAITING) {
            handBack.accept(held, "it is paused");
        } else if (answer == StartGate.Answer.OPEN && held.move(HeldJob.State.WAITING, HeldJob.State.RUNNING)) {
            call(held, run, handBack);
        }
    }

    private void call(HeldJob held, JobRun run, BiConsumer<HeldJob, String> handBack) {
        held.onInterrupt(run::interrupt);
        runs.put(held, run);
        try {
            run.handOver(executor, helpers);
        } catch (RejectedExecutionException e) {
            runs.remove(held);
            held.move(HeldJob.State.RUNNING, HeldJob.State.WAITING);
            refused.accept(held.id(), REFUSED_PAUSE);
            handBack.accept(held, "the executor has refused it: " + e.getCause());
            return;
        }
        Duration timeout = held.job().specification().executionTimeout();
        if (timeout != null) {
            watch(held, run, timeout);
        }
    }

    /** The time of a run counts from the call of its helper: the executor may have let it wait. */
    private void watch(HeldJob held, JobRun run, Duration timeout) {
        Duration left = run.leftOf(timeout);
        if (left.isNegative() || left.isZero()) {
            run.timeOut(timeout);
            return;
        }
        alarms.put(held, timer.after(left, () -> watch(held, run, timeout)));
        if (run.isOver()) {
            unwatch(held);
        }
    }

    /** What has ended must not be kept until its time would have been over. */
    private void unwatch(HeldJob held) {
        Lane.Alarm alarm = alarms.remove(held);
        if (alarm != null) {
            alarm.cancel();
        }
    }

    private void ended(HeldJob held, RunResult result) {
        runs.remove(held);
        unwatch(held);
        if (held.move(HeldJob.State.RUNNING, HeldJob.State.ENDING)) {
            completions.ended(held, result);
        }
    }
}
