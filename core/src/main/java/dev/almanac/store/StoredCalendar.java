package dev.almanac.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A calendar that is kept in the database and may be edited while nodes run (rule C5).
 *
 * @param name by which jobs refer to it
 * @param version 1 for a new one, one more with each edit; also when it is deleted, and when it is stored again after
 *     that
 * @param definition plain values: texts, numbers, booleans, lists and maps of them; their meaning is defined by the
 *     {@link dev.almanac.time.CalendarReader}
 * @param latestUpdate when this version was stored, by the server's clock
 * @param author who stored this version, and why; empty if that was never stored
 * @param deleted whether it is a tombstone, which keeps its versions rising
 */
public record StoredCalendar(
        String name,
        long version,
        Map<String, Object> definition,
        Instant latestUpdate,
        String author,
        boolean deleted) {
    /** How long a version is kept after it was replaced. */
    public static final Duration KEPT = Duration.ofDays(35);

    /** How many replaced versions of a name are kept; the newest ones. */
    public static final int MOST_KEPT = 100;

    /** Copies the definition's top level. */
    public StoredCalendar {
        definition = Map.copyOf(definition);
    }

    /** A stored calendar. */
    public StoredCalendar(
            String name, long version, Map<String, Object> definition, Instant latestUpdate, String author) {
        this(name, version, definition, latestUpdate, author, false);
    }

    /** The tombstone that is stored when it is deleted. */
    public StoredCalendar tombstone(Instant at, String by) {
        return tombstone(version + 1, at, by);
    }

    /** The same with that version, such as after an edit by hand. */
    public StoredCalendar tombstone(long next, Instant at, String by) {
        return new StoredCalendar(name, next, Map.of(), at, by, true);
    }
}
