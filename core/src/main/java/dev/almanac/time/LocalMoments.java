package dev.almanac.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/** Single moments that are given as wall time. */
public final class LocalMoments {
    private LocalMoments() {}

    /**
     * The first instant at which the wall clock of the zone shows this time or a later one: in a gap its end, in an
     * overlap the first pass. A single moment is never lost, so this holds for every policy and for lost days too.
     *
     * @param policy kept for callers that pass a job's policy on; it makes no difference for a single moment
     */
    public static Instant resolve(LocalDateTime local, ZoneId zone, DaylightSavingPolicy policy) {
        ZoneRules rules = zone.getRules();
        ZoneOffsetTransition transition = rules.getTransition(local);
        if (transition != null && transition.isGap()) {
            return transition.getInstant();
        }
        Instant exact = local.toInstant(transition == null ? rules.getOffset(local) : transition.getOffsetBefore());
        return Instant.ofEpochMilli(exact.toEpochMilli());
    }
}
