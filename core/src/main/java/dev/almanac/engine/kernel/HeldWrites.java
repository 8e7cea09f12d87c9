package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.port.RunLog;
import dev.almanac.engine.rules.Decision;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of held jobs, by natural batching: what ends while a write is under way shares the next one. The
 * trust window is checked before every write; a job whose window is over is left to recovery. Writes of one job go one
 * after the other. A batch that fails is split, down to writes of one change, so that one that stalls or is refused does
 * not affect the others (rules X3, X9). All of it is the kernel's, but for {@link #submit}, the door, and for what a
 * thread does with writes that it has for itself: {@link #sent}, {@link #read}, {@link #keepRows}.
 */
final class HeldWrites {
    private static final int PARTS_AT_A_TIME = 16;
    private static final Duration CLOCK_PAUSE = Duration.ofMillis(200);
    private static final Duration HISTORY_PAUSE = Duration.ofMillis(500);

    private final Node node;
    private final HeldJobs jobs;
    private final Reachability reachability;
    private final Kernel kernel;
    private final Executor threads;
    private final WriteQueue together;
    private final WriteQueue split;
    private final BiConsumer<PendingWrite, Throwable> givenUp;
    private final Signals signals;

    /**
     * What came of a batch.
     *
     * @param pause present = nothing was sent, and for how long not to try again
     * @param applied what the server answered to each change, in order
     * @param found the documents of the changes that were refused
     * @param failure why those could not be read; absent = nothing failed
     */
    private record Sent(
            @Nullable Duration pause,
            List<Boolean> applied,
            Found found,
            @Nullable Throwable failure) {
        static Sent later(Duration pause) {
            return new Sent(pause, List.of(), Found.NONE, null);
        }
    }

    /**
     * Documents as they were read.
     *
     * @param gone those that are certainly not there any more
     */
    private record Found(Map<String, StoredJob> stored, Set<String> gone) {
        static final Found NONE = new Found(Map.of(), Set.of());
    }

    /**
     * @param threads run writes and calendar code, which may hang
     * @param givenUp is notified of each write that is tried no more, and why; it is over then
     */
    HeldWrites(
            Node node,
            HeldJobs jobs,
            Reachability reachability,
            Kernel kernel,
            Executor threads,
            BiConsumer<PendingWrite, Throwable> givenUp,
            Signals signals) {
        this.node = node;
        this.jobs = jobs;
        this.reachability = reachability;
        this.kernel = kernel;
        this.threads = threads;
        this.givenUp = givenUp;
        this.signals = signals;
        this.together = new WriteQueue(node, node.settings().completionsInFlight(), kernel, this::send);
        this.split = new WriteQueue(node, PARTS_AT_A_TIME, kernel, this::send);
    }

    /** Writes a change as soon as those of the same job before it are through. Any thread may call this. */
    void submit(PendingWrite write) {
        write.held().submit(write);
        goOn(write.held());
    }

    /** Has the next write of the job sent, if there is one and none is under way. Any thread may call this. */
    void goOn(HeldJob held) {
        kernel.run(() -> sendNext(held));
    }

    private void sendNext(HeldJob held) {
        PendingWrite next = held.nextWrite();
        if (next != null) {
            begin(next);
        }
    }

    /** The kernel begins again: each write that is not over is sent again as it was decided (rule N7). */
    void beginAgain() {
        together.beginAgain();
        split.beginAgain();
        for (HeldJob held : jobs.all()) {
            PendingWrite write = held.writing();
            if (write != null) {
                begin(write);
            } else {
                sendNext(held);
            }
        }
    }

    private void begin(PendingWrite write) {
        if (!write.held().isWriting(write)) {
            return;
        }
        if (write.asksCalendars()) {
            askCalendars(write);
        } else {
            enqueue(write);
        }
    }

    /** What does not return within a lease is not waited for: an answer that comes later finds the write without a question. */
    private void askCalendars(PendingWrite write) {
        // that the store hangs is no failure of a calendar
        AtomicBoolean asked = new AtomicBoolean();
        Lane.Alarm overdue = kernel.after(
                node.settings().leaseLength(),
                () -> planElsewhere(
                        write, asked.get() ? new IllegalStateException("its calendars do not answer") : null));
        kernel.call(
                threads,
                () -> {
                    StoredJob job = write.held().job();
                    // as fresh as a claim needs them, so that the next fires can be planned (rule C5)
                    node.calendars().freshenFor(List.of(job), node.store().cluster(), node.clock());
                    asked.set(true);
                    node.calendarCalls().askHere(job.specification(), () -> {
                        write.decide(node, node.context(), node.random().nextLong());
                        return write;
                    });
                    return write;
                },
                decided -> ifAwaited(write, overdue, () -> enqueue(decided)),
                e -> ifAwaited(write, overdue, () -> failed(List.of(write), e)));
    }

    private void ifAwaited(PendingWrite write, Lane.Alarm overdue, Runnable then) {
        overdue.cancel();
        if (!write.isPlannedElsewhere()) {
            then.run();
        }
    }

    /**
     * The end stands without its calendars, and a node that they answer plans what follows (rules N8, N15).
     *
     * @param why the calendars have failed; absent = they were not asked
     */
    private void planElsewhere(PendingWrite write, @Nullable Throwable why) {
        if (write.held().isWriting(write)
                && !write.isPlannedElsewhere()
                && write.held().checkWindow()) {
            if (why != null) {
                node.events().failures().add(CompletionDuty.PLANNING, why);
            }
            signals.leftToOthers(
                    write.held().id(), Decision.LEFT_TO_OTHERS, "what follows its run cannot be planned here");
            write.planElsewhere();
            begin(write);
        }
    }

    private void enqueue(PendingWrite write) {
        (write.isSplit() ? split : together).add(write);
    }

    /** The write is over, with any result; the next write of the job may be sent. */
    private void sendNext(PendingWrite write) {
        write.held().written(write);
        sendNext(write.held());
    }

    /**
     * Sends a batch, without those whose leases are lost.
     *
     * @param over is notified, in a later step, when the batch is not under way any more
     * @return whether something is under way
     */
    private boolean send(List<PendingWrite> some, Runnable over) {
        some.stream()
                .filter(write -> !write.held().checkWindow())
                .forEach(write -> lose(write, "its trust window was over before it could be recorded"));
        List<PendingWrite> batch = open(some);
        if (!batch.isEmpty()) {
            kernel.call(
                    threads,
                    () -> sent(batch),
                    sent -> {
                        over.run();
                        answered(batch, sent);
                    },
                    e -> {
                        over.run();
                        failed(batch, e);
                    });
        }
        return !batch.isEmpty();
    }

    private Sent sent(List<PendingWrite> batch) {
        if (!node.clock().isTrusted()) {
            // after a suspension the trust windows of the runs may be over, which the server's time shows
            return Sent.later(node.clock().confirm(node.store()) ? Duration.ZERO : CLOCK_PAUSE);
        }
        if (node.history().isFull()) {
            // as long as there is no room for their rows, ends wait under their leases (rule N2)
            return Sent.later(HISTORY_PAUSE);
        }
        DecisionContext context = node.context();
        long drawn = node.random().nextLong();
        List<JobChange> changes = new ArrayList<>(batch.size());
        for (PendingWrite write : batch) {
            write.decide(node, context, drawn);
            changes.add(write.written().withRowsToFollow());
        }
        if (!batch.stream().allMatch(write -> write.held().checkWindow())) {
            return Sent.later(Duration.ZERO);
        }
        long began = node.clock().nanos();
        List<Boolean> applied = node.store().write(changes, node.history()::add);
        reachability.answered(Reachability.WRITES);
        Duration took = Duration.ofNanos(node.clock().nanos() - began);
        node.events().emit(new SchedulerEvent.BatchWritten(changes.size(), Collections.frequency(applied, true), took));
        List<PendingWrite> refused = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (applied.get(i)) {
                keepRows(batch.get(i));
            } else {
                refused.add(batch.get(i));
            }
        }
        if (refused.isEmpty()) {
            return new Sent(null, applied, Found.NONE, null);
        }
        try {
            return new Sent(null, applied, read(refused), null);
        } catch (RuntimeException | Error e) {
            return new Sent(null, applied, Found.NONE, e);
        }
    }

    /** The change is applied: its rows are to follow. They may be many, and be written here if there is no other thread for it. */
    private PendingWrite keepRows(PendingWrite write) {
        node.history().add(write.held().notes().withLog(write.written().rows()));
        return write;
    }

    /** Reads the documents of refused changes, to find out why: applied, changed by a user, or lease lost. */
    private Found read(List<PendingWrite> refused) {
        List<String> ids = refused.stream().map(write -> write.held().id()).toList();
        Map<String, StoredJob> stored =
                node.store().load(ids).stream().collect(Collectors.toMap(StoredJob::id, Function.identity()));
        Set<String> gone = new HashSet<>();
        for (PendingWrite write : refused) {
            String id = write.held().id();
            if (!stored.containsKey(id)
                    && write.written().removes()
                    && isGone(write.held().job())) {
                gone.add(id);
            }
        }
        return new Found(stored, gone);
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

    private void answered(List<PendingWrite> batch, Sent sent) {
        Duration pause = sent.pause();
        if (pause != null) {
            kernel.after(pause, () -> batch.forEach(this::enqueue));
            return;
        }
        List<PendingWrite> refused = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            PendingWrite write = batch.get(i);
            if (sent.applied().get(i)) {
                finish(write);
            } else {
                refused.add(write);
            }
        }
        if (sent.failure() != null) {
            failed(refused, sent.failure());
        } else {
            // as with a number in the document that no query matches
            refused.forEach(write -> resolve(write, sent.found(), same -> tryAgain(List.of(same), Duration.ZERO)));
        }
    }

    private void finish(PendingWrite write) {
        JobChange change = write.change();
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

    /** @param unchanged what to do about a change whose document is still the one that it was decided on */
    private void resolve(PendingWrite write, Found found, Consumer<PendingWrite> unchanged) {
        JobChange change = write.change();
        StoredJob stored = found.stored().get(write.held().id());
        // a document that is gone counts as our deletion only in the open window: until then no other node can have
        // ended it
        boolean removed =
                found.gone().contains(write.held().id()) && write.held().checkWindow();
        if (removed || stored != null && change.isShownBy(stored)) {
            kernel.call(threads, () -> keepRows(write), this::finish, e -> failed(List.of(write), e));
        } else if (stored == null) {
            lose(write, "its document is gone or cannot be read");
        } else if (isOlder(stored, change.before())) {
            tryAgain(List.of(write), Duration.ZERO);
        } else if (!stored.isHeldWith(write.held().token()) && isDone(write, stored)) {
            jobs.end(write.held());
            sendNext(write);
        } else if (!stored.isHeldWith(write.held().token())) {
            lose(write, "another node has taken the job over");
        } else if (stored.revision().number() == change.before().revision().number()) {
            unchanged.accept(write);
        } else if (write.decideAgain(stored)) {
            begin(write);
        } else {
            write.changed();
            sendNext(write);
        }
    }

    /**
     * In the open window no lease runs out: the claim was ended by an earlier copy of this write, or by a user, and another
     * claim has ended since.
     */
    private static boolean isDone(PendingWrite write, StoredJob stored) {
        return write.held().state() == HeldJob.State.ENDING
                && write.held().checkWindow()
                && stored.sequences().doneSeq() >= write.held().fencingNumber();
    }

    /** For a second after an election a read may be older than what was acknowledged (rule N7). */
    private static boolean isOlder(StoredJob stored, StoredJob known) {
        return stored.revision().number() < known.revision().number();
    }

    private static List<PendingWrite> open(List<PendingWrite> some) {
        return some.stream().filter(write -> write.held().isWriting(write)).toList();
    }

    private void lose(PendingWrite write, String reason) {
        jobs.drop(write.held(), reason);
        sendNext(write);
    }

    /** Tries the changes again apart, so that one stops no other; only one that was by itself is tried no more. */
    private void failed(List<PendingWrite> some, Throwable e) {
        if (!(e instanceof StoreException)) {
            node.events().failures().add(Reachability.WRITES, e);
        }
        List<PendingWrite> batch = open(some);
        Duration least = Tries.least(e, Reachability.WRITES, reachability);
        if (batch.size() == 1) {
            batch.get(0).tries().count(e);
            if (batch.get(0).tries().areOver(e)) {
                notWritten(batch.get(0), e);
                return;
            }
        }
        tryAgain(batch, least);
    }

    /** Tries the changes again after a growing pause, in smaller batches from now on. */
    private void tryAgain(List<PendingWrite> batch, Duration pause) {
        if (batch.size() > 1) {
            batch.forEach(write -> write.split(batch.size()));
        }
        // those that wait equally long share a step, so that they share writes, too
        batch.stream()
                .collect(Collectors.groupingBy(write -> write.tries().next(pause)))
                .forEach((wait, some) -> kernel.after(wait, () -> some.forEach(this::begin)));
    }

    private void notWritten(PendingWrite write, Throwable e) {
        if (write.asksCalendars()) {
            planElsewhere(write, e);
        } else {
            giveUp(write, e);
        }
    }

    /**
     * A server that refuses a change may have applied an earlier copy of it, which got no answer. As long as that cannot
     * be read, nothing follows.
     */
    private void giveUp(PendingWrite write, Throwable e) {
        if (e instanceof WriteRefusedException) {
            kernel.call(
                    threads,
                    () -> read(List.of(write)),
                    found -> resolve(write, found, same -> drop(same, e)),
                    unread -> failed(List.of(write), unread));
        } else {
            drop(write, e);
        }
    }

    private void drop(PendingWrite write, Throwable e) {
        RunLog.during(write.held().job(), () -> givenUp.accept(write, e));
        sendNext(write);
    }
}
