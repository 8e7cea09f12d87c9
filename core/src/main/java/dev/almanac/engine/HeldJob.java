package dev.almanac.engine;

import dev.almanac.helper.LeaseLostException;
import dev.almanac.store.Lease;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A job that this node has claimed: the document as it was last read, and until when the lease is certain to hold.
 * The window counts from the moment the acknowledged claim or renewal was sent, by the monotonic clock (rules P2,
 * P3). Thread-safe.
 */
final class HeldJob {
    enum State {
        /** Claimed; not started yet. */
        WAITING,
        /** The helper was called. */
        RUNNING,
        /** The run has ended and is being recorded. */
        ENDING,
        /** Recorded, handed back or lost. */
        OVER
    }

    private final ServerClock clock;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final String type;
    private volatile StoredJob job;
    private volatile long sentNanos;
    private volatile long trustedUntilNanos;
    private volatile @Nullable Runnable interrupt;
    private volatile @Nullable String progress;

    HeldJob(StoredJob job, long sentNanos, Duration trust, ServerClock clock) {
        this.job = job;
        this.type = job.command().type();
        this.clock = clock;
        trust(sentNanos, trust);
    }

    StoredJob job() {
        return job;
    }

    /** The document has changed, by this node or by a user. A renewal that it does not show is kept. */
    synchronized void update(StoredJob newer) {
        Lease known = job.lease();
        this.job = known == null ? newer : lasting(newer, known.until());
    }

    /** A renewal that was acknowledged: the lease lasts until then, and rows may be as late as that (rule P4). */
    synchronized void renewed(long sent, Duration trust, Instant until) {
        trust(sent, trust);
        this.job = lasting(job, until);
    }

    private static StoredJob lasting(StoredJob job, Instant until) {
        Lease lease = job.lease();
        return lease == null || !lease.until().isBefore(until)
                ? job
                : job.with(edit -> edit.lease(new Lease(lease.owner(), lease.token(), until)));
    }

    /** The command type that it was claimed for. */
    String type() {
        return type;
    }

    String id() {
        return job.id();
    }

    long token() {
        Lease lease = job.lease();
        if (lease == null) {
            throw new IllegalStateException("a held job has a lease: " + job.key());
        }
        return lease.token();
    }

    /** The lease is certain to hold for {@code trust} after the acknowledged write was sent. */
    private void trust(long sent, Duration trust) {
        this.sentNanos = sent;
        this.trustedUntilNanos = sent + trust.toNanos();
    }

    Duration sinceSent() {
        return Duration.ofNanos(clock.nanos() - sentNanos);
    }

    boolean isTrusted() {
        return clock.nanos() - trustedUntilNanos < 0 && state.get() != State.OVER;
    }

    Duration remaining() {
        long left = trustedUntilNanos - clock.nanos();
        return left > 0 && state.get() != State.OVER ? Duration.ofNanos(left) : Duration.ZERO;
    }

    void assertOwned() {
        if (!isTrusted()) {
            throw new LeaseLostException(job.key());
        }
    }

    State state() {
        return state.get();
    }

    /** Whether the state was {@code from} and is {@code to} now. */
    boolean move(State from, State to) {
        return state.compareAndSet(from, to);
    }

    /** The state before it was over; whoever gets another answer than OVER settles the slot. */
    State over() {
        return state.getAndSet(State.OVER);
    }

    void onInterrupt(Runnable action) {
        this.interrupt = action;
    }

    void interrupt() {
        Runnable action = interrupt;
        if (action != null) {
            action.run();
        }
    }

    void progress(String note) {
        this.progress = note;
    }

    @Nullable
    String progress() {
        return progress;
    }
}
