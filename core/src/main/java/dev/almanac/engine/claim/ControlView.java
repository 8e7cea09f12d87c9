package dev.almanac.engine.claim;

import dev.almanac.engine.node.CalendarBook;
import dev.almanac.engine.node.ServerClock;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What users ask of many jobs at once, as this node last read it. Nothing is claimed with a view that is
 * older than {@link #FRESH}: together with the lead, by which a claim comes before its start, every node honours a
 * pause within a second. An idle node reads nothing, since it claims nothing. Thread-safe.
 */
public final class ControlView {
    public static final Duration FRESH = Duration.ofMillis(700);

    private final ServerClock clock;
    private final ClusterStore store;
    private final CalendarBook calendars;
    private volatile Consumer<Set<String>> edited = names -> {};
    private volatile Reading reading;

    private record Reading(ClusterControl control, long sentNanos, boolean done) {}

    /** @param calendars is kept up to date with what is stored */
    public ControlView(ServerClock clock, ClusterStore store, CalendarBook calendars) {
        this.clock = clock;
        this.store = store;
        this.calendars = calendars;
        this.reading = new Reading(ClusterControl.NONE, clock.nanos(), false);
    }

    /** Who is told the names of the stored calendars when some of them were edited. */
    public void onCalendars(Consumer<Set<String>> told) {
        this.edited = told;
    }

    /** Whether it may be claimed by. */
    boolean isFresh() {
        Reading last = reading;
        return last.done() && clock.nanos() - last.sentNanos() < FRESH.toNanos();
    }

    /** Whether some jobs are held back, so that it matters when they are not any more. */
    boolean holdsAny() {
        return !reading.control().pauses().isEmpty();
    }

    /**
     * Asks the store.
     *
     * @return whether pauses have changed
     * @throws StoreException if the store does not answer; the view stays as it was
     */
    boolean read() {
        long sent = clock.nanos();
        ClusterControl control = store.control();
        Reading last = reading;
        if (!last.done() || control.calendarEdits() != last.control().calendarEdits()) {
            calendars.update(store.calendars());
            if (last.done()) {
                // all of them: what this node's own users have edited is known to the book already
                edited.accept(calendars.storedNames());
            }
        }
        reading = new Reading(control, sent, true);
        return !control.pauses().equals(last.control().pauses());
    }

    /** The pauses that are in force now. */
    Pauses pauses() {
        return Pauses.at(reading.control().pauses(), clock.now());
    }
}
