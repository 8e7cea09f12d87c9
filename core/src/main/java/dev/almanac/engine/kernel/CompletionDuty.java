package dev.almanac.engine.kernel;

import dev.almanac.engine.kernel.PendingWrite.Refusal;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.rules.Decision;
import dev.almanac.engine.rules.FailurePause;
import dev.almanac.engine.rules.RunResult;
import dev.almanac.engine.rules.Transitions;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ErrorSummary;
import dev.almanac.store.JobChange;
import dev.almanac.store.Phase;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides how claims end and what is written about them meanwhile (rules P4 to P6). */
public final class CompletionDuty {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionDuty.class);
    /** Names what calendars have failed at. */
    static final String PLANNING = "planning a fire";

    private final Node node;
    private final HeldJobs jobs;
    private final HeldWrites writes;
    private final FollowDuty follows;
    private final Signals signals;

    /**
     * @param threads run writes and calendar code, which may hang
     */
    public CompletionDuty(
            Node node,
            HeldJobs jobs,
            Reachability reachability,
            Kernel kernel,
            Executor threads,
            FollowDuty.Way follow,
            Signals signals) {
        this.node = node;
        this.jobs = jobs;
        this.writes = new HeldWrites(node, jobs, reachability, kernel, threads, this::refused, signals);
        this.follows = new FollowDuty(node, kernel, this, follow, reachability);
        this.signals = signals;
    }

    /** The verdict of a run is durable, and its follow-ups may not be stored yet. */
    void follow(HeldJob held) {
        follows.follow(held);
    }

    /**
     * The run has ended: decides and writes what follows. May be called again.
     *
     * @throws Error of this thread; then this is to be called again
     */
    void ended(HeldJob held, RunResult result) {
        held.end(HeldJob.State.RUNNING, end(held, result));
        writes.goOn(held);
    }

    /** Ends the claim unless its run has begun; returns whether it had not. */
    private boolean unstarted(HeldJob held, PendingWrite last) {
        boolean unstarted = held.end(HeldJob.State.WAITING, last);
        writes.goOn(held);
        return unstarted;
    }

    private PendingWrite end(HeldJob held, RunResult result) {
        PendingWrite.Decide decide = (job, context, decider) -> decider.decide(job, result, context);
        return new PendingWrite(held, decide, change -> finished(held, change), null, Refusal.BLOCK).planning();
    }

    /** The run has exceeded its timeout and its code still runs: writes that at once and keeps the claim (rule X8). */
    void timedOut(HeldJob held, @Nullable Instant started, @Nullable Instant asked, ErrorSummary error) {
        PendingWrite.Decide decide =
                (job, context, decider) -> Transitions.timedOut(job, started, asked, error, context);
        submit(new PendingWrite(held, decide, change -> report(held, change), null, Refusal.DROP));
    }

    /** The job cannot be run as it is stored: it is blocked until it is repaired. */
    void blockWaiting(HeldJob held, String reason) {
        unstarted(held, block(held, (job, context, decider) -> Transitions.block(job, reason, context)));
    }

    /** What a user asked to run cannot be run, and says nothing about the job: that run has failed. */
    void failWaiting(HeldJob held, RunResult result) {
        unstarted(held, end(held, result));
    }

    private PendingWrite block(HeldJob held, PendingWrite.Decide decide) {
        return new PendingWrite(held, decide, change -> finished(held, change), null, Refusal.GIVE_UP);
    }

    /**
     * Writes a change that keeps the claim.
     *
     * @param durable is notified once the change is durable
     * @param then what follows that, or a change of a user's that came first
     */
    void prepare(HeldJob held, JobChange change, BiConsumer<HeldJob, JobChange> durable, Runnable then) {
        Consumer<JobChange> applied = done -> {
            durable.accept(held, done);
            report(held, done);
            then.run();
        };
        submit(new PendingWrite(held, (job, context, decider) -> change, applied, then, Refusal.BLOCK));
    }

    /**
     * Writes a change that ends the claim without a run.
     *
     * @param durable is notified once it is
     * @param changed what follows if a user has changed the job first
     */
    void settle(HeldJob held, JobChange change, BiConsumer<HeldJob, JobChange> durable, Runnable changed) {
        Consumer<JobChange> applied = done -> {
            jobs.end(held);
            durable.accept(held, done);
            report(held, done);
        };
        submit(new PendingWrite(held, (job, context, decider) -> change, applied, changed, Refusal.BLOCK));
    }

    /** Releases the claim without a run (rule P6); false if the run has begun or the claim is over. */
    boolean release(HeldJob held, String reason) {
        return unstarted(held, release(held, reason, Refusal.BLOCK));
    }

    /** Releases the claim as {@link #release}, and leaves the job to other nodes for that long. */
    boolean leave(HeldJob held, String reason, Duration pause) {
        boolean unstarted = release(held, reason);
        if (unstarted) {
            signals.leftToOthers(held.id(), pause, reason);
        }
        return unstarted;
    }

    private PendingWrite release(HeldJob held, String reason, Refusal refusal) {
        PendingWrite.Decide decide = (job, context, decider) -> Transitions.releaseClaim(job, context);
        Consumer<JobChange> applied = change -> {
            jobs.end(held);
            node.events().emit(new SchedulerEvent.ClaimReleased(change.after().key(), reason));
            report(held, change);
        };
        return new PendingWrite(held, decide, applied, null, refusal);
    }

    /**
     * What follows cannot be written here; on another node it may be (rule X6). A claim whose helper was not called is
     * released. Otherwise its lease is left to expire, and the next claim recovers the run.
     */
    void leaveToOthers(HeldJob held, String reason) {
        boolean unstarted = held.move(HeldJob.State.WAITING, HeldJob.State.ENDING) || held.start() == null;
        if (unstarted) {
            signals.leftToOthers(held.id(), Decision.LEFT_TO_OTHERS, reason);
            submit(release(held, reason, Refusal.GIVE_UP));
        } else {
            giveUp(held, reason);
        }
    }

    /** Nothing more is written or renewed; once the lease is over, other nodes get the job first. */
    void giveUp(HeldJob held, String reason) {
        signals.leftToOthers(held.id(), node.settings().leaseLength().plus(Decision.LEFT_TO_OTHERS), reason);
        jobs.lose(held, reason);
    }

    /** Drops a claim whose lease is lost: nothing more is written. */
    void lost(HeldJob held, String reason) {
        jobs.lose(held, reason);
    }

    void finished(HeldJob held, JobChange change) {
        if (change.after().phase() == Phase.FOLLOW && change.after().lease() != null) {
            follow(held);
            return;
        }
        report(held, change);
        if (jobs.end(held)) {
            signals.goesOn(change.after());
        }
    }

    private void report(HeldJob held, JobChange change) {
        String key = change.after().key();
        change.rows().forEach(row -> node.events().emit(new SchedulerEvent.RunRecorded(key, held.type(), row)));
        FailurePause.event(change).ifPresent(node.events()::emit);
        Transitions.blockEvent(change).ifPresent(node.events()::emit);
    }

    void submit(PendingWrite write) {
        writes.submit(write);
    }

    /** The lease is held still: what was to be written and was lost on the way is written. */
    void watched(HeldJob held) {
        writes.goOn(held);
    }

    /** The kernel begins again: each end goes on where it was. */
    public void beginAgain() {
        writes.beginAgain();
        for (HeldJob held : jobs.all()) {
            if (held.state() == HeldJob.State.ENDING && !held.hasWrites()) {
                goOn(held);
            }
        }
    }

    /** Only a step of the kernel ends a claim without its write, so that step was lost. */
    private void goOn(HeldJob held) {
        if (held.job().phase() == Phase.FOLLOW && held.job().lease() != null) {
            follow(held);
        } else if (held.start() == null) {
            held.move(HeldJob.State.ENDING, HeldJob.State.WAITING);
        } else {
            jobs.drop(held, "how it was to end is not known any more");
        }
    }

    /** The write is tried no more. */
    private void refused(PendingWrite write, Throwable e) {
        HeldJob held = write.held();
        String how = e instanceof WriteRefusedException ? "was refused: " : "cannot be written here: ";
        String reason = "a change of it " + how + ErrorSummary.of(e).message();
        LOG.error("job '{}': {}", Printable.value(held.job().key()), Printable.value(reason));
        switch (write.refusal(e)) {
            case BLOCK -> {
                held.move(HeldJob.State.WAITING, HeldJob.State.ENDING);
                boolean started = held.start() != null;
                JobChange refused = write.written();
                submit(block(
                        held,
                        (job, context, decider) -> Transitions.blockRefused(job, refused, started, reason, context)));
            }
            case LEAVE_TO_OTHERS -> leaveToOthers(held, reason);
            case GIVE_UP -> giveUp(held, reason);
            case DROP -> LOG.debug("its run goes on without that");
        }
    }
}
