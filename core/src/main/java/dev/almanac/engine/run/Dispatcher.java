package dev.almanac.engine.run;

import dev.almanac.engine.node.Kernel;
import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Signals;
import dev.almanac.engine.rules.BackfillOrder;
import dev.almanac.engine.rules.Decision;
import dev.almanac.engine.rules.FireDecider;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes claimed jobs, asks the decider about each, and carries out the decision: start, write, or release. */
public final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private static final Duration READ_PAUSE = Duration.ofMillis(500);
    private static final Duration LONG_PASSED = Duration.ofMinutes(1);
    /** So many fires are counted at once. */
    private static final int FEW = 200;

    private final Node node;
    private final HeldJobs jobs;
    private final CompletionDuty completions;
    private final Starter starter;
    private final Kernel kernel;
    private final StartGate gate;
    private final Signals signals;

    public Dispatcher(
            Node node, HeldJobs jobs, CompletionDuty completions, Starter.Parts parts, Kernel kernel, Signals signals) {
        this.node = node;
        this.jobs = jobs;
        this.completions = completions;
        this.kernel = kernel;
        this.gate = parts.gate();
        this.signals = signals;
        this.starter = new Starter(node, completions, parts, this, signals);
    }

    /** What starts the claims that this decides to start. */
    public Starter starter() {
        return starter;
    }

    /**
     * Throws nothing, also where one of the jobs fails: an answer that was used in part must not count as lost, since
     * it would be confirmed and used again.
     *
     * @param sent when the acknowledged claim, or the renewal that confirmed it, was sent
     */
    public void accept(List<StoredJob> claimed, long sent) {
        for (StoredJob job : claimed) {
            try {
                begin(new HeldJob(node, job, sent));
            } catch (RuntimeException | Error e) {
                // its lease is left to expire
                node.events().failures().add("taking a claimed job", e);
            }
        }
    }

    private void begin(HeldJob held) {
        try {
            if (jobs.begin(held)) {
                decide(held);
            }
        } catch (RuntimeException | Error e) {
            releaseUndecided(held, e);
        }
    }

    /** Decides about one job, on a thread if that may take long. */
    private void decide(HeldJob held) {
        StoredJob job = held.job();
        if (mayTakeLong(job)) {
            onOwnThread(held, () -> {
                node.calendars().freshenFor(List.of(job), node.store().cluster(), node.clock());
                Decision decision = decideInOrder(job);
                return () -> carryOutUnlessChanged(held, job, decision);
            });
        } else {
            guarded(held, () -> carryOut(held, decider().decide(job, node.context())));
        }
    }

    /**
     * Calendars are code of the service, which may hang, and are to be as fresh as claims need them (rule C5); fires of a
     * backfill run in their order, which is read; fires that have passed are counted, up to a million.
     */
    private boolean mayTakeLong(StoredJob job) {
        Instant fire = job.plan().nextFireTime();
        Instant now = node.clock().now();
        return !job.specification().calendars().isEmpty()
                || BackfillOrder.concerns(job)
                || fire != null
                        && job.specification().isRecurring()
                        && fire.isBefore(now.minus(LONG_PASSED))
                        && node.planner().passed(job.specification(), job.plan(), now, FEW) >= FEW;
    }

    /** A user may have changed the job meanwhile. */
    private void carryOutUnlessChanged(HeldJob held, StoredJob decided, Decision decision) {
        if (held.job().revision().number() == decided.revision().number()) {
            carryOut(held, decision);
        } else {
            decide(held);
        }
    }

    private Decision decideInOrder(StoredJob job) {
        if (BackfillOrder.concerns(job)) {
            List<StoredJob> found =
                    node.store().list(BackfillOrder.earlier(job)).jobs();
            JobChange behind = BackfillOrder.behind(job, found, node.context()).orElse(null);
            if (behind != null) {
                return new Decision.Settle(behind);
            }
        }
        return decider().decide(job, node.context());
    }

    /** Decides by the calendars as they are known now. */
    private FireDecider decider() {
        return new FireDecider(node.planner());
    }

    /**
     * Does work that may hang on a thread of its own, then what it returns as a step of the kernel; again until the store
     * answers or the lease is over. Without a thread the claim is released.
     */
    private void onOwnThread(HeldJob held, Supplier<Runnable> work) {
        kernel.call(
                starter.ownThreads(),
                work,
                next -> guarded(held, next),
                e -> guarded(held, () -> unread(held, work, e)));
    }

    private void unread(HeldJob held, Supplier<Runnable> work, Throwable e) {
        if (!(e instanceof StoreException)) {
            releaseUndecided(held, e);
        } else if (held.isTrusted()) {
            kernel.after(READ_PAUSE, () -> onOwnThread(held, work));
        } else {
            jobs.lose(held, "its document could not be read in time");
        }
    }

    /**
     * A step about one job. A failure comes from code of the service, such as a command or calendar, and must not affect
     * other jobs.
     */
    private void guarded(HeldJob held, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            releaseUndecided(held, e);
        }
    }

    /**
     * The document of a job, or the pauses, were read too long ago to start it: it may have been paused, changed or
     * cancelled (rule X10), and is read and decided again. Any thread may call this.
     */
    void outdated(HeldJob held) {
        onOwnThread(held, () -> {
            if (held.state() != HeldJob.State.WAITING) {
                return () -> {};
            }
            return read(held) ? () -> decide(held) : () -> jobs.lose(held, "another node has taken the job over");
        });
    }

    /** Reads the job again; true if it is unchanged and no calendar excludes its fire, so that the decision still holds. */
    boolean isStillTheSame(HeldJob held) {
        long version = held.job().specification().version();
        try {
            return read(held)
                    && held.job().specification().version() == version
                    && !isPaused(held)
                    && decider().isStillOpen(held.job());
        } catch (RuntimeException | Error e) {
            // the store gives no answer, or a calendar fails: it is decided again
            return false;
        }
    }

    /** Whether its own pause has begun, of which nothing but the time tells (rule S18). */
    private static boolean isPaused(HeldJob held) {
        Pause pause = held.job().requests().pause();
        return pause != null && pause.isInForce(held.now());
    }

    /** Reads pauses and document again; false if another node holds the lease. */
    private boolean read(HeldJob held) {
        if (gate.ask(held.job(), node.clock().nanos()) == StartGate.Answer.UNKNOWN) {
            gate.refresh();
        }
        long sent = node.clock().nanos();
        Optional<StoredJob> read = node.store().load(List.of(held.id())).stream()
                .filter(job -> job.isHeldWith(held.token()))
                .findFirst();
        read.ifPresent(job -> held.readAgain(job, sent));
        return read.isPresent();
    }

    /** Releases the claim; if that fails too, nothing works on it any more, and its lease is left to expire. */
    private void releaseUndecided(HeldJob held, Throwable e) {
        LOG.error(
                "this node cannot decide how to continue with job '{}', and leaves it to other nodes for a while",
                Printable.value(held.job().key()),
                e);
        if (held.state() == HeldJob.State.WAITING) {
            try {
                signals.leftToOthers(held.id(), Decision.LEFT_TO_OTHERS);
                completions.release(
                        held, "it cannot be decided here: " + e.getClass().getName());
            } catch (RuntimeException | Error second) {
                jobs.lose(held, "it can be neither decided nor released here: " + second);
            }
        }
    }

    private void carryOut(HeldJob held, Decision decision) {
        if (held.state() != HeldJob.State.WAITING) {
            // released or lost meanwhile
            return;
        }
        if (decision instanceof Decision.Start && !starter.knows(held)) {
            signals.leftToOthers(held.id(), Decision.LEFT_TO_OTHERS);
            completions.release(
                    held,
                    "this node does not know its command type "
                            + held.job().command().type() + " in version "
                            + held.job().command().version());
        } else if (decision instanceof Decision.Start start) {
            starter.startAt(held, start);
        } else if (decision instanceof Decision.Prepare prepare) {
            prepare(held, prepare.change());
        } else if (decision instanceof Decision.Settle settle) {
            settle(held, settle.change());
        } else if (decision instanceof Decision.Follow) {
            ending(held, () -> completions.follow(held));
        } else if (decision instanceof Decision.Release release) {
            release(held, release);
        }
    }

    private void release(HeldJob held, Decision.Release release) {
        if (release.failure() != null) {
            node.events().failures().add("planning a fire", release.failure());
        }
        signals.leftToOthers(held.id(), release.pause());
        completions.release(held, release.reason());
    }

    private void prepare(HeldJob held, JobChange change) {
        completions.prepare(held, change, this::report, () -> decide(held));
    }

    private void settle(HeldJob held, JobChange change) {
        ending(held, () -> completions.settle(held, change, this::report, () -> decideAgain(held)));
    }

    /** Begins to end a claim without a run; if that fails, nothing works on it any more, and its lease is left to expire. */
    private void ending(HeldJob held, Runnable work) {
        held.move(HeldJob.State.WAITING, HeldJob.State.ENDING);
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            jobs.lose(held, "its end could not be begun here: " + e);
            throw e;
        }
    }

    private void decideAgain(HeldJob held) {
        held.move(HeldJob.State.ENDING, HeldJob.State.WAITING);
        decide(held);
    }

    private void report(HeldJob held, JobChange change) {
        Outcome recovered = null;
        for (JobExecutionStatus row : change.rows()) {
            if (row.outcome() == Outcome.ABANDONED || row.outcome() == Outcome.CRASHED) {
                recovered = row.outcome();
            } else if (row.outcome() == Outcome.MISSED && row.missed() != null) {
                node.events().emit(new SchedulerEvent.FiresMissed(held.job().key(), row.missed()));
            }
        }
        if (recovered != null) {
            // an abandoned run that has crashed for good has two rows, and is one
            long abandoned = change.before().sequences().recovered().crashes();
            node.events().emit(new SchedulerEvent.RunRecovered(held.job().key(), abandoned, recovered));
        }
    }
}
