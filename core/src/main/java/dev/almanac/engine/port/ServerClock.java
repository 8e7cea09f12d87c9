package dev.almanac.engine.port;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * This node's estimate of the server's time (rule X5): a measured moment plus the time on the monotonic clock since
 * then. Setting the wall clock does not change it. On a machine that was suspended, the monotonic clock has counted too
 * little; the wall clock then has moved against it, and the estimate is not trusted until the next measurement.
 * Thread-safe.
 *
 * <p>An offset to the wall clock below the precision of the measurement counts as zero, so that both clocks are equal
 * on one machine.
 */
public final class ServerClock {
    /** Precision of the server's time. */
    private static final Duration RESOLUTION = Duration.ofMillis(1);
    /** A measurement with a larger uncertainty is not used; the skew allowance is 1.75 s. */
    private static final Duration LARGEST_UNCERTAINTY = Duration.ofMillis(500);
    /** A wall clock that has moved by more than this against the monotonic one was set, or the machine was suspended. */
    private static final Duration JUMP = Duration.ofMillis(100);
    /** By how much a row may be ahead of this clock: a row that follows another one is later than that. */
    private static final Duration FARTHEST_END = Duration.ofMinutes(1);
    /** By which part of its age an estimate grows less certain: 100 microseconds a second. */
    private static final long DRIFT = 10_000;

    private static final int TRIES = 3;

    private final TimeSource time;
    private final EventStream events;
    private final AtomicReference<Instant> lastEnd = new AtomicReference<>(Instant.MIN);
    private volatile Estimate estimate;
    private volatile long measuredNanos;
    /** When the server was first asked since the estimate is not trusted; null while it is. */
    private volatile @Nullable Long distrustedNanos;

    /**
     * @param server the server's time at {@code nanos}
     * @param wall the wall clock at {@code nanos}
     * @param offset from the wall clock to the server's time
     * @param uncertainty by how much {@code server} may be wrong
     * @param stoodStill the nanoseconds that the monotonic clock has missed, as far as measurements have shown; it changes
     *     together with the estimate, since trust and end of a lease are counted by both
     */
    private record Estimate(
            Instant server,
            Instant wall,
            long nanos,
            Duration offset,
            Duration uncertainty,
            boolean measured,
            long stoodStill) {
        Instant at(long later) {
            return server.plusNanos(later - nanos);
        }

        Estimate after(Estimate last, long missed) {
            return new Estimate(server, wall, nanos, offset, uncertainty, measured, last.stoodStill + missed);
        }

        Duration uncertainty(long later) {
            return uncertainty.plusNanos((later - nanos) / DRIFT);
        }
    }

    public ServerClock(TimeSource time, EventStream events) {
        this.time = time;
        this.events = events;
        Instant wall = time.wall();
        long nanos = time.nanos();
        this.estimate = new Estimate(wall, wall, nanos, Duration.ZERO, LARGEST_UNCERTAINTY, false, 0);
        this.distrustedNanos = nanos;
    }

