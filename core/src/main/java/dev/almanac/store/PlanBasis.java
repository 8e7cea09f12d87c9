package dev.almanac.store;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a planned fire was computed from, so that it can be computed again when zone rules or calendars change (rules T6,
 * C5). The instant is derived from a wall time; if the rules of the zone change, the wall time counts.
 *
 * @param zoneRules the version of the time zone rules
 * @param local the planned instant on the wall clock of the job's zone
 * @param after the fire is the first one strictly after this instant: the fire before, or when the schedule was given
 * @param afterLocal the fire before on the wall clock; absent if {@code after} is no fire
 * @param afterNominal the nominal instant of the fire before, if that is not {@code after}; absent = it is, or there is none
 * @param since when a change made the fire due, if that is later than its instant and its start deadline counts from there
 *     (rule S4); absent = its instant
 * @param calendars the version of each stored calendar of the job by which it was computed (rule N9); of one that code
 *     declares {@link #DECLARED}
 */
public record PlanBasis(
        String zoneRules,
        LocalDateTime local,
        Instant after,
        @Nullable LocalDateTime afterLocal,
        @Nullable Instant afterNominal,
        @Nullable Instant since,
        Map<String, Long> calendars) {
    public PlanBasis {
        calendars = Map.copyOf(calendars);
    }

    /** The version of a calendar that is not stored. */
    public static final long DECLARED = 0;

    /** The same, computed from these versions. */
    public PlanBasis by(Map<String, Long> versions) {
        return new PlanBasis(zoneRules, local, after, afterLocal, afterNominal, since, versions);
    }

    /** The nominal instant of the fire before, which an edited calendar may have once more; absent if there is none. */
    public @Nullable Instant endedNominal() {
        return afterLocal == null || afterNominal != null ? afterNominal : after;
    }

    /** Of a fire that is due at its instant, by no stored calendar. */
    public PlanBasis(String zoneRules, LocalDateTime local, Instant after, @Nullable LocalDateTime afterLocal) {
        this(zoneRules, local, after, afterLocal, null, null, Map.of());
    }
}
