package dev.almanac.engine.node;

import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.store.StoredCalendar;
import dev.almanac.text.Printable;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calendars that this node knows: those declared in code, and the stored ones as it last read them (rule C5). A
 * declared one hides a stored one of the same name. Thread-safe.
 */
public final class CalendarBook implements FirePlanner.Calendars {
    private static final Logger LOG = LoggerFactory.getLogger(CalendarBook.class);

    private final Map<String, ExclusionCalendar> declared;
    private final CalendarReader reader;
    private volatile Map<String, Entry> stored = Map.of();

    private record Entry(StoredCalendar calendar, Optional<ExclusionCalendar> read) {}

    public CalendarBook(Map<String, ExclusionCalendar> declared, CalendarReader reader) {
        this.declared = declared;
        this.reader = reader;
    }

    /** The calendar of a name; empty if this node does not know it, or cannot read its definition. */
    @Override
    public Optional<ExclusionCalendar> find(String name) {
        ExclusionCalendar own = declared.get(name);
        if (own != null) {
            return Optional.of(own);
        }
        Entry entry = stored.get(name);
        return entry == null ? Optional.empty() : entry.read();
    }

    /** Whether code declares it. */
    public boolean isDeclared(String name) {
        return declared.containsKey(name);
    }

    /** All names that {@link #find} knows, in order. */
    @Override
    public Set<String> names() {
        Set<String> names = new TreeSet<>(declared.keySet());
        stored.forEach((name, entry) -> entry.read().ifPresent(calendar -> names.add(name)));
        return names;
    }

    /** The names of stored calendars, whether or not their definitions can be read. */
    public Set<String> storedNames() {
        return stored.keySet();
    }

    /** Takes over what is stored now; a definition that has not changed is not read again. */
    public synchronized void update(List<StoredCalendar> calendars) {
        Map<String, Entry> next = new HashMap<>();
        for (StoredCalendar calendar : calendars) {
            Entry known = stored.get(calendar.name());
            boolean same = known != null && known.calendar().equals(calendar);
            next.put(calendar.name(), same ? known : new Entry(calendar, read(calendar)));
        }
        stored = Map.copyOf(next);
    }

    private Optional<ExclusionCalendar> read(StoredCalendar calendar) {
        try {
            return Optional.of(reader.read(calendar.definition()));
        } catch (RuntimeException e) {
            LOG.warn(
                    "ALM-009 the stored calendar '{}' cannot be read; this node leaves its jobs alone: {}",
                    Printable.value(calendar.name()),
                    Printable.value(e.getMessage()));
            return Optional.empty();
        }
    }
}
