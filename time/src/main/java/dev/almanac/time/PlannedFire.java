package dev.almanac.time;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fire of a recurrence.
 *
 * @param fireTime the planned instant; lateness is judged by it
 * @param nominalFireTime the instant before a calendar shifted it; absent if none did. Where several nominal fires fall
 *     on one business day it is the nearest of them
 */
public record PlannedFire(Instant fireTime, @Nullable Instant nominalFireTime) {
    /** Checks that there is a fire time. */
    public PlannedFire {
        Objects.requireNonNull(fireTime, "fireTime");
    }
}
