package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.node.Signals;
import dev.almanac.engine.rules.DecisionContext;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.FindScope;
import dev.almanac.runtime.Lane;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;
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

/**
 * Writes the changes of held jobs, by natural batching: what ends while a write is under way shares the next one. The
 * trust window is checked before every write; a job whose window is over is left to recovery. Writes of one job go one
 * after the other. A batch that fails is split, down to writes of one change, so that one that stalls or is refused does
 * not affect the others (rules X3, X9). Thread-safe.
 */
final class HeldWrites {
    private static final int PARTS_AT_A_TIME = 16;
    private static final Duration CLOCK_PAUSE = Duration.ofMillis(200);
    private static final Duration HISTORY_PAUSE = Duration.ofMillis(500);

    private final Node node;
    private final HeldJobs jobs;
    private final Reachability reachability;
    private final Lane timer;
    private final Executor threads;
    private final WriteQueue together;
    private final WriteQueue split;
    private final BiConsumer<PendingWrite, Throwable> givenUp;
    private final Signals signals;

    /** @param givenUp is notified of each write that is tried no more, and why; it is over then */
    HeldWrites(
            Node node,
            HeldJobs jobs,
            Reachability reachability,
            Lane timer,
            Executor threads,
            BiConsumer<PendingWrite, Throwable> givenUp,
            Signals signals) {
        this.node = node;
        this.jobs = jobs;
        this.reachability = reachability;
        this.timer = timer;
        this.threads = threads;
        this.givenUp = givenUp;
        this.signals = signals;
        this.together = new WriteQueue(node, node.settings().completionsInFlight(), threads, timer, this::write);
        this.split = new WriteQueue(node, PARTS_AT_A_TIME, threads, timer, this::write);
    }

    /** Writes a change as soon as those of the same job before it are through. */
    void submit(PendingWrite write) {
        if (!write.held().mayWrite(write)) {
            return;
        }
        retrying(List.of(write), () -> {
            if (write.asksCalendars(node)) {
                threads.execute(() -> retrying(List.of(write), () -> decide(write)));
            } else {
                enqueue(write);
            }
        });
    }

    private void decide(PendingWrite write) {
        freshenCalendars(List.of(write));
        write.change(node.context(), node.random().nextLong());
        enqueue(write);
    }

    private void enqueue(PendingWrite write) {
        (write.isSplit() ? split : together).add(write);
    }

    /** The write is over, with any result; the next write of the job may be sent. */
    private void sendNext(PendingWrite write) {
        PendingWrite following = write.held().written(write);
        if (following != null) {
            submit(following);
        }
    }

    private void write(List<PendingWrite> some) {
        retrying(some, () -> {
            loseUntrusted(some);
            List<PendingWrite> batch = open(some);
            if (batch.isEmpty()) {
                return;
            }
            if (!node.clock().isTrusted()) {
                // after a suspension the trust windows of the runs may be over, which the server's time shows
                enqueueAfter(node.clock().confirm(node.store()) ? Duration.ZERO : CLOCK_PAUSE, batch);
            } else if (node.history().isFull()) {
                // as long as there is no room for their rows, ends wait under their leases (rule N2)
                enqueueAfter(HISTORY_PAUSE, batch);
            } else {
                writeNow(batch);
            }
        });
    }

