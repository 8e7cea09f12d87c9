package dev.almanac.store;

import java.time.Instant;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What a planned fire was computed from, so that it can be computed again when zone rules or calendars change (rules T6,
 * C5). The instant is derived from a wall time; if the rules of the zone change, the wall time counts.
 *
 * @param zoneRules the version of the time zone rules
 * @param local the planned instant on the wall clock of the job's zone
 * @param after the fire is the first one strictly after this instant: the fire before, or when the schedule was given
 * @param afterLocal the fire before on the wall clock; absent if {@code after} is no fire
 * @param since when a change made the fire due, if that is later than its instant and its start deadline counts from there
 *     (rule S4); absent = its instant
 */
public record PlanBasis(
        String zoneRules,
        LocalDateTime local,
        Instant after,
        @Nullable LocalDateTime afterLocal,
        @Nullable Instant since) {

    /** Of a fire that is due at its instant. */
    public PlanBasis(String zoneRules, LocalDateTime local, Instant after, @Nullable LocalDateTime afterLocal) {
        this(zoneRules, local, after, afterLocal, null);
    }
}
