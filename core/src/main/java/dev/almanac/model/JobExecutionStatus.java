package dev.almanac.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of the append-only status collection. No field of a row changes after it was inserted, other
 * than {@code deleteTime}, which may be moved (rule N5).
 *
 * @param id {@code specification:fireSeq:claimSeq:phase}, so that writing the same row twice is one row
 * @param jobSpecificationId the specification document it belongs to
 * @param jobSpecificationKey the key of the job
 * @param executionStatus what is to be expected of the job
 * @param outcome what the change was
 * @param updatedTime when, by the server's clock, in milliseconds; rises strictly per job
 * @param fireSeq number of the fire within the job, from 0
 * @param claimSeq number of the claim that wrote the row; 0 before the first
 * @param fireTime planned instant of the fire
 * @param nominalFireTime planned instant before a calendar shifted it; absent if it was not shifted
 * @param startedTime when the run started
 * @param attempt 1 for the first attempt; 0 if nothing was run
 * @param late whether the run was handed to {@code lateExecute}
 * @param overThreshold by how much the start exceeded planned instant plus threshold
 * @param manual whether the run was requested by a user, not planned
 * @param command the contents of a manual run, if they were not those of the job
 * @param node the node that wrote the row
 * @param error what went wrong
 * @param missed the fires that a MISSED row records
 * @param nextFireTime when the job will run next, a retry included; absent if it will not
 * @param detail a sentence for people
 * @param author who requested the change that the row records; absent on rows of runs
 * @param reason why, as the author wrote it
 * @param changes what an update changed
 * @param rerunOf the failed run, or the end of a one-off, that is run again: the id of its document and its {@code fireSeq},
 *     as {@code id:3}; absent if the row requests no rerun
 * @param former the schedule that the change replaced, with the moment of the change as its {@code latestUpdate}, without
 *     what else the job had; absent if the change replaced none
 * @param note the last message of the run's progress; absent if there was none
 * @param log the newest lines of the run's log, oldest first, at most 50; empty if it has written none, or if the row was
 *     written from the document of its job, which does not hold them
 * @param state the state for the next run, if this run changed it; empty = it was removed
 * @param deleteTime when the row is removed; the newest row of a live job is kept on while that does not go on as planned
 */
public record JobExecutionStatus(
        String id,
        String jobSpecificationId,
        String jobSpecificationKey,
        ExecutionStatus executionStatus,
        Outcome outcome,
        Instant updatedTime,
        long fireSeq,
        long claimSeq,
        @Nullable Instant fireTime,
        @Nullable Instant nominalFireTime,
        @Nullable Instant startedTime,
        int attempt,
        boolean late,
        @Nullable Duration overThreshold,
        boolean manual,
        @Nullable EncodedCommand command,
        @Nullable String node,
        @Nullable ErrorSummary error,
        @Nullable MissedFires missed,
        @Nullable Instant nextFireTime,
        @Nullable String detail,
        @Nullable String author,
        @Nullable String reason,
        List<FieldChange> changes,
        @Nullable String rerunOf,
        @Nullable JobSpecification former,
        @Nullable String note,
        List<LogLine> log,
        @Nullable Map<String, Object> state,
        @Nullable Instant deleteTime) {

    /** Copies the changes and the log. */
    public JobExecutionStatus {
        changes = List.copyOf(changes);
        log = List.copyOf(log);
    }

    /** Starts a row. */
    public static JobExecutionStatusBuilder builder() {
        return new JobExecutionStatusBuilder();
    }

    /**
     * Whether it records that a fire failed for good, and not what followed: a delivery of its failure command, an
     * acknowledgement, the planning of what comes next.
     */
    public boolean isFailedFire() {
        return executionStatus == ExecutionStatus.FAILED
                && outcome != Outcome.FAILURE_DELIVERED
                && outcome != Outcome.FAILURE_UNDELIVERED
                && outcome != Outcome.ACKNOWLEDGED
                && outcome != Outcome.REPLANNED;
    }

    /** A builder with a copy of this row. */
    public JobExecutionStatusBuilder toBuilder() {
        return new JobExecutionStatusBuilder(this);
    }
}