    private void writeNow(List<PendingWrite> batch) {
        freshenCalendars(batch);
        DecisionContext context = node.context();
        long drawn = node.random().nextLong();
        List<JobChange> changes =
                batch.stream().map(pending -> pending.change(context, drawn)).toList();
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
    private void retrying(List<PendingWrite> some, Runnable step) {
        try {
            step.run();
        } catch (StoreException e) {
            tryAgain(open(some), reachability.unanswered(Reachability.WRITES, e));
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

    private void enqueueAfter(Duration pause, List<PendingWrite> batch) {
        timer.after(pause, () -> batch.forEach(this::enqueue));
    }

    /** The calendars are to be as fresh as a claim needs them, so that the next fires can be planned (rule C5). */
    private void freshenCalendars(List<PendingWrite> batch) {
        List<StoredJob> jobs = batch.stream().map(write -> write.held().job()).toList();
        node.calendars().freshenFor(jobs, node.store().cluster(), node.clock());
    }

    private List<Boolean> send(List<PendingWrite> batch) {
        List<JobChange> changes =
                batch.stream().map(write -> write.written().withRowsToFollow()).toList();
        long sent = node.clock().nanos();
        List<Boolean> applied = node.store().write(changes);
        reachability.answered(Reachability.WRITES);
        Duration took = Duration.ofNanos(node.clock().nanos() - sent);
        node.events().emit(new SchedulerEvent.BatchWritten(changes.size(), Collections.frequency(applied, true), took));
        return applied;
    }

    private void loseUntrusted(List<PendingWrite> some) {
        some.stream()
                .filter(write -> !write.held().isTrusted())
                .forEach(write -> lose(write, "its trust window was over before it could be recorded"));
    }

    private void lose(PendingWrite write, String reason) {
        jobs.lose(write.held(), reason);
        sendNext(write);
    }

    /** Tries the changes again after a growing pause, in smaller batches from now on. */
    private void tryAgain(List<PendingWrite> batch, Duration pause) {
        if (batch.size() > 1) {
            batch.forEach(write -> write.split(batch.size()));
        }
        // those that wait equally long share a step, so that they share writes, too
        batch.stream()
                .collect(Collectors.groupingBy(write -> write.tries().next(pause)))
                .forEach(this::tryLater);
    }

    private void tryLater(Duration pause, List<PendingWrite> some) {
        try {
            timer.after(pause, () -> some.forEach(this::submit));
        } catch (RuntimeException | Error e) {
            // nothing would try them again
            some.forEach(write -> drop(write, e));
        }
    }

    /** Tries the changes again apart, so that one stops no other; only one that was by itself is tried no more. */
    private void failed(List<PendingWrite> batch, Throwable e) {
        Duration least = Tries.least(e, Reachability.WRITES, reachability);
        if (batch.size() == 1) {
            batch.get(0).tries().count(e);
            if (batch.get(0).tries().areOver(e)) {
                giveUp(batch.get(0), e);
                return;
            }
        }
        tryAgain(batch, least);
    }

    /**
     * A server that refuses a change may have applied an earlier copy of it, which got no answer. As long as that cannot
     * be read, nothing follows.
     */
    private void giveUp(PendingWrite write, Throwable e) {
        if (e instanceof WriteRefusedException) {
            retrying(List.of(write), () -> resolve(List.of(write), same -> drop(same, e)));
        } else {
            drop(write, e);
        }
    }

    private void drop(PendingWrite write, Throwable e) {
        sendNext(write);
        RunLog.during(write.held().job(), () -> givenUp.accept(write, e));
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
            // as with a number in the document that no query matches
            resolve(refused, same -> tryAgain(List.of(same), Duration.ZERO));
        }
    }

    private void finish(PendingWrite write, JobChange change) {
        node.history().add(write.held().notes().withLog(write.written().rows()));
        if (!change.after().isLive()) {
            node.clock().ended(change.after().lastStatus().updatedTime());
        }
        write.held().update(change.after());
        write.applied(change);
        if (change.after().lease() == null && node.planner().isOlder(change.after())) {
            signals.plannedLate(change.after());
        }
        sendNext(write);
    }

    /**
     * Reads the documents of refused changes, to find out why: applied, changed by a user, or lease lost.
     *
     * @param unchanged what to do about a change whose document is still the one that it was decided on
     */
    private void resolve(List<PendingWrite> refused, Consumer<PendingWrite> unchanged) {
        List<String> ids = refused.stream().map(w -> w.held().id()).toList();
        Map<String, StoredJob> stored =
                node.store().load(ids).stream().collect(Collectors.toMap(StoredJob::id, Function.identity()));
        List<Runnable> sends = new ArrayList<>();
        refused.forEach(write -> resolve(write, stored.get(write.held().id()), unchanged, sends));
        // after all of them: if resolving one fails, each that is open is tried again, and none is sent twice
        sends.forEach(Runnable::run);
    }

    private void resolve(
            PendingWrite write, @Nullable StoredJob stored, Consumer<PendingWrite> unchanged, List<Runnable> sends) {
        JobChange change = write.change(node.context(), node.random().nextLong());
        // in this order: the window is to be open after the reading
        boolean removed = stored == null
                && write.written().removes()
                && isGone(write.held().job())
                && write.held().isTrusted();
        if (removed || stored != null && change.isShownBy(stored)) {
            finish(write, change);
        } else if (stored == null) {
            lose(write, "its document is gone or cannot be read");
        } else if (isOlder(stored, change.before())) {
            sends.add(() -> tryAgain(List.of(write), Duration.ZERO));
        } else if (!stored.isHeldWith(write.held().token())) {
            lose(write, "another node has taken the job over");
        } else if (stored.revision().number() == change.before().revision().number()) {
            sends.add(() -> unchanged.accept(write));
        } else if (write.decideAgain(stored)) {
            sends.add(() -> submit(write));
        } else {
            sendNext(write);
            write.changed();
        }
    }

    /** For a second after an election a read may be older than what was acknowledged (rule N7). */
    private static boolean isOlder(StoredJob stored, StoredJob known) {
        return stored.revision().number() < known.revision().number();
    }

    /** A document that cannot be read is not gone. */
    private boolean isGone(StoredJob job) {
        try {
            return node.store()
                    .find(job.key(), FindScope.INCLUDING_FINISHED)
                    .filter(found -> found.id().equals(job.id()))
                    .isEmpty();
        } catch (DamagedJobException e) {
            return false;
        }
    }
}
