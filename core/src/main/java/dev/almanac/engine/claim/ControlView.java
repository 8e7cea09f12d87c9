package dev.almanac.engine.claim;

import dev.almanac.engine.node.CalendarBook;
import dev.almanac.engine.node.ServerClock;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What users ask of many jobs at once, as this node last read it. Nothing is claimed with a view that is
 * older than {@link #FRESH}: together with the lead, by which a claim comes before its start, every node honours a
 * pause within a second. An idle node reads nothing, since it claims nothing. Thread-safe.
 */
public final class ControlView {
    public static final Duration FRESH = CalendarBook.FRESH;

    private final ServerClock clock;
    private final ClusterStore store;
    private final CalendarBook calendars;
    private volatile Runnable edited = () -> {};
    private volatile Reading reading;

    private record Reading(ClusterControl control, long sentNanos, boolean done) {}

    /** @param calendars is kept up to date with what is stored */
    public ControlView(ServerClock clock, ClusterStore store, CalendarBook calendars) {
        this.clock = clock;
        this.store = store;
        this.calendars = calendars;
        this.reading = new Reading(ClusterControl.NONE, clock.nanos(), false);
    }

    /** Who is told when stored calendars were edited. */
    public void onCalendars(Runnable told) {
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

    /** Those in force of everything or of a command type, as last read. */
    public List<StandingPause> broadPauses() {
        Instant now = clock.now();
        return reading.control().pauses().stream()
                .filter(pause -> pause.isInForce(now) && !(pause.scope() instanceof PauseScope.Tag))
                .toList();
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
            calendars.update(store.calendars(), sent);
            if (last.done()) {
                edited.run();
            }
        } else {
            calendars.confirm(sent);
        }
        reading = new Reading(control, sent, true);
        return !control.pauses().equals(last.control().pauses());
    }

    /** The pauses that are in force now. */
    Pauses pauses() {
        return Pauses.at(reading.control().pauses(), clock.now());
    }
}
