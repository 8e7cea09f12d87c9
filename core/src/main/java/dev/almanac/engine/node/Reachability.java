package dev.almanac.engine.node;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.store.StoreException;
import dev.almanac.text.Printable;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tracks whether the store answers and how long to wait before asking again; each change leads to one event. */
public final class Reachability {
    private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);
    private static final Outage NONE = new Outage(0, 0);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;

    private final ServerClock clock;
    private final EventStream events;
    private volatile Outage outage = NONE;

    /** Since when, and how often in a row, the store has not answered. */
    private record Outage(int failures, long sinceNanos) {}

    public Reachability(ServerClock clock, EventStream events) {
        this.clock = clock;
        this.events = events;
    }

    /** Notes that the store has not answered; returns how long to wait. */
    public synchronized Duration failed(String during, StoreException e) {
        Outage before = outage;
        boolean first = before.failures() == 0;
        outage = new Outage(before.failures() + 1, first ? clock.nanos() : before.sinceNanos());
        if (first) {
            LOG.warn(
                    "the store does not answer while {}; this node keeps trying: {}",
                    during,
                    Printable.value(e.getMessage()));
            events.emit(new SchedulerEvent.StoreUnreachable(during, String.valueOf(e.getMessage())));
        }
        long pause = FIRST_PAUSE_MILLIS << Math.min(before.failures(), 5);
        return Duration.ofMillis(Math.min(pause, LONGEST_PAUSE_MILLIS));
    }

    /** Notes that the store has answered. */
    public synchronized void answered() {
        Outage over = outage;
        if (over.failures() > 0) {
            outage = NONE;
            Duration gone = Duration.ofNanos(clock.nanos() - over.sinceNanos());
            LOG.info("the store answers again after {} ms", gone.toMillis());
            events.emit(new SchedulerEvent.StoreReachable(gone));
        }
    }

    /** Why and since when the store does not answer; empty if it does. Never waits, not even for a slow listener. */
    public String complaint() {
        Outage now = outage;
        return now.failures() == 0
                ? ""
                : "the store has not answered for "
                        + Duration.ofNanos(clock.nanos() - now.sinceNanos()).toMillis() + " ms";
    }
}
