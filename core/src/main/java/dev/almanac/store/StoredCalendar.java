package dev.almanac.store;

import java.time.Instant;
import java.util.Map;

/**
 * A calendar that is kept in the database and may be edited while nodes run (rule C5).
 *
 * @param name by which jobs refer to it
 * @param version 1 for a new one, one more with each edit
 * @param definition plain values: texts, numbers, booleans, lists and maps of them; what they mean is the business of
 *     the {@link dev.almanac.time.CalendarReader}
 * @param latestUpdate when this version was stored, by the server's clock
 */
public record StoredCalendar(String name, long version, Map<String, Object> definition, Instant latestUpdate) {
    /** Copies the definition's top level. */
    public StoredCalendar {
        definition = Map.copyOf(definition);
    }
}
