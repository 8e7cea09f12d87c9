package dev.almanac;

import dev.almanac.engine.request.StoredCalendars;
import dev.almanac.model.Problem;
import dev.almanac.store.CalendarEdit;
import dev.almanac.store.StoredCalendar;
import java.util.List;
import java.util.Map;

/**
 * The calendars that are stored in the database; those that code declares are not among them. Every node claims by a
 * reading of them that is at most 0.7 s old. Thread-safe.
 */
public final class SharedCalendars {
    private final StoredCalendars calendars;
    private final Runnable beforeChange;

    SharedCalendars(StoredCalendars calendars, Runnable beforeChange) {
        this.calendars = calendars;
        this.beforeChange = beforeChange;
    }

    private StoredCalendars changes() {
        beforeChange.run();
        return calendars;
    }

    /** All of them, by name. */
    public List<StoredCalendar> list() {
        return calendars.all();
    }

    /**
     * Why {@link #put} would not succeed: the name, the definition, the size of all calendars together, and jobs that use the
     * calendar and cannot be planned here, since they also name one that only another service's code declares. Reads, and
     * writes nothing.
     *
     * @return the problems, at most 10; empty if the calendar can be edited here
     */
    public List<Problem> check(String name, Map<String, Object> definition) {
        return calendars.check(name, definition);
    }

    /**
     * Stores a calendar, or its next version. An equal definition stores nothing, and completes the planning of an edit of
     * the last 10 minutes. The next fires of the jobs that use it are computed again from their last planned fires, for 10 s
     * at most; if the time is not enough, live nodes plan the others ({@code jobs().complete()} is false). So do they with a
     * job for which one of its calendars throws ({@code jobs().failed()}): the calendar is stored all the same. A job without
     * any fire left is blocked until another edit gives it one.
     *
     * @param definition plain values, as the builder's {@code calendarReader} understands them
     * @throws IllegalArgumentException with every problem of the definition, or if code declares the name; nothing was
     *     written
     */
    public CalendarEdit put(String name, Map<String, Object> definition) {
        return changes().put(name, definition);
    }

    /**
     * As {@link #put}, in the place of a version that a user has seen. If that one was replaced or removed since, nothing is
     * written; if what is stored equals the definition, nothing needs to be.
     *
     * @param version the stored one, from 1; 0 = none is stored
     * @throws IllegalArgumentException as {@code put} does, and if another version is stored, or none where one was
     */
    public CalendarEdit replace(String name, long version, Map<String, Object> definition) {
        return changes().replace(name, version, definition);
    }

    /**
     * Removes a stored calendar; false if there is none of the name.
     *
     * @throws IllegalStateException if a live job uses it; nothing was removed
     */
    public boolean delete(String name) {
        return changes().delete(name);
    }
}
