package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.model.OpenRun;
import dev.almanac.store.Lease;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A job that this node has claimed: the document as it was last read, how far its run has come, and until when the lease
 * is certain to hold. The window counts from the moment the acknowledged claim or renewal was sent, by the monotonic clock
 * (rules P2, P3). State, start and window change together, in one atomic step (X3, X4). Thread-safe.
 */
final class HeldJob {
    enum State {
        /** Claimed; the helper was not called yet. The executor may already have the run. */
        WAITING,
        /** The helper was called. */
        RUNNING,
        /** The code of the run has ended, or the claim is to be released; the write is under way. */
        ENDING,
        /** The claim was recorded, released or lost. */
        OVER
    }

    /** What becomes of the run of a claim; none of it waits for the code of the run. */
    interface Run {
        /** A user has cancelled it. */
        void cancel();

        /** Its lease is lost. */
        void lose();

        /** The lease is held still: an end that has failed is tried again. */
        void watched();

        /** The kernel has begun again: what waits for the executor, or for a timer, may have been dropped. */
        void beginAgain();

        /** Whether it does not begin, or has ended. */
        boolean isOver();
    }

    /** When the helper was called, by both clocks. */
    record Start(Instant at, long nanos) {}

    /**
     * @param since when it came to that state
     * @param sent when the claim or renewal was sent that was acknowledged last
     * @param lost whether the window was found closed; it never opens again
     * @param start absent before the helper is called
     * @param last the write that ends the claim, if it was decided together with the state; it comes after all others
     */
    private record Standing(
            State state,
            long since,
            long sent,
            boolean lost,
            @Nullable Start start,
            @Nullable PendingWrite last) {
        Standing to(State next, long now, @Nullable PendingWrite write) {
            return new Standing(next, now, sent, lost, start, write);
        }
    }

    private final Node node;
    private final long trustNanos;
    private final String type;
    private final long token;
    private final Instant claimed;
    private final long claimedNanos;
    private final AtomicReference<Standing> standing;
    private volatile long readNanos;
    private final Queue<PendingWrite> waiting = new ConcurrentLinkedQueue<>();
    private @Nullable PendingWrite writing;
    private @Nullable PendingWrite taken;
    private volatile StoredJob job;
    private Instant leaseEnd;
    private volatile @Nullable Run run;
    /** Of the claim, whichever copy of the document it has. */
    private volatile boolean interrupted;

    private final RunNotes notes = new RunNotes();

    /** @param sent when the acknowledged claim, or the renewal that confirmed it, was sent, by the monotonic clock */
    HeldJob(Node node, StoredJob job, long sent) {
        Lease lease = job.lease();
        if (lease == null) {
            throw new IllegalStateException("a claimed job has a lease: " + job.key());
        }
        this.node = node;
        this.trustNanos = node.trust().toNanos();
        this.job = job;
        this.type = job.command().type();
        this.token = lease.token();
        this.leaseEnd = lease.until();
        this.claimed = lease.until().minus(node.settings().leaseLength());
        this.claimedNanos = sent;
        this.readNanos = sent;
        this.standing = new AtomicReference<>(new Standing(State.WAITING, sent, sent, false, null, null));
    }

    /** When the document that {@link #job} returns, or a later version of it, was asked for, by the monotonic clock. */
    long readNanos() {
        return readNanos;
    }

    /** The document was read again, under the lease. */
    void readAgain(StoredJob newer, long sent) {
        update(newer);
        readNanos = sent;
    }

    StoredJob job() {
        return job;
    }

    /**
     * Takes over a user's change, which was read or decided while this claim wrote: not if it comes too late, or knows
     * less than this claim does. Then the next write is refused, and is decided again.
     */
    synchronized void changed(StoredJob newer) {
        if (newer.specification().version() > job.specification().version()
                && newer.sequences().equals(job.sequences())
                && newer.plan().equals(job.plan())
                && newer.phase() == job.phase()) {
            update(newer);
        }
    }

