package dev.almanac.store;

import dev.almanac.model.StandingPause;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pauses, groups and edits, which concern many jobs at once.
 *
 * @param pauses of all kinds of jobs, including those that have ended by themselves
 * @param calendarEdits how often a stored calendar was put or deleted; another number = read them again
 * @param zoneRules the version of time zone rules by which, or by newer ones, all plans were made at the last check;
 *     absent = there was none
 * @param interrupts how often the interruption of a run was requested; another number = read the requests of the own
 *     runs again
 * @param groups the exclusive groups that have a size or a rate, by name, including removed ones
 */
public record ClusterControl(
        List<StandingPause> pauses,
        long calendarEdits,
        @Nullable String zoneRules,
        long interrupts,
        Map<String, StoredGroup> groups) {
    /** No pause, no calendar, no group. */
    public static final ClusterControl NONE = new ClusterControl(List.of(), 0, null, 0, Map.of());

    /** The limits of a group, stored or not. */
    public StoredGroup group(String name) {
        StoredGroup stored = groups.get(name);
        return stored == null ? StoredGroup.unlisted(name) : stored;
    }
}
