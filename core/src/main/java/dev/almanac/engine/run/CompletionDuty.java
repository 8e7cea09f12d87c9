package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.rules.CompletionDecider;
import dev.almanac.engine.rules.DecisionContext;
import dev.almanac.engine.rules.FailurePause;
import dev.almanac.engine.rules.RunResult;
import dev.almanac.engine.rules.Transitions;
import dev.almanac.engine.run.PendingWrite.Refusal;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.JobSpecification;
import dev.almanac.runtime.Lane;
import dev.almanac.store.JobChange;
import dev.almanac.store.Phase;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what was decided about held jobs (rules P4 to P6), by natural batching: what ends while a write is under way
 * shares the next one. The trust window is checked before every write; a job whose window is over is left to
 * recovery. Writes of one job go one after the other. A batch that fails is split, down to writes of one change, so that
 * one that stalls or is refused does not affect the others (rules X3, X9).
 */
public final class CompletionDuty {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionDuty.class);
    private static final int PARTS_AT_A_TIME = 16;
    private static final Duration CLOCK_PAUSE = Duration.ofMillis(200);

    private final Node node;
    private final HeldJobs jobs;
    private final Reachability reachability;
    private final Lane timer;
    private final Executor threads;
    private final WriteQueue together;
    private final WriteQueue split;
    private volatile Consumer<StoredJob> next = job -> {};
    private volatile Consumer<StoredJob> late = job -> {};
    private volatile Consumer<HeldJob> judged = held -> {};

    /**
     * @param timer delays writes that are tried again
     * @param threads run writes and calendar code, which may hang
     */
    public CompletionDuty(Node node, HeldJobs jobs, Reachability reachability, Lane timer, Executor threads) {
        this.node = node;
        this.jobs = jobs;
        this.reachability = reachability;
        this.timer = timer;
        this.threads = threads;
        this.together = new WriteQueue(node, node.settings().completionsInFlight(), threads, timer, this::write);
        this.split = new WriteQueue(node, PARTS_AT_A_TIME, threads, timer, this::write);
    }

    /** {@code callback} is notified of each job that is planned again, {@code tooLate} of plans that were written late (rule C5). */
    public void onNext(Consumer<StoredJob> callback, Consumer<StoredJob> tooLate) {
        this.next = callback;
        this.late = tooLate;
    }

    /** Decides by the calendars as they are known now. */
    CompletionDecider decider() {
        return new CompletionDecider(node.planner());
    }

    /** Notified of each run that has ended and has follow-ups, once its verdict is durable. */
    void onVerdict(Consumer<HeldJob> callback) {
        this.judged = callback;
    }

    /** The run has ended: decides and writes what follows. */
    void ended(HeldJob held, RunResult result) {
        PendingWrite.Decide decide = (job, context, refused) -> decider().decide(job, result, context, refused);
        submit(new PendingWrite(held, decide, change -> finished(held, change), null, Refusal.BLOCK));
    }

    /** The run has exceeded its timeout and its code still runs: writes that at once and keeps the claim (rule X8). */
    void timedOut(HeldJob held, @Nullable Instant started, @Nullable Instant asked, ErrorSummary error) {
        PendingWrite.Decide decide =
                (job, context, refused) -> Transitions.timedOut(job, started, asked, error, context);
        submit(new PendingWrite(held, decide, change -> report(held, change), null, Refusal.DROP));
    }

    /** The job cannot be run as it is stored: it is blocked until it is repaired. */
    void blockWaiting(HeldJob held, String reason) {
        if (held.move(HeldJob.State.WAITING, HeldJob.State.ENDING)) {
            block(held, reason);
        }
    }

    private void block(HeldJob held, String reason) {
        node.events().emit(new SchedulerEvent.JobBlocked(held.job().key(), reason));
        PendingWrite.Decide decide = (job, context, refused) -> Transitions.block(job, reason, context);
        submit(new PendingWrite(held, decide, change -> finished(held, change), null, Refusal.BLOCK_WITHOUT_ROW));
    }

    private void blockWithoutRow(HeldJob held, String reason) {
        PendingWrite.Decide decide = (job, context, refused) -> Transitions.blockWithoutRow(job, reason);
        submit(new PendingWrite(held, decide, change -> finished(held, change), null, Refusal.GIVE_UP));
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
        submit(new PendingWrite(held, (job, context, refused) -> change, applied, then, Refusal.BLOCK));
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
        submit(new PendingWrite(held, (job, context, refused) -> change, applied, changed, Refusal.BLOCK));
    }

    /** Releases the claim without a run (rule P6); false if the run has begun or the claim is over. */
    boolean release(HeldJob held, String reason) {
        if (!held.move(HeldJob.State.WAITING, HeldJob.State.ENDING)) {
            return false;
        }
        node.events().emit(new SchedulerEvent.ClaimReleased(held.job().key(), reason));
        PendingWrite.Decide decide = (job, context, refused) -> Transitions.releaseClaim(job, context);
        Consumer<JobChange> applied = change -> {
            jobs.end(held);
            report(held, change);
        };
        submit(new PendingWrite(held, decide, applied, null, Refusal.BLOCK));
        return true;
    }

    /** Drops a claim whose lease is lost: nothing more is written. */
    void lost(HeldJob held, String reason) {
        jobs.lose(held, reason);
    }

    void finished(HeldJob held, JobChange change) {
        if (change.after().phase() == Phase.FOLLOW && change.after().lease() != null) {
            judged.accept(held);
            return;
        }
        report(held, change);
        if (jobs.end(held)) {
            next.accept(change.after());
        }
    }

    private void report(HeldJob held, JobChange change) {
        String key = change.after().key();
        change.rows().forEach(row -> node.events().emit(new SchedulerEvent.RunRecorded(key, held.type(), row)));
        FailurePause.event(change).ifPresent(node.events()::emit);
    }

    void submit(PendingWrite write) {
        if (!write.held().mayWrite(write)) {
            return;
        }
        contained(List.of(write), () -> {
            if (write.asksCalendars(node)) {
                threads.execute(() -> contained(List.of(write), () -> decide(write)));
            } else {
                enqueue(write);
            }
        });
    }

    private void decide(PendingWrite write) {
        freshenCalendars(List.of(write));
        write.change(node.context());
        enqueue(write);
    }

    private void enqueue(PendingWrite write) {
        (write.isSplit() ? split : together).add(write);
    }

    /** The write is over, with any result; the next write of the job may be sent. */
    private void through(PendingWrite write) {
        PendingWrite following = write.held().written(write);
        if (following != null) {
            submit(following);
        }
    }

    private void write(List<PendingWrite> some) {
        contained(some, () -> {
            List<PendingWrite> batch = some.stream().filter(this::isHeld).toList();
            if (!batch.isEmpty() && !isClockWrong(batch)) {
                writeNow(batch);
            }
        });
    }

    private void writeNow(List<PendingWrite> batch) {
        freshenCalendars(batch);
        DecisionContext context = node.context();
        List<JobChange> changes =
                batch.stream().map(pending -> pending.change(context)).toList();
        try {
            answered(batch, changes, send(batch));
        } catch (WriteRefusedException e) {
            failed(open(batch), e);
        }
    }

    /**
     * Does a step of these writes. If it throws, at any point, none of them is lost: those that are not through are
     * tried again (rule X2).
     */
    private void contained(List<PendingWrite> some, Runnable step) {
        try {
            step.run();
        } catch (StoreException e) {
            tryAgain(open(some), reachability.failed("writing what was run", e));
        } catch (RuntimeException e) {
            failed(open(some), e);
        } catch (Error e) {
            failed(open(some), e);
            throw e;
        }
    }

    private static List<PendingWrite> open(List<PendingWrite> some) {
        return some.stream().filter(write -> write.held().isWriting(write)).toList();
    }

    /** After a suspension the server's time is measured first, since the trust windows of the runs may be over. */
    private boolean isClockWrong(List<PendingWrite> batch) {
        if (node.clock().isTrusted()) {
            return false;
        }
        Duration pause = node.clock().confirm(node.store()) ? Duration.ZERO : CLOCK_PAUSE;
        timer.after(pause, () -> batch.forEach(this::enqueue));
        return true;
    }

    /** The calendars are to be as fresh as a claim needs them, so that the next fires can be planned (rule C5). */
    private void freshenCalendars(List<PendingWrite> batch) {
        List<JobSpecification> jobs =
                batch.stream().map(write -> write.held().job().specification()).toList();
        node.calendars().freshen(jobs, node.store().cluster(), node.clock());
    }

    private List<Boolean> send(List<PendingWrite> batch) {
        List<JobChange> changes = batch.stream().map(PendingWrite::written).toList();
        long sent = node.clock().nanos();
        List<Boolean> applied = node.store().write(changes);
        reachability.answered();
        Duration took = Duration.ofNanos(node.clock().nanos() - sent);
        node.events().emit(new SchedulerEvent.BatchWritten(changes.size(), Collections.frequency(applied, true), took));
        return applied;
    }

    private boolean isHeld(PendingWrite write) {
        boolean held = write.held().isTrusted();
        if (!held) {
            lose(write, "its trust window was over before it could be recorded");
        }
        return held;
    }

    private void lose(PendingWrite write, String reason) {
        jobs.lose(write.held(), reason);
        through(write);
    }

    /** Tries the changes again after a growing pause, in smaller batches from now on. */
    private void tryAgain(List<PendingWrite> batch, Duration pause) {
        if (batch.size() > 1) {
            batch.forEach(write -> write.split(batch.size()));
        }
        // those that wait equally long share a step, so that they share writes, too
        batch.stream()
                .collect(Collectors.groupingBy(write -> write.tries().next(pause)))
                .forEach((wait, some) -> timer.after(wait, () -> some.forEach(this::submit)));
    }

    /** Tries the changes again apart, so that one stops no other; only one that was by itself can be refused. */
    private void failed(List<PendingWrite> batch, Throwable e) {
        Duration least = Tries.least(e, "writing what was run", reachability);
        if (batch.size() == 1 && batch.get(0).tries().isRefused(e)) {
            RunLog.during(batch.get(0).held().job(), () -> refused(batch.get(0), e));
        } else {
            tryAgain(batch, least);
        }
    }

    private void refused(PendingWrite write, Throwable e) {
        HeldJob held = write.held();
        LOG.error(
                "the store refuses to write a change of job '{}'",
                Printable.value(held.job().key()),
                e);
        String reason = "a change of it was refused: " + ErrorSummary.of(e).message();
        through(write);
        switch (write.refusal()) {
            case BLOCK -> {
                held.move(HeldJob.State.WAITING, HeldJob.State.ENDING);
                block(held, reason);
            }
            case BLOCK_WITHOUT_ROW -> blockWithoutRow(held, reason);
            case GIVE_UP -> jobs.lose(held, "it cannot be written: " + reason);
            case DROP -> LOG.debug("its run goes on without that");
        }
    }

    private void answered(List<PendingWrite> batch, List<JobChange> changes, List<Boolean> applied) {
        List<PendingWrite> refused = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (applied.get(i)) {
                finish(batch.get(i), changes.get(i));
            } else {
                refused.add(batch.get(i));
            }
        }
        if (!refused.isEmpty()) {
            resolve(refused);
        }
    }

    private void finish(PendingWrite write, JobChange change) {
        if (!change.after().isLive()) {
            node.clock().ended(change.after().lastStatus().updatedTime());
        }
        write.held().applied(change.after());
        write.applied(change);
        if (write.isLate(node)) {
            late.accept(change.after());
        }
        through(write);
    }

    /** Reads the documents of refused changes, to find out why: applied, changed by a user, or lease lost. */
    private void resolve(List<PendingWrite> refused) {
        List<String> ids = refused.stream().map(w -> w.held().id()).toList();
        Map<String, StoredJob> stored =
                node.store().load(ids).stream().collect(Collectors.toMap(StoredJob::id, Function.identity()));
        refused.forEach(write -> resolve(write, stored.get(write.held().id())));
    }

    private void resolve(PendingWrite write, @Nullable StoredJob stored) {
        JobChange change = write.change(node.context());
        boolean removed =
                stored == null && write.written().removes() && write.held().isTrusted();
        if (removed || stored != null && PendingWrite.isApplied(change, stored)) {
            finish(write, change);
        } else if (stored == null
                || stored.lease() == null
                || stored.lease().token() != write.held().token()) {
            lose(write, "another node has taken the job over");
        } else if (write.decideAgain(stored)) {
            submit(write);
        } else {
            through(write);
            write.changed();
        }
    }
}