    /** Takes over a changed document; it may have been read before the last renewal. */
    synchronized void update(StoredJob newer) {
        Lease lease = newer.lease();
        this.job = lease == null || !leaseEnd.isAfter(lease.until())
                ? newer
                : newer.with(edit -> edit.lease(lease.until(leaseEnd)));
    }

    /**
     * A renewal was acknowledged. If a later one was acknowledged before, nothing changes: the window only grows. A
     * lease that was found lost stays lost.
     *
     * @param sent when it was sent, by the monotonic clock
     * @param end of the lease from then on
     */
    void renewed(long sent, Instant end) {
        standing.updateAndGet(now -> now.lost() || sent - now.sent() <= 0
                ? now
                : new Standing(now.state(), now.since(), sent, false, now.start(), now.last()));
        synchronized (this) {
            leaseEnd = end.isAfter(leaseEnd) ? end : leaseEnd;
            update(job);
        }
    }

    /** The write waits for those before it, so that it is decided on their result. Any thread may call this. */
    void submit(PendingWrite write) {
        waiting.add(write);
    }

    /** The next write that is to be sent; absent = none, or another one is not over. */
    @Nullable
    PendingWrite nextWrite() {
        if (writing != null) {
            return null;
        }
        writing = waiting.poll();
        PendingWrite last = standing.get().last();
        if (writing == null && last != null && last != taken) {
            taken = last;
            writing = last;
        }
        return writing;
    }

    /** The write that was sent, or is to be sent, and is not over. */
    @Nullable
    PendingWrite writing() {
        return writing;
    }

    /** Whether this write is the one that may be sent, and is not over. */
    boolean isWriting(PendingWrite write) {
        return writing == write;
    }

    /** The write is over. */
    void written(PendingWrite write) {
        if (writing == write) {
            writing = null;
        }
    }

    /** Whether any write is not over. */
    boolean hasWrites() {
        PendingWrite last = standing.get().last();
        return writing != null || !waiting.isEmpty() || last != null && last != taken;
    }

    /** The command type that it was claimed for. */
    String type() {
        return type;
    }

    String id() {
        return job.id();
    }

    /** Rises with each claim of the job. */
    long fencingNumber() {
        return job().sequences().claimSeq();
    }

    /** The lease token of this claim, even if the document shows another one by now. */
    long token() {
        return token;
    }

    /**
     * The server's time, estimated at the claim and measured by the monotonic clock since then, so that setting the
     * wall clock does not change it.
     */
    Instant now() {
        return at(node.clock().nanos());
    }

    private Instant at(long nanos) {
        return claimed.plusNanos(nanos - claimedNanos);
    }

    Duration sinceSent() {
        return Duration.ofNanos(node.clock().nanos() - standing.get().sent());
    }

    /** True while the lease is certain to hold. A check that finds the window closed closes it for good. */
    boolean checkWindow() {
        long nanos = node.clock().nanos();
        Standing seen = standing.updateAndGet(now -> now.lost() || isOpen(now, nanos) ? now : lost(now));
        return !seen.lost() && seen.state() != State.OVER;
    }

    /**
     * Whether the lease is lost because its window was closed. A claim that is lost while it is open was released by force:
     * nothing else ends a lease in force.
     */
    boolean hasExpired() {
        checkWindow();
        return standing.get().lost();
    }

    private boolean isOpen(Standing now, long nanos) {
        return nanos - now.sent() < trustNanos;
    }

    private static Standing lost(Standing now) {
        return new Standing(now.state(), now.since(), now.sent(), true, now.start(), now.last());
    }

    /** Closes the window for good, since the lease is known to be lost. Any thread may call this. */
    void close() {
        standing.updateAndGet(HeldJob::lost);
    }

    /** Zero, too, while the machine may have been suspended without this clock having counted that time. */
    Duration remaining() {
        return isOwned() && node.clock().isTrusted()
                ? Duration.ofNanos(Math.max(
                        0, standing.get().sent() + trustNanos - node.clock().nanos()))
                : Duration.ZERO;
    }

    /** A helper has no later moment to ask, so the time is measured now if the machine may have been suspended (rule X5). */
    void assertOwned() {
        if (isOwned() && !confirmClock()) {
            close();
        }
        if (!isOwned()) {
            throw new LeaseLostException(job.key());
        }
    }

