package dev.almanac.engine.port;

import dev.almanac.engine.rules.CalendarPeriods;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calendars of this node: those declared in code, and the stored ones as it last read them (rule C5). A
 * declared one hides a stored one of the same name. Thread-safe.
 */
public final class CalendarBook {
    private static final Logger LOG = LoggerFactory.getLogger(CalendarBook.class);

    /** How old a reading of the stored calendars may be when jobs are claimed or planned. */
    public static final Duration FRESH = Duration.ofMillis(700);

    private final Map<String, ExclusionCalendar> declared;
    private final CalendarReader reader;
    private volatile Map<String, Entry> stored = Map.of();
    private final FireCache cache = new FireCache();
    private volatile FirePlanner planner;
    private volatile long edits = -1;
    private volatile long readNanos;
    private volatile boolean wasRead;

    /** Before a calendar is read again whose reading has failed here. */
    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofSeconds(2), Duration.ofMinutes(4));

    /**
     * @param failures how many readings of it have failed in a row, by what may pass: anything but what the reader says of
     *     the definition
     * @param nanos when it was read
     */
    private record Entry(StoredCalendar calendar, Optional<ExclusionCalendar> read, int failures, long nanos) {
        boolean isToBeReadAgain(long now) {
            return failures > 0 && now - nanos >= PAUSE.after(failures).toNanos();
        }
    }

    public CalendarBook(Map<String, ExclusionCalendar> declared, CalendarReader reader) {
        this.declared = declared;
        this.reader = reader;
        this.planner = newPlanner();
    }

    /** Computes fires by the calendars as they are known now; the planner does not see later edits. */
    FirePlanner planner() {
        return planner;
    }

    private FirePlanner newPlanner() {
        Map<String, ExclusionCalendar> known = new HashMap<>();
        Map<String, Long> versions = new HashMap<>();
        Map<String, FirePlanner.WhyUnknown> unknown = new HashMap<>();
        stored.forEach((name, entry) -> {
            if (entry.read().isPresent()) {
                known.put(name, entry.read().get());
                versions.put(name, entry.calendar().version());
            } else {
                unknown.put(
                        name,
                        entry.calendar().deleted()
                                ? FirePlanner.WhyUnknown.DELETED
                                : FirePlanner.WhyUnknown.UNREADABLE);
            }
        });
        known.putAll(declared);
        versions.keySet().removeAll(declared.keySet());
        return new FirePlanner(new FirePlanner.Calendars(known, versions, unknown), cache);
    }

    /** Whether this node has the calendar of a name, and can read its definition. */
    public boolean knows(String name) {
        Entry entry = stored.get(name);
        return isDeclared(name) || entry != null && entry.read().isPresent();
    }

    /**
     * Which stored calendars were in force when.
     *
     * @param current the stored ones
     * @param versions replaced ones, read after those
     */
    public CalendarPeriods periods(Collection<StoredCalendar> current, Collection<StoredCalendar> versions) {
        return CalendarPeriods.of(current, versions, reader);
    }

    /** Whether code declares it. */
    public boolean isDeclared(String name) {
        return declared.containsKey(name);
    }

    /** The version that this node has last read of a calendar; 0 if it has read none. */
    public long version(String name) {
        Entry entry = stored.get(name);
        return entry == null ? 0 : entry.calendar().version();
    }

    private boolean isFresh(long now) {
        return wasRead && now - readNanos < FRESH.toNanos();
    }

    /**
     * Takes over what is stored; a definition that has not changed is not read again, unless its reading
     * has failed by what may pass, such as an Error: then it is, after growing pauses. Versions only rise: a slow
     * reading does not replace a newer version by an older one.
     *
     * @param sentNanos when the reading was sent
     */
    public synchronized void update(List<StoredCalendar> calendars, long sentNanos) {
        Map<String, Entry> next = new HashMap<>(stored);
        for (StoredCalendar calendar : calendars) {
            Entry known = next.get(calendar.name());
            if (known == null || isNewer(calendar, known, sentNanos)) {
                next.put(calendar.name(), read(calendar, 0, sentNanos));
            } else if (known.isToBeReadAgain(sentNanos)) {
                next.put(calendar.name(), read(calendar, known.failures(), sentNanos));
            }
        }
        stored = Map.copyOf(next);
        planner = newPlanner();
        confirm(sentNanos);
    }

    /**
     * A calendar that was edited by hand may have another definition of the same version; one that a person had removed or
     * restored may have lower versions than before: then the later edit counts, if it was read later.
     */
    private static boolean isNewer(StoredCalendar calendar, Entry entry, long sentNanos) {
        StoredCalendar known = entry.calendar();
        return calendar.version() > known.version()
                || calendar.version() == known.version()
                        && !calendar.definition().equals(known.definition())
                || calendar.version() > 0
                        && calendar.latestUpdate().isAfter(known.latestUpdate())
                        && sentNanos - entry.nanos() > 0;
    }

    /**
     * Reads the calendars if one was edited since.
     *
     * @param sentNanos when the reading was sent
     * @return whether one was edited
     */
    public boolean update(ClusterControl control, ClusterStore store, long sentNanos) {
        boolean edited = control.calendarEdits() != edits;
        if (edited) {
            update(store.calendars(), sentNanos);
            edits = control.calendarEdits();
        } else {
            confirm(sentNanos);
        }
        return edited;
    }

    /** Reads all stored calendars, also those of a known version. */
    public List<StoredCalendar> readAll(ClusterStore store, ServerClock clock) {
        long sent = clock.nanos();
        List<StoredCalendar> read = store.calendars();
        update(read, sent);
        return read;
    }

    /** Those of the names, none of which this service declares, that are deleted by now; others may be declared elsewhere. */
    public List<String> gone(Collection<String> names, ClusterStore store, ServerClock clock) {
        if (names.isEmpty()) {
            return List.of();
        }
        long sent = clock.nanos();
        update(store.calendars(), sent);
        FirePlanner now = planner();
        return names.stream()
                .filter(name -> now.whyUnknown(name) == FirePlanner.WhyUnknown.DELETED)
                .toList();
    }

    /** Notes that no calendar was edited up to this moment. */
    synchronized void confirm(long sentNanos) {
        if (!wasRead || sentNanos - readNanos > 0) {
            readNanos = sentNanos;
        }
        wasRead = true;
    }

    /**
     * Ensures that the stored calendars of these jobs were read at most {@link #FRESH} ago.
     *
     * @throws dev.almanac.store.StoreException if they cannot be read
     */
    public void freshen(Collection<JobSpecification> jobs, ClusterStore store, ServerClock clock) {
        Set<String> names = notDeclared(jobs);
        if (names.isEmpty()) {
            return;
        }
        long now = clock.nanos();
        boolean read = !isFresh(now) && update(store.control(), store, now);
        if (!read && names.stream().anyMatch(name -> !knows(name))) {
            update(store.calendars(), now);
        }
    }

    /** Looks whether calendars of these jobs were edited up to now. */
    public void reread(Collection<JobSpecification> jobs, ClusterStore store, ServerClock clock) {
        if (!notDeclared(jobs).isEmpty()) {
            long sent = clock.nanos();
            update(store.control(), store, sent);
        }
    }

    private Set<String> notDeclared(Collection<JobSpecification> jobs) {
        Set<String> names = new TreeSet<>();
        jobs.forEach(job -> names.addAll(job.calendars()));
        names.removeIf(this::isDeclared);
        return names;
    }

    /**
     * The same for stored jobs, whose plans may be by newer versions than this node has read: then it reads the calendars
     * first (rule N9).
     */
    public void freshenFor(Collection<StoredJob> jobs, ClusterStore store, ServerClock clock) {
        freshen(jobs.stream().map(StoredJob::specification).toList(), store, clock);
        if (jobs.stream().anyMatch(planner::isNewer)) {
            readAll(store, clock);
        }
    }

    private Entry read(StoredCalendar calendar, int failures, long now) {
        if (calendar.deleted()) {
            return new Entry(calendar, Optional.empty(), 0, now);
        }
        try {
            return new Entry(calendar, Optional.of(reader.read(calendar.definition())), 0, now);
        } catch (RuntimeException | Error e) {
            // an Error, too: it must not keep this node from reading the other calendars, and so from claiming
            LOG.warn(
                    "ALM-009 the stored calendar '{}' cannot be read; this node leaves its jobs alone: {}",
                    Printable.value(calendar.name()),
                    Printable.value(e.getMessage() == null ? e : e.getMessage()));
            boolean forGood = e instanceof IllegalArgumentException;
            return new Entry(calendar, Optional.empty(), forGood ? 0 : failures + 1, now);
        }
    }
}
