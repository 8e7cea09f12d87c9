package dev.almanac.time;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One fire of a recurrence.
 *
 * @param fireTime when it takes place
 * @param nominalFireTime when it would have without its calendars; absent if they did not shift it
 */
public record PlannedFire(Instant fireTime, @Nullable Instant nominalFireTime) {}
