package dev.almanac.engine.run;

import dev.almanac.engine.node.ServerClock;
import dev.almanac.engine.rules.Moment;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.Lease;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
    private final long token;
    private volatile StoredJob job;
    private Instant leaseEnd;
    private volatile Instant newestRow = Instant.MIN;
    private volatile long sentNanos;
    private volatile long readNanos;
    private volatile long trustedUntilNanos;
    private volatile @Nullable Runnable interrupt;
    private volatile @Nullable String progress;
    private final List<JobExecutionStatus> refused = new ArrayList<>();

    HeldJob(StoredJob job, long sentNanos, Duration trust, ServerClock clock) {
        this.job = job;
        this.type = job.command().type();
        this.clock = clock;
        this.token = leaseOf(job).token();
        this.leaseEnd = leaseOf(job).until();
        this.readNanos = sentNanos;
        trust(sentNanos, trust);
    }

    /** When the document was asked for that {@link #job} shows, or a later form of. */
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

    /** The document has changed, by this node or by a user; what was read may be older than the last renewal. */
    synchronized void update(StoredJob newer) {
        Lease lease = newer.lease();
        this.job = lease == null || !leaseEnd.isAfter(lease.until())
                ? newer
                : newer.with(edit -> edit.lease(new Lease(lease.owner(), lease.token(), leaseEnd)));
    }

    /** A renewal that lengthened the lease to {@code end} was acknowledged: rows may carry times up to then. */
    synchronized void renewed(Instant end) {
        leaseEnd = end;
        update(job);
    }

    /** These rows are about to be written; whether their change is applied or not, they may be there from now on. */
    void writes(List<JobExecutionStatus> rows) {
        for (JobExecutionStatus row : rows) {
            newestRow = row.updatedTime().isAfter(newestRow) ? row.updatedTime() : newestRow;
        }
    }

    /** The change of these rows was refused; the rows are there all the same. */
    synchronized void refused(List<JobExecutionStatus> rows) {
        refused.addAll(rows);
    }

    /** The rows that were written by changes of this claim that were refused, oldest first, until one is applied. */
    synchronized List<JobExecutionStatus> refused() {
        return List.copyOf(refused);
    }

    /** A change was applied; it has left no row behind. */
    synchronized void applied(StoredJob after) {
        refused.clear();
        update(after);
    }

    /** The moment for a decision: later than every row of this claim, so that the rows of the decision are newer. */
    Moment after(Moment moment) {
        return newestRow.equals(Instant.MIN) ? moment : moment.notBefore(newestRow.plusMillis(1));
    }

    /** The command type that it was claimed for. */
    String type() {
        return type;
    }

    String id() {
        return job.id();
    }

    /** Of this claim, whatever its document shows by now. */
    long token() {
        return token;
    }

    private static Lease leaseOf(StoredJob job) {
        Lease lease = job.lease();
        if (lease == null) {
            throw new IllegalStateException("a held job has a lease: " + job.key());
        }
        return lease;
    }

    /** The lease is certain to hold for {@code trust} after the acknowledged write was sent. */
    void trust(long sent, Duration trust) {
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
