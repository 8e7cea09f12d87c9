package dev.almanac.model;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stored job as users see it.
 *
 * @param specification what was scheduled
 * @param lastStatus the newest status row
 * @param nextFireTime the next planned fire, or the one in progress; absent if there is none
 * @param runningOn the node that holds a lease on it; absent if none does
 * @param leaseUntil when that lease ends unless it is renewed
 * @param pause why it is held back; absent if it is not
 * @param blocked why it cannot run as it is; absent if it can
 * @param state what its last run has left for the next one; empty = nothing
 * @param progress how far its present run is, as it was when its lease was last renewed; absent if it has not said
 */
public record Job(
        JobSpecification specification,
        JobExecutionStatus lastStatus,
        @Nullable Instant nextFireTime,
        @Nullable String runningOn,
        @Nullable Instant leaseUntil,
        @Nullable Pause pause,
        @Nullable String blocked,
        Map<String, Object> state,
        @Nullable Progress progress) {}