    /** For code of the run: what goes on after the end of its run has no lease, as the write of the end releases it. */
    private boolean isOwned() {
        return checkWindow() && state() != State.ENDING;
    }

    /** One call that fails costs no lease, as with renewals. */
    private boolean confirmClock() {
        for (int i = 0; i < 2; i++) {
            try {
                if (node.clock().confirm(node.store())) {
                    return true;
                }
            } catch (RuntimeException unknown) {
                // as if the clocks still disagreed
            }
        }
        return false;
    }

    State state() {
        return standing.get().state();
    }

    /** When the helper was called; absent if it was not. */
    @Nullable
    Start start() {
        return standing.get().start();
    }

    /**
     * Moves from waiting to running, if the lease is certain to hold; absent = the helper must not be called.
     *
     * @param latest the last moment at which the run may start
     */
    @Nullable
    Start begin(Instant latest) {
        long nanos = node.clock().nanos();
        Start start = new Start(at(nanos), nanos);
        if (start.at().isAfter(latest)) {
            return null;
        }
        Standing begun = standing.updateAndGet(now -> now.state() == State.WAITING && !now.lost() && isOpen(now, nanos)
                ? new Standing(State.RUNNING, nanos, now.sent(), false, start, null)
                : now);
        return begun.start() == start ? start : null;
    }

    /** Moves from one state to another in one atomic step; false if the state was not {@code from}. */
    boolean move(State from, State to) {
        return move(from, to, null);
    }

    /** Moves to {@code ENDING}, with the write that ends the claim, in one atomic step; false if the state was not {@code from}. */
    boolean end(State from, PendingWrite last) {
        return move(from, State.ENDING, last);
    }

    private boolean move(State from, State to, @Nullable PendingWrite last) {
        Standing now = standing.get();
        while (now.state() == from) {
            if (standing.compareAndSet(now, now.to(to, node.clock().nanos(), last))) {
                return true;
            }
            now = standing.get();
        }
        return false;
    }

    /**
     * Ends the claim; returns the state before. Only the first caller gets another answer than OVER, and frees the
     * slot.
     */
    State end() {
        long nanos = node.clock().nanos();
        return standing.getAndUpdate(now -> now.to(State.OVER, nanos, now.last()))
                .state();
    }

    /** The claim at a moment when no code of a run is called for it; absent while its helper is called, and when it is over. */
    Optional<OpenRun> withoutCall() {
        Standing now = standing.get();
        if (now.state() != State.WAITING && now.state() != State.ENDING) {
            return Optional.empty();
        }
        Start start = now.start();
        return Optional.of(new OpenRun(
                job.key(),
                type,
                job.plan().nextFireTime(),
                at(now.since()),
                start == null ? null : start.at(),
                null,
                job.specification().executionTimeout().orElse(null),
                now.state() == State.WAITING ? OpenRun.Place.DECISION : OpenRun.Place.WRITE,
                null,
                "",
                null));
    }

    /** It is handed to the executor as this run; if a user has cancelled it before, the run learns that now. */
    void handedTo(Run started) {
        run = started;
        if (interrupted) {
            started.cancel();
        }
    }

    /** Whether a run of it was handed to the executor, and may still begin, or has begun. */
    boolean hasRun() {
        Run last = run;
        return last != null && !last.isOver();
    }

    /** A user has cancelled it, whether or not there is a run by now. */
    void interrupt() {
        interrupted = true;
        Run started = run;
        if (started != null) {
            started.cancel();
        }
    }

    /** The lease is lost. */
    void reportLost() {
        Run started = run;
        if (started != null) {
            started.lose();
        }
    }

    /** Called again and again while the lease is held. */
    void watched() {
        Run started = run;
        if (started != null) {
            started.watched();
        }
    }

    /** The kernel has begun again. */
    void beginAgain() {
        Run started = run;
        if (started != null) {
            started.beginAgain();
        }
    }

    /** The state and the progress that the run has set so far. */
    RunNotes notes() {
        return notes;
    }
}
