package dev.almanac.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stored job as users see it.
 *
 * @param specification what was scheduled
 * @param commandType the type of the command that runs next: that of the failure command while it is to be delivered
 * @param jobState what it is doing, as of the time at which it was read. A pause of its kind counts if the job was found or
 *     listed; the result of a request does not read such pauses
 * @param lastStatus the newest status row
 * @param nextFireTime the next planned fire, or the one in progress; absent if there is none, as after the end of the job or
 *     under a cancel that is noted once no planned fire is in progress, or as long as a node is still to plan it
 * @param runningOn the node that holds a lease on it, or held it last if it is RECOVERING; absent if none does
 * @param leaseUntil when that lease ends unless it is renewed, or has ended
 * @param pause its own pause, in force or planned; absent if there is none, or it has ended
 * @param blocked why it cannot run; absent if it is not blocked
 * @param state the state that its last run has saved for the next one; empty = none
 * @param progress the progress of its present run at the last renewal of its lease; absent if it has reported none
 * @param pins which of its fields declarations leave alone, as of the time at which it was read; empty = none
 */
public record Job(
        JobSpecification specification,
        String commandType,
        JobState jobState,
        JobExecutionStatus lastStatus,
        @Nullable Instant nextFireTime,
        @Nullable String runningOn,
        @Nullable Instant leaseUntil,
        @Nullable Pause pause,
        @Nullable String blocked,
        Map<String, Object> state,
        @Nullable Progress progress,
        List<Pin> pins) {}