    /**
     * In whole milliseconds. It differs from the server's time by at most half the round trip of the measurement plus
     * 100 microseconds per second since then.
     */
    public Instant now() {
        return estimate.at(time.nanos()).truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * What {@link #now} was or will be at that moment. The end of a lease and the trust in it are counted from one reading
     * of the clock: else a node that stands still between two readings would trust the lease for longer than it lasts.
     *
     * @param nanos of {@link #nanos}
     */
    public Instant at(long nanos) {
        Estimate last = estimate;
        return last.at(nanos - last.stoodStill()).truncatedTo(ChronoUnit.MILLIS);
    }

    /** The monotonic clock plus the time that it is known to have missed. */
    public long nanos() {
        return time.nanos() + estimate.stoodStill();
    }

    /** From the wall clock of this machine to the server's, when it was last measured. */
    public Duration offset() {
        return estimate.offset();
    }

    /** Notes the time of the last row of a job that has ended, unless it is too far ahead to be that. */
    public void ended(Instant lastRow) {
        if (lastRow.isBefore(now().plus(FARTHEST_END))) {
            lastEnd.accumulateAndGet(lastRow, (one, other) -> one.isAfter(other) ? one : other);
        }
    }

    /**
     * The time of a job's first row: now, but later than the last rows of jobs that ended on this node, one of which
     * may have had the same key.
     */
    public Instant begin() {
        Instant now = now();
        Instant end = lastEnd.get();
        return now.isAfter(end) ? now : end.plusMillis(1);
    }

    /**
     * Whether the server's time was measured, and wall clock and monotonic clock have agreed since; otherwise {@link
     * #now} may be wrong by any amount. By how much they differ does not tell how long the machine stood still, since the
     * wall clock may have been set as well.
     */
    public boolean isTrusted() {
        Estimate last = estimate;
        long nanos = time.nanos();
        Duration wall = Duration.between(last.wall(), time.wall());
        return last.measured() && wall.minusNanos(nanos - last.nanos()).abs().compareTo(JUMP) <= 0;
    }

    /** For how long the server has been asked without a trusted estimate; zero if it is trusted. */
    public Duration distrusted() {
        Long since = distrustedNanos;
        return since == null || isTrusted() ? Duration.ZERO : Duration.ofNanos(time.nanos() - since);
    }

    /**
     * Measures if the estimate is not trusted.
     *
     * @throws StoreException if the server does not answer, or too slowly to tell its time
     */
    public void require(JobStore store) {
        if (!confirm(store)) {
            throw new StoreException("the server's time is not known: each answer took longer than "
                    + LARGEST_UNCERTAINTY.multipliedBy(2).toSeconds() + " s; nothing was changed");
        }
    }

    /**
     * Measures if the estimate is not trusted; returns whether it is trusted then.
     *
     * @throws StoreException if the server does not answer
     */
    public boolean confirm(JobStore store) {
        if (!isTrusted()) {
            measure(store);
        }
        return isTrusted();
    }

    /** Whether to measure: there is no estimate, it is older than {@code most}, or it is not trusted. */
    public boolean isOld(Duration most) {
        Duration age = Duration.ofNanos(time.nanos() - measuredNanos);
        return !isTrusted() || age.compareTo(most) >= 0;
    }

    /**
     * Asks the server. The answer counts for the middle of the round trip, plus or minus half of it; after a long round
     * trip the estimate stays as it was, the first one not trusted, and is measured again. A measurement during which the wall clock was set, or
     * the machine was suspended, is repeated.
     *
     * @throws StoreException if the server does not answer
     */
    public void measure(JobStore store) {
        noteTrust();
        boolean clean = false;
        for (int i = 0; i < TRIES && !clean; i++) {
            clean = tryToMeasure(store);
        }
    }

    private void noteTrust() {
        if (isTrusted()) {
            distrustedNanos = null;
        } else if (distrustedNanos == null) {
            distrustedNanos = time.nanos();
        }
    }

    private boolean tryToMeasure(JobStore store) {
        long sent = time.nanos();
        Instant before = time.wall();
        Instant server = store.serverTime();
        Instant wall = time.wall();
        long answered = time.nanos();
        Duration roundTrip = Duration.ofNanos(answered - sent);
        Duration apart = Duration.between(before, wall).minus(roundTrip).abs();
        if (apart.compareTo(JUMP) > 0) {
            return false;
        }
        Duration uncertainty = roundTrip.dividedBy(2).plus(RESOLUTION).plus(apart);
        if (uncertainty.compareTo(LARGEST_UNCERTAINTY) <= 0) {
            Duration offset = Duration.between(wall, server.plus(roundTrip.dividedBy(2)));
            Duration known = offset.abs().compareTo(uncertainty) <= 0 ? Duration.ZERO : millis(offset);
            accept(new Estimate(wall.plus(known), wall, answered, known, uncertainty, true, 0));
        }
        return true;
    }

    private synchronized void accept(Estimate next) {
        Estimate last = estimate;
        Duration moved = Duration.between(last.at(next.nanos()), next.server());
        Duration old = last.uncertainty(next.nanos());
        boolean agree = moved.abs().compareTo(old.plus(next.uncertainty())) <= 0;
        // then the server's clock has advanced more than the monotonic clock, and with it the end of every lease
        boolean jumped =
                last.measured() && moved.minus(old).minus(next.uncertainty()).compareTo(JUMP) > 0;
        boolean better = next.uncertainty().compareTo(old) <= 0;
        if (!isTrusted() || !agree || better) {
            estimate = next.after(last, jumped ? moved.toNanos() : 0);
        }
        noteTrust();
        measuredNanos = next.nanos();
        events.emit(new SchedulerEvent.ClockMeasured(estimate.offset(), estimate.uncertainty(next.nanos())));
    }

    private static Duration millis(Duration exact) {
        return Duration.ofMillis(exact.toMillis());
    }
}
