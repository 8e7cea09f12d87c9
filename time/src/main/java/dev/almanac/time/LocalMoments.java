package dev.almanac.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Objects;

/** The instant of a one-off that is given as a local date-time. */
public final class LocalMoments {
    private LocalMoments() {}

    /**
     * The first instant at which the wall clock of the zone shows the wanted time or a later one. In a gap, however
     * long, that is its end: 02:30 in the gap from 02:00 to 03:00 is 03:00. Of a time that is shown twice it is the
     * first pass.
     *
     * @param local the wanted time; a part of a second is kept
     */
    public static Instant resolve(LocalDateTime local, ZoneId zone) {
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        if (change == null) {
            return local.toInstant(zone.getRules().getOffset(local));
        }
        return change.isGap() ? change.getInstant() : local.toInstant(change.getOffsetBefore());
    }

    /**
     * As {@link #resolve(LocalDateTime, ZoneId)}, independent of the policy: a one-off has no later fire to make up for a lost
     * one, so none of the policies may lose or double it.
     */
    public static Instant resolve(LocalDateTime local, ZoneId zone, DaylightSavingPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return resolve(local, zone);
    }
}
