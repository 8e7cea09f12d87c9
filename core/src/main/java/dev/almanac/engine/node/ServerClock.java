package dev.almanac.engine.node;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/**
 * This node's estimate of the server's time: its own clock plus a measured offset. An offset that is smaller than
 * what the measurement can show counts as none, so that on one machine the two clocks are the same. Thread-safe.
 */
public final class ServerClock {
    /** A server tells its time in whole milliseconds. */
    private static final Duration RESOLUTION = Duration.ofMillis(1);
    /** A measurement that may be wrong by more says less than the machine's own clock; the skew allowance is 1.75 s. */
    private static final Duration LARGEST_UNCERTAINTY = Duration.ofMillis(500);
    /** A wall clock that has moved by more than this against the monotonic one was set. */
    private static final long JUMP_MILLIS = 100;

    private final TimeSource time;
    private final EventStream events;
    private final AtomicReference<Instant> lastEnd = new AtomicReference<>(Instant.MIN);
    private volatile Reading reading;

    private record Reading(Duration offset, Instant wall, long nanos, boolean measured) {}

    public ServerClock(TimeSource time, EventStream events) {
        this.time = time;
        this.events = events;
        this.reading = new Reading(Duration.ZERO, time.wall(), time.nanos(), false);
    }

    public Instant now() {
        return time.wall().plus(reading.offset());
    }

    public long nanos() {
        return time.nanos();
    }

    public Duration offset() {
        return reading.offset();
    }

    /** The last row of a job that has ended is that old. */
    public void ended(Instant lastRow) {
        lastEnd.accumulateAndGet(lastRow, (one, other) -> one.isAfter(other) ? one : other);
    }

    /**
     * The moment of the first row of a job: now, but later than the last rows of the jobs that this node has seen end, one
     * of which may have had the same key.
     */
    public Instant begin() {
        Instant now = now();
        Instant end = lastEnd.get();
        return now.isAfter(end) ? now : end.plusMillis(1);
    }

    /** Whether the wall clock was set since the last measurement: until the next one, {@link #now} may be anything. */
    public boolean wasSet() {
        Reading last = reading;
        long age = Duration.ofNanos(time.nanos() - last.nanos()).toMillis();
        long wall = Duration.between(last.wall(), time.wall()).toMillis();
        return Math.abs(wall - age) > JUMP_MILLIS;
    }

    /** Whether to measure: nothing is known, what is known is older than {@code most}, or the wall clock was set. */
    boolean isOld(Duration most) {
        Reading last = reading;
        Duration age = Duration.ofNanos(time.nanos() - last.nanos());
        return !last.measured() || wasSet() || age.compareTo(most) >= 0;
    }

    /**
     * Asks the server. The middle of the round trip is when it answered, give or take half of it; after a long round
     * trip the offset stays as it was, and is to be measured again.
     */
    public void measure(JobStore store) {
        Instant before = time.wall();
        long sent = time.nanos();
        Instant server = store.serverTime();
        Duration roundTrip = Duration.ofNanos(time.nanos() - sent);
        Duration offset = Duration.between(before.plus(roundTrip.dividedBy(2)), server);
        Duration uncertainty = roundTrip.dividedBy(2).plus(RESOLUTION);
        if (uncertainty.compareTo(LARGEST_UNCERTAINTY) > 0) {
            return;
        }
        Duration known = offset.abs().compareTo(uncertainty) <= 0 ? Duration.ZERO : millis(offset);
        reading = new Reading(known, time.wall(), time.nanos(), true);
        events.emit(new SchedulerEvent.ClockMeasured(known, uncertainty));
    }

    private static Duration millis(Duration exact) {
        return Duration.ofMillis(exact.toMillis());
    }
}
