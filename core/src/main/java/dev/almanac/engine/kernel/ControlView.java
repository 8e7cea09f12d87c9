package dev.almanac.engine.kernel;

import dev.almanac.engine.port.CalendarBook;
import dev.almanac.engine.port.ServerClock;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Pauses, groups and calendar edits as this node last read them. Nothing is claimed with a view that is older than
 * {@link #FRESH}, and nothing is started with one that is older than {@link #VALID}: so every node honours a pause
 * within a second (rule X10), however slow a claim was. The first leaves room for the lead, by which a claim comes
 * before its start. An idle node, which claims nothing, reads once in a heartbeat, so that {@code health()} names its
 * pauses. Thread-safe.
 */
public final class ControlView implements StartGate {
    static final Duration FRESH = CalendarBook.FRESH;
    /** An older reading is not used to start a run. */
    private static final Duration VALID = Duration.ofSeconds(1);

    private final ServerClock clock;
    private final ClusterStore store;
    private final CalendarBook calendars;
    private final Predicate<PauseScope.Node> own;
    private final Signals signals;
    private volatile Reading reading;

    /** @param limits of the groups that can be read; made once, since each step of the claims asks for them */
    private record Reading(ClusterControl control, long sentNanos, boolean done, Map<String, GroupLimits> limits) {
        static Reading of(ClusterControl control, long sentNanos, boolean done) {
            Map<String, GroupLimits> limits = control.groups().entrySet().stream()
                    .filter(group -> group.getValue().damage() == null)
                    .collect(Collectors.toUnmodifiableMap(
                            Map.Entry::getKey, group -> group.getValue().limits()));
            return new Reading(control, sentNanos, done, limits);
        }
    }

    /**
     * A view that has not read anything yet.
     *
     * @param calendars is kept up to date with what is stored
     * @param own whether a pause of a node is of this one
     */
    public ControlView(
            ServerClock clock,
            ClusterStore store,
            CalendarBook calendars,
            Predicate<PauseScope.Node> own,
            Signals signals) {
        this.own = own;
        this.signals = signals;
        this.clock = clock;
        this.store = store;
        this.calendars = calendars;
        this.reading = Reading.of(ClusterControl.NONE, clock.nanos(), false);
    }

    /** Whether it may be claimed by. */
    @Override
    public boolean isFresh() {
        return isYounger(FRESH);
    }

    /** For how many nanoseconds the reading stays fresh; 0 = it is not fresh. */
    long untilStale() {
        Reading last = reading;
        return last.done() ? Math.max(0, FRESH.toNanos() - (clock.nanos() - last.sentNanos())) : 0;
    }

    private boolean isYounger(Duration age) {
        Reading last = reading;
        return last.done() && clock.nanos() - last.sentNanos() < age.toNanos();
    }

    /** Whether any pause is in force, so that its end has to be noticed. */
    boolean holdsAny() {
        return !reading.control().pauses().isEmpty();
    }

    /** The limits of a group, as last read. */
    StoredGroup group(String name) {
        return reading.control().group(name);
    }

    /** The stored limits of all groups that can be read. */
    Map<String, GroupLimits> groupLimits() {
        return reading.limits();
    }

    /** The pauses in force of everything, of command types and of this node, as last read. */
    public List<StandingPause> broadPauses() {
        return pauses().standing().stream()
                .filter(pause -> !(pause.scope() instanceof PauseScope.Tag))
                .toList();
    }

    @Override
    public void refresh() {
        read();
    }

    /**
     * Asks the store.
     *
     * @return what it has answered, also if a newer reading is in force by then
     * @throws dev.almanac.store.StoreException if the store does not answer; the view stays as it was
     */
    public ClusterControl read() {
        long sent = clock.nanos();
        ClusterControl control = store.control();
        Reading last = reading;
        boolean again = last.done() && control.calendarEdits() != last.control().calendarEdits();
        calendars.update(control, store, sent);
        if (again) {
            signals.calendarsEdited();
        }
        take(Reading.of(control, sent, true));
        if (last.done() && control.interrupts() != last.control().interrupts()) {
            signals.interruptsAsked();
        }
        return control;
    }

    /** Of two readings at the same time, the one that was sent later is newer. */
    private synchronized void take(Reading next) {
        if (!reading.done() || next.sentNanos() - reading.sentNanos() >= 0) {
            reading = next;
        }
    }

    /** The pauses that are in force now. */
    Pauses pauses() {
        return Pauses.at(reading.control().pauses(), clock.now(), own);
    }

    @Override
    public Answer ask(StoredJob job, long readNanos) {
        if (!isYounger(VALID) || clock.nanos() - readNanos >= VALID.toNanos()) {
            return Answer.UNKNOWN;
        }
        if (pauses().hold(job)) {
            return Answer.HELD;
        }
        return hasSlot(job) ? Answer.OPEN : Answer.NO_SLOT;
    }

    @Override
    public int slots(String group) {
        return group(group).slots();
    }

    /**
     * Whether the job holds a slot that its group has. It does not if the group became smaller or was damaged, or if a
     * user has given the job this group since the claim.
     */
    private boolean hasSlot(StoredJob job) {
        String group = job.specification().exclusiveGroup().orElse(null);
        return group == null || group(group).isHeldBy(job);
    }
}
