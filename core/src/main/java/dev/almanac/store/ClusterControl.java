package dev.almanac.store;

import dev.almanac.model.StandingPause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What holds for many jobs at once.
 *
 * @param pauses of all kinds of jobs, those included that have ended by themselves
 * @param calendarEdits how often a stored calendar was put or deleted; another number = read them anew
 * @param zoneRules the newest version of time zone rules that all plans were checked against; absent = none yet
 */
public record ClusterControl(
        List<StandingPause> pauses,
        long calendarEdits,
        @Nullable String zoneRules) {
    /** No pause, no calendar. */
    public static final ClusterControl NONE = new ClusterControl(List.of(), 0, null);
}
