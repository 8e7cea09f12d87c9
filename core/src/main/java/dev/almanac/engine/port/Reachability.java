package dev.almanac.engine.port;

import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.store.StoreException;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks which kinds of calls the store does not answer, and how long to wait before asking again. A server may answer
 * some kinds and not others: without a majority it answers what is read, and acknowledges nothing. So each kind has an
 * outage of its own, with a pause that grows by itself. Outages that overlap lead to one pair of events, at the beginning
 * of the first and at the end of the last. Thread-safe.
 */
public final class Reachability {
    /** Claims. */
    public static final String CLAIMS = "claiming";
    /** Renewals that confirm claims whose reply was lost. */
    public static final String CONFIRMATIONS = "confirming a claim";
    /** Renewals of leases. */
    public static final String RENEWALS = "renewing leases";
    /** Ends of runs and what else is written about them. */
    public static final String WRITES = "writing what was run";
    /** Inserts of follow-ups. */
    public static final String FOLLOW_UPS = "storing follow-ups";
    /** A write that each node repeats, whether or not it runs jobs. */
    public static final String REPORTS = "reporting this node";

    private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);
    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofMillis(100), Duration.ofSeconds(2));

    /** Calls of a kind that have not failed for so long have ceased: each is repeated after half a minute at the latest. */
    private static final long CEASED_NANOS = Duration.ofSeconds(40).toNanos();

    /** Writes of jobs, of which one that a user's transaction holds keeps its call waiting. */
    private static final Set<String> OF_JOBS = Set.of(CLAIMS, CONFIRMATIONS, RENEWALS, WRITES, FOLLOW_UPS);

    private final ServerClock clock;
    private final EventStream events;
    private final Runnable ask;
    private volatile Map<String, Outage> outages = Map.of();
    private long beganNanos;

    /**
     * The calls of one kind that the store has not answered.
     *
     * @param failures how many in a row
     * @param repeated whether such calls are repeated until one is answered
     * @param standing what the calls of this kind say of the store
     */
    private record Outage(int failures, long sinceNanos, long lastNanos, boolean repeated, Standing standing) {
        Outage closed() {
            return new Outage(failures, sinceNanos, lastNanos, repeated, Standing.CLOSED);
        }

        boolean isOpen() {
            return standing != Standing.CLOSED;
        }
    }

    private enum Standing {
        /** It is thought not to answer. */
        OPEN,
        /** As OPEN, and such calls have failed before and after a report was acknowledged: their cause may be their own. */
        RELAPSED,
        /** It answers; only the pause is remembered. */
        CLOSED
    }

    /** @param ask is called as an outage begins: sends reports until it is over; returns at once, and throws nothing */
    public Reachability(ServerClock clock, EventStream events, Runnable ask) {
        this.clock = clock;
        this.events = events;
        this.ask = ask;
    }

    /**
     * Notes that a call got no answer whose kind is not repeated soon, or whose answers are not noted: its outage ends
     * with the answer to any call. Returns how long to wait.
     */
    public Duration failed(String during, StoreException e) {
        return note(during, e, false);
    }

    /** Notes that a call got no answer which is repeated until one of its kind is answered; returns how long to wait. */
    public Duration unanswered(String kind, StoreException e) {
        return note(kind, e, true);
    }

    private synchronized Duration note(String kind, StoreException e, boolean repeated) {
        Map<String, Outage> next = new TreeMap<>(outages);
        Outage before = next.get(kind);
        long now = clock.nanos();
        int failures = before == null ? 1 : before.failures() + 1;
        long since = before == null || !before.isOpen() ? now : before.sinceNanos();
        next.put(kind, new Outage(failures, since, now, repeated, after(before, now)));
        boolean first = open(outages).isEmpty();
        outages = next;
        if (first) {
            beganNanos = now;
            LOG.warn(
                    "the store does not answer while {}; this node keeps trying: {}",
                    kind,
                    Printable.value(e.getMessage()));
            events.emit(new SchedulerEvent.StoreUnreachable(kind, String.valueOf(e.getMessage())));
            ask.run();
        }
        return PAUSE.after(failures);
    }

    private static Standing after(@Nullable Outage before, long now) {
        boolean again = before != null && before.repeated() && now - before.lastNanos() < CEASED_NANOS;
        return again && before.standing() != Standing.OPEN ? Standing.RELAPSED : Standing.OPEN;
    }

    /** Whether the store is thought not to answer some kind of call, so that reports are to ask it (rule O5). */
    public boolean isInDoubt() {
        return outages.values().stream().anyMatch(Outage::isOpen);
    }

    /** Notes that the store has answered a call of that kind. */
    public void answered(String kind) {
        if (!outages.isEmpty()) {
            end(kind, Long.MIN_VALUE);
        }
    }

    /**
     * Notes that a report was acknowledged, which shows that the store acknowledges writes: that ends the outages of all
     * kinds that have not failed since. One of a kind that fails again soon goes on, since its cause may be its own.
     *
     * @param sent when the report was sent, by the monotonic clock
     */
    public void reported(long sent) {
        if (!outages.isEmpty()) {
            end(REPORTS, sent);
        }
    }

    private synchronized void end(String kind, long reportSent) {
        Map<String, Outage> next = new TreeMap<>();
        long now = clock.nanos();
        boolean report = kind.equals(REPORTS);
        outages.forEach((name, outage) -> {
            boolean ceased = now - outage.lastNanos() >= CEASED_NANOS;
            boolean shown = report && outage.standing() == Standing.OPEN && outage.lastNanos() - reportSent < 0;
            if (!name.equals(kind) && !(ceased && (report || !outage.repeated()))) {
                next.put(name, shown || !outage.repeated() ? outage.closed() : outage);
            }
        });
        boolean over = !open(outages).isEmpty() && open(next).isEmpty();
        outages = next;
        if (over) {
            Duration gone = Duration.ofNanos(now - beganNanos);
            LOG.info("the store answers again after {} ms", gone.toMillis());
            events.emit(new SchedulerEvent.StoreReachable(gone));
        }
    }

    /** The kinds that the store is thought not to answer. */
    private static Set<String> open(Map<String, Outage> outages) {
        return outages.entrySet().stream()
                .filter(entry -> entry.getValue().isOpen())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * What the store has not answered, and since when; empty if it answers. Never waits, not even for a slow listener.
     */
    public StoreComplaint complaint() {
        Map<String, Outage> known = outages;
        Set<String> open = open(known);
        if (open.isEmpty()) {
            return StoreComplaint.NONE;
        }
        long oldest = Long.MIN_VALUE;
        for (Outage outage : known.values()) {
            oldest = Math.max(oldest, outage.isOpen() ? clock.nanos() - outage.sinceNanos() : oldest);
        }
        String reason = "the store has not answered for "
                + Duration.ofNanos(oldest).toMillis() + " ms while " + String.join(", ", open);
        boolean reports = open.remove(REPORTS);
        boolean writes = open.removeAll(OF_JOBS);
        return new StoreComplaint(reason, reports && writes || !open.isEmpty());
    }
}
