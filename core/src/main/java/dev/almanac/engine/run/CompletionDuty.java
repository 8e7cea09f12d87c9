package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.rules.CompletionDecider;
import dev.almanac.engine.rules.Moment;
import dev.almanac.engine.rules.Rows;
import dev.almanac.engine.rules.RunResult;
import dev.almanac.engine.rules.Transitions;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.runtime.Lane;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
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
 * recovery.
 */
public final class CompletionDuty {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionDuty.class);

    /** After a measurement that told nothing. */
    private static final Duration CLOCK_PAUSE = Duration.ofMillis(200);

    private final Node node;
    private final CompletionDecider decider;
    private final HeldJobs jobs;
    private final Reachability reachability;
    private final Lane lane;
    private final Consumer<StoredJob> next;
    private final Queue<PendingWrite> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger writers = new AtomicInteger();

    /** @param next is told of each job that goes on after a run, so that a fire or retry that is due soon is not missed */
    public CompletionDuty(
            Node node,
            CompletionDecider decider,
            HeldJobs jobs,
            Reachability reachability,
            Lane lane,
            Consumer<StoredJob> next) {
        this.node = node;
        this.decider = decider;
        this.jobs = jobs;
        this.reachability = reachability;
        this.lane = lane;
        this.next = next;
    }

    /** The run has ended; the job goes on as the rules say, or is over. */
    void ended(HeldJob held, RunResult result) {
        submit(new PendingWrite(
                held,
                (job, moment, refused) -> decider.decide(job, result, moment, refused),
                change -> {
                    jobs.end(held);
                    tell(held, change);
                    next.accept(change.after());
                },
                null));
    }

    /** The job cannot be run as it is; it waits, visibly, to be mended. */
    void setAside(HeldJob held, String reason) {
        node.events().emit(new SchedulerEvent.JobSetAside(held.job().key(), reason));
        submit(new PendingWrite(
                held,
                (job, moment, refused) -> Transitions.setAside(job, reason, moment),
                change -> {
                    jobs.end(held);
                    tell(held, change);
                },
                null));
    }

    /**
     * Writes what keeps the claim.
     *
     * @param durable is told once it is
     * @param then what follows that, or a change of a user's that came first
     */
    void prepare(HeldJob held, JobChange change, BiConsumer<HeldJob, JobChange> durable, Runnable then) {
        submit(new PendingWrite(
                held,
                (job, moment, refused) -> change,
                applied -> {
                    durable.accept(held, applied);
                    tell(held, applied);
                    then.run();
                },
                then));
    }

    /**
     * Writes what ends the claim without a run.
     *
     * @param durable is told once it is
     * @param changed what follows if a user has changed the job first
     */
    void settle(HeldJob held, JobChange change, BiConsumer<HeldJob, JobChange> durable, Runnable changed) {
        submit(new PendingWrite(
                held,
                (job, moment, refused) -> change,
                applied -> {
                    jobs.end(held);
                    durable.accept(held, applied);
                    tell(held, applied);
                },
                changed));
    }

    /** Nothing was run; the job goes back as it is (rule P6). */
    void handBack(HeldJob held, String reason) {
        node.events().emit(new SchedulerEvent.HandedBack(held.job().key(), reason));
        submit(new PendingWrite(
                held,
                (job, moment, refused) -> Transitions.handBack(job, moment),
                change -> {
                    jobs.end(held);
                    tell(held, change);
                },
                null));
    }

    private void tell(HeldJob held, JobChange change) {
        for (JobExecutionStatus row : change.rows()) {
            node.events().emit(new SchedulerEvent.RunRecorded(change.after().key(), held.type(), row));
        }
    }

    private void submit(PendingWrite write) {
        queue.add(write);
        wake();
    }

    private void wake() {
        int now = writers.get();
        while (now < node.settings().completionsInFlight()) {
            if (writers.compareAndSet(now, now + 1)) {
                lane.run(this::writeAll);
                return;
            }
            now = writers.get();
        }
    }

    private void writeAll() {
        try {
            List<PendingWrite> batch = next();
            while (!batch.isEmpty()) {
                write(batch);
                batch = next();
            }
        } finally {
            writers.decrementAndGet();
        }
        if (!queue.isEmpty()) {
            wake();
        }
    }

    private List<PendingWrite> next() {
        List<PendingWrite> batch = new ArrayList<>();
        PendingWrite write = batch.size() < node.settings().completionBatch() ? queue.poll() : null;
        while (write != null) {
            if (write.held().isTrusted()) {
                batch.add(write);
            } else {
                jobs.lose(write.held(), "its trust window was over before it could be recorded");
            }
            write = batch.size() < node.settings().completionBatch() ? queue.poll() : null;
        }
        return batch;
    }

    /** A machine that stood still learns first for how long: the trust windows of its runs may be over. */
    private boolean isClockWrong(List<PendingWrite> batch) {
        if (node.clock().isTrusted()) {
            return false;
        }
        Duration pause;
        try {
            pause = node.clock().confirm(node.store()) ? Duration.ZERO : CLOCK_PAUSE;
        } catch (StoreException e) {
            pause = reachability.failed("asking for the server's time", e);
        }
        lane.after(pause, () -> batch.forEach(this::submit));
        return true;
    }

    private void write(List<PendingWrite> batch) {
        if (isClockWrong(batch) || !calendarsAreFresh(batch)) {
            return;
        }
        Moment moment = node.moment();
        List<JobChange> changes =
                batch.stream().map(pending -> pending.change(moment)).toList();
        long sent = node.clock().nanos();
        try {
            List<Boolean> applied =
                    node.store().write(changes.stream().map(Rows::withRequested).toList());
            reachability.answered();
            settle(batch, changes, applied);
            int count = (int) applied.stream().filter(a -> a).count();
            Duration took = Duration.ofNanos(node.clock().nanos() - sent);
            node.events().emit(new SchedulerEvent.BatchWritten(changes.size(), count, took));
        } catch (StoreException e) {
            Duration pause = reachability.failed("writing what was run", e);
            lane.after(pause, () -> batch.forEach(this::submit));
        } catch (RuntimeException e) {
            singleOut(batch, e);
        }
    }

    /** What follows a run is planned by calendars that are as fresh as a claim needs them (rule C5). */
    private boolean calendarsAreFresh(List<PendingWrite> batch) {
        List<String> names = batch.stream()
                .flatMap(pending -> pending.held().job().specification().calendars().stream())
                .toList();
        try {
            node.calendars().freshen(names, node.store().cluster(), node.clock());
            return true;
        } catch (StoreException e) {
            Duration pause = reachability.failed("reading calendars", e);
            lane.after(pause, () -> batch.forEach(this::submit));
            return false;
        }
    }

    /** One change that cannot be written must not take the others with it. */
    private void singleOut(List<PendingWrite> batch, RuntimeException e) {
        if (batch.size() > 1) {
            batch.forEach(pending -> write(List.of(pending)));
            return;
        }
        HeldJob held = batch.get(0).held();
        RunLog.during(held.job(), () -> {
            LOG.error(
                    "what was run of job '{}' cannot be written",
                    Printable.value(held.job().key()),
                    e);
            jobs.lose(held, "it cannot be written: " + e.getMessage());
        });
    }

    private void settle(List<PendingWrite> batch, List<JobChange> changes, List<Boolean> applied) {
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
    }

    /** Reads again what refused a change, and finds out why: applied before, changed by a user, or lost. */
    private void resolve(List<PendingWrite> refused) {
        List<String> ids = refused.stream().map(w -> w.held().id()).toList();
        Map<String, StoredJob> stored;
        try {
            stored = node.store().load(ids).stream().collect(Collectors.toMap(StoredJob::id, Function.identity()));
        } catch (StoreException e) {
            Duration pause = reachability.failed("reading what refused a change", e);
            lane.after(pause, () -> refused.forEach(this::submit));
            return;
        }
        refused.forEach(write -> resolve(write, stored.get(write.held().id())));
    }

    private void resolve(PendingWrite write, @Nullable StoredJob stored) {
        JobChange change = write.change(node.moment());
        if (stored != null && isApplied(change, stored)) {
            finish(write, change);
        } else if (stored == null
                || stored.lease() == null
                || stored.lease().token() != write.held().token()) {
            jobs.lose(write.held(), "another node has taken the job over");
        } else if (write.decideAgain(stored)) {
            submit(write);
        }
    }

    /** Whether an earlier try of the change, whose reply was lost, is what the document shows. */
    private static boolean isApplied(JobChange change, StoredJob stored) {
        long claim = change.before().sequences().claimSeq();
        if (change.after().lease() == null) {
            return change.after().sequences().doneSeq() == claim
                    ? stored.sequences().doneSeq() >= claim
                    : stored.lease() == null && stored.sequences().claimSeq() == claim;
        }
        return stored.sequences().equals(change.after().sequences())
                && stored.plan().equals(change.after().plan())
                && stored.lastStatus().id().equals(change.after().lastStatus().id())
                && stored.specification().version()
                        == change.after().specification().version();
    }
}
