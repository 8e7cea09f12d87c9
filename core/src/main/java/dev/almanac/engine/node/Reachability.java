package dev.almanac.engine.node;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.store.StoreException;
import dev.almanac.text.Printable;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the store answers, how long to wait before it is asked again, and that both changes are told once. */
public final class Reachability {
    private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);
    private static final Outage NONE = new Outage(0, 0);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;

    private final ServerClock clock;
    private final EventStream events;
    private volatile Outage outage = NONE;

    /** How often in a row the store has not answered, and since when. */
    private record Outage(int failures, long sinceNanos) {}

    public Reachability(ServerClock clock, EventStream events) {
        this.clock = clock;
        this.events = events;
    }

    /** The store has not answered; how long to wait. */
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

    /** The store has answered. */
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
