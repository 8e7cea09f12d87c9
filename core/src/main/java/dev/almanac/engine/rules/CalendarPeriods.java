package dev.almanac.engine.rules;

import dev.almanac.store.StoredCalendar;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which version of a stored calendar was in force when, as far as versions are kept (rules C5, S22). What is not certain is
 * absent. Pure functions.
 */
public final class CalendarPeriods {
    /**
     * A version, and when it was in force.
     *
     * @param from when it was stored
     * @param to when the next one was stored, not before {@code from}; absent = it is in force
     * @param version the stored one: its author, whether it is a tombstone
     * @param calendar what it says; absent = it is a tombstone, or cannot be read here
     */
    record Period(Instant from, @Nullable Instant to, StoredCalendar version, Optional<ExclusionCalendar> calendar) {
        private boolean contains(Instant instant) {
            return !instant.isBefore(from) && (to == null || instant.isBefore(to));
        }

        private boolean isKnown() {
            return version.deleted() || calendar.isPresent();
        }
    }

    private final Map<String, List<Period>> periods;

    private CalendarPeriods(Map<String, List<Period>> periods) {
        this.periods = periods;
    }

    /**
     * @param current the stored calendars, tombstones included
     * @param versions replaced ones, read after those; others than replaced ones are ignored
     */
    public static CalendarPeriods of(
            Collection<StoredCalendar> current, Collection<StoredCalendar> versions, CalendarReader reader) {
        Map<String, NavigableMap<Long, StoredCalendar>> kept = new HashMap<>();
        versions.forEach(version ->
                kept.computeIfAbsent(version.name(), name -> new TreeMap<>()).put(version.version(), version));
        Map<String, List<Period>> periods = new HashMap<>();
        for (StoredCalendar last : current) {
            List<StoredCalendar> all = new ArrayList<>(kept.getOrDefault(last.name(), new TreeMap<>())
                    .headMap(last.version())
                    .values());
            all.add(last);
            periods.put(last.name(), periods(all, reader));
        }
        return new CalendarPeriods(periods);
    }

    /** A version that is restored after its deletion has its old time: it is in force from the deletion on. */
    private static List<Period> periods(List<StoredCalendar> versions, CalendarReader reader) {
        List<Period> periods = new ArrayList<>();
        Instant from = Instant.MIN;
        for (int i = 0; i < versions.size(); i++) {
            StoredCalendar version = versions.get(i);
            from = later(from, version);
            StoredCalendar next = i + 1 < versions.size() ? versions.get(i + 1) : null;
            if (next == null || next.version() == version.version() + 1) {
                Instant to = next == null ? null : later(from, next);
                periods.add(new Period(from, to, version, read(version, reader)));
            }
        }
        return List.copyOf(periods);
    }

    private static Instant later(Instant from, StoredCalendar version) {
        return version.latestUpdate().isAfter(from) ? version.latestUpdate() : from;
    }

    private static Optional<ExclusionCalendar> read(StoredCalendar version, CalendarReader reader) {
        if (version.deleted()) {
            return Optional.empty();
        }
        try {
            return Optional.of(reader.read(version.definition()));
        } catch (RuntimeException | Error unreadable) {
            // an Error, too: one version must not hide the others
            return Optional.empty();
        }
    }

    /**
     * The calendar that was in force; absent if there was none, if it cannot be read here, or if it is not known, since a
     * version is not kept.
     */
    Optional<ExclusionCalendar> at(String name, Instant instant) {
        return periods(name).stream()
                .filter(period -> period.contains(instant))
                .findFirst()
                .flatMap(Period::calendar);
    }

    /** The known periods in their order; a moment in none of them is before the first version, or is not known. */
    List<Period> periods(String name) {
        return periods.getOrDefault(name, List.of());
    }

    /**
     * From when on all is known: since the oldest kept version from which on none is missing or unreadable; {@link Instant#MIN}
     * if that is version 1, or if there never was a calendar of the name; {@link Instant#MAX} if the one in force cannot be read.
     */
    Instant knownSince(String name) {
        List<Period> all = periods(name);
        Instant since = all.isEmpty() ? Instant.MIN : Instant.MAX;
        for (int i = all.size() - 1; i >= 0 && all.get(i).isKnown(); i--) {
            long version = all.get(i).version().version();
            if (i + 1 < all.size() && all.get(i + 1).version().version() != version + 1) {
                break;
            }
            since = version == 1 ? Instant.MIN : all.get(i).from();
        }
        return since;
    }
}
