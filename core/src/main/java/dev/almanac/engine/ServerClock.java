package dev.almanac.engine;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import java.time.Duration;
import java.time.Instant;

/**
 * This node's estimate of the server's time: its own clock plus a measured offset. An offset that is smaller than
 * what the measurement can show counts as none, so that on one machine the two clocks are the same. Thread-safe.
 */
final class ServerClock {
    /** A server tells its time in whole milliseconds. */
    private static final Duration RESOLUTION = Duration.ofMillis(1);
    /** A wall clock that has moved by more than this against the monotonic one was set. */
    private static final long JUMP_MILLIS = 100;

    private final TimeSource time;
    private final EventStream events;
    private volatile Reading reading;

    private record Reading(Duration offset, Instant wall, long nanos) {}

    ServerClock(TimeSource time, EventStream events) {
        this.time = time;
        this.events = events;
        this.reading = new Reading(Duration.ZERO, time.wall(), time.nanos());
    }

    Instant now() {
        return time.wall().plus(reading.offset());
    }

    long nanos() {
        return time.nanos();
    }

    Duration offset() {
        return reading.offset();
    }

    /** How old the present offset is. */
    Duration age() {
        return Duration.ofNanos(time.nanos() - reading.nanos());
    }

    /** Whether the wall clock was set since the offset was measured. */
    boolean hasJumped() {
        Reading last = reading;
        long wall = Duration.between(last.wall(), time.wall()).toMillis();
        return Math.abs(wall - age().toMillis()) > JUMP_MILLIS;
    }

    /** Asks the server. The middle of the round trip is when it answered, give or take half of it. */
    void measure(JobStore store) {
        Instant before = time.wall();
        long sent = time.nanos();
        Instant server = store.serverTime();
        Duration roundTrip = Duration.ofNanos(time.nanos() - sent);
        Duration offset = Duration.between(before.plus(roundTrip.dividedBy(2)), server);
        Duration uncertainty = roundTrip.dividedBy(2).plus(RESOLUTION);
        Duration known = offset.abs().compareTo(uncertainty) <= 0 ? Duration.ZERO : millis(offset);
        reading = new Reading(known, time.wall(), time.nanos());
        events.emit(new SchedulerEvent.ClockMeasured(known, uncertainty));
    }

    private static Duration millis(Duration exact) {
        return Duration.ofMillis(exact.toMillis());
    }
}
