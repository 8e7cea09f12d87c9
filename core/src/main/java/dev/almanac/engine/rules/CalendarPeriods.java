package dev.almanac.engine.rules;

import dev.almanac.store.StoredCalendar;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
     * @param to when the next one was stored, which is later; absent = it is in force
     * @param version the stored one: its author, whether it is a tombstone
     * @param calendar what it says; absent = it is a tombstone, or cannot be read here
     */
    public record Period(
            Instant from, @Nullable Instant to, StoredCalendar version, Optional<ExclusionCalendar> calendar) {}

    private CalendarPeriods() {}

    /**
     * @param current the stored calendars, tombstones included
     * @param versions replaced ones, read after those; others than replaced ones are ignored
     */
    public static CalendarPeriods of(
            Collection<StoredCalendar> current, Collection<StoredCalendar> versions, CalendarReader reader) {
        return new CalendarPeriods();
    }

    /**
     * The calendar that was in force; absent if there was none, if it cannot be read here, or if it is not known, since a
     * version is not kept.
     */
    public Optional<ExclusionCalendar> at(String name, Instant instant) {
        return Optional.empty();
    }

    /** The known periods in their order; a moment in none of them is before the first version, or is not known. */
    public List<Period> periods(String name) {
        return List.of();
    }

    /**
     * From when on all is known: since the oldest kept version after which none is missing; {@link Instant#MIN} if that is
     * version 1, or if there never was a calendar of the name.
     */
    public Instant knownSince(String name) {
        return Instant.MIN;
    }
}
