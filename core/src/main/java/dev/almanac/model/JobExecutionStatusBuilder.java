package dev.almanac.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the fields of a {@link JobExecutionStatus}. Not thread-safe. */
public final class JobExecutionStatusBuilder {
    private @Nullable String id;
    private @Nullable String jobSpecificationId;
    private @Nullable String jobSpecificationKey;
    private @Nullable ExecutionStatus executionStatus;
    private @Nullable Outcome outcome = Outcome.NONE;
    private @Nullable Instant updatedTime;
    private long fireSeq;
    private long claimSeq;
    private @Nullable Instant fireTime;
    private @Nullable Instant nominalFireTime;
    private @Nullable Instant startedTime;
    private int attempt;
    private boolean late;
    private @Nullable Duration overThreshold;
    private boolean manual;
    private @Nullable EncodedCommand command;
    private @Nullable String node;
    private @Nullable ErrorSummary error;
    private @Nullable MissedFires missed;
    private @Nullable Instant nextFireTime;
    private @Nullable String detail;
    private @Nullable String author;
    private @Nullable String reason;
    private List<FieldChange> changes = List.of();
    private @Nullable String rerunOf;
    private @Nullable JobSpecification former;
    private @Nullable String note;
    private List<LogLine> log = List.of();
    private @Nullable Map<String, Object> state;
    private @Nullable Instant deleteTime;

    JobExecutionStatusBuilder() {}

    JobExecutionStatusBuilder(JobExecutionStatus from) {
        this.id = from.id();
        this.jobSpecificationId = from.jobSpecificationId();
        this.jobSpecificationKey = from.jobSpecificationKey();
        this.executionStatus = from.executionStatus();
        this.outcome = from.outcome();
        this.updatedTime = from.updatedTime();
        this.fireSeq = from.fireSeq();
        this.claimSeq = from.claimSeq();
        this.fireTime = from.fireTime();
        this.nominalFireTime = from.nominalFireTime();
        this.startedTime = from.startedTime();
        this.attempt = from.attempt();
        this.late = from.late();
        this.overThreshold = from.overThreshold();
        this.manual = from.manual();
        this.command = from.command();
        this.node = from.node();
        this.error = from.error();
        this.missed = from.missed();
        this.nextFireTime = from.nextFireTime();
        this.detail = from.detail();
        this.author = from.author();
        this.reason = from.reason();
        this.changes = from.changes();
        this.rerunOf = from.rerunOf();
        this.former = from.former();
        this.note = from.note();
        this.log = from.log();
        this.state = from.state();
        this.deleteTime = from.deleteTime();
    }

    /** @see JobExecutionStatus#id() */
    public JobExecutionStatusBuilder id(String id) {
        this.id = id;
        return this;
    }

    /** @see JobExecutionStatus#jobSpecificationId() */
    public JobExecutionStatusBuilder jobSpecificationId(String jobSpecificationId) {
        this.jobSpecificationId = jobSpecificationId;
        return this;
    }

    /** @see JobExecutionStatus#jobSpecificationKey() */
    public JobExecutionStatusBuilder jobSpecificationKey(String jobSpecificationKey) {
        this.jobSpecificationKey = jobSpecificationKey;
        return this;
    }

    /** @see JobExecutionStatus#executionStatus() */
    public JobExecutionStatusBuilder executionStatus(ExecutionStatus executionStatus) {
        this.executionStatus = executionStatus;
        return this;
    }

    /** @see JobExecutionStatus#outcome() */
    public JobExecutionStatusBuilder outcome(Outcome outcome) {
        this.outcome = outcome;
        return this;
    }

    /** @see JobExecutionStatus#updatedTime() */
    public JobExecutionStatusBuilder updatedTime(Instant updatedTime) {
        this.updatedTime = updatedTime;
        return this;
    }

    /** @see JobExecutionStatus#fireSeq() */
    public JobExecutionStatusBuilder fireSeq(long fireSeq) {
        this.fireSeq = fireSeq;
        return this;
    }

    /** @see JobExecutionStatus#claimSeq() */
    public JobExecutionStatusBuilder claimSeq(long claimSeq) {
        this.claimSeq = claimSeq;
        return this;
    }

    /** @see JobExecutionStatus#fireTime() */
    public JobExecutionStatusBuilder fireTime(@Nullable Instant fireTime) {
        this.fireTime = fireTime;
        return this;
    }

    /** @see JobExecutionStatus#nominalFireTime() */
    public JobExecutionStatusBuilder nominalFireTime(@Nullable Instant nominalFireTime) {
        this.nominalFireTime = nominalFireTime;
        return this;
    }

    /** @see JobExecutionStatus#startedTime() */
    public JobExecutionStatusBuilder startedTime(@Nullable Instant startedTime) {
        this.startedTime = startedTime;
        return this;
    }

    /** @see JobExecutionStatus#attempt() */
    public JobExecutionStatusBuilder attempt(int attempt) {
        this.attempt = attempt;
        return this;
    }

    /** @see JobExecutionStatus#late() */
    public JobExecutionStatusBuilder late(boolean late) {
        this.late = late;
        return this;
    }

    /** @see JobExecutionStatus#overThreshold() */
    public JobExecutionStatusBuilder overThreshold(@Nullable Duration overThreshold) {
        this.overThreshold = overThreshold;
        return this;
    }

    /** @see JobExecutionStatus#manual() */
    public JobExecutionStatusBuilder manual(boolean manual) {
        this.manual = manual;
        return this;
    }

    /** @see JobExecutionStatus#command() */
    public JobExecutionStatusBuilder command(@Nullable EncodedCommand command) {
        this.command = command;
        return this;
    }

    /** @see JobExecutionStatus#node() */
    public JobExecutionStatusBuilder node(@Nullable String node) {
        this.node = node;
        return this;
    }

    /** @see JobExecutionStatus#error() */
    public JobExecutionStatusBuilder error(@Nullable ErrorSummary error) {
        this.error = error;
        return this;
    }

    /** @see JobExecutionStatus#missed() */
    public JobExecutionStatusBuilder missed(@Nullable MissedFires missed) {
        this.missed = missed;
        return this;
    }

    /** @see JobExecutionStatus#nextFireTime() */
    public JobExecutionStatusBuilder nextFireTime(@Nullable Instant nextFireTime) {
        this.nextFireTime = nextFireTime;
        return this;
    }

    /** @see JobExecutionStatus#detail() */
    public JobExecutionStatusBuilder detail(@Nullable String detail) {
        this.detail = detail;
        return this;
    }

    /** @see JobExecutionStatus#author() */
    public JobExecutionStatusBuilder author(@Nullable String author) {
        this.author = author;
        return this;
    }

    /** @see JobExecutionStatus#reason() */
    public JobExecutionStatusBuilder reason(@Nullable String reason) {
        this.reason = reason;
        return this;
    }

    /** @see JobExecutionStatus#changes() */
    public JobExecutionStatusBuilder changes(List<FieldChange> changes) {
        this.changes = changes;
        return this;
    }

    /** @see JobExecutionStatus#rerunOf() */
    public JobExecutionStatusBuilder rerunOf(@Nullable String rerunOf) {
        this.rerunOf = rerunOf;
        return this;
    }

    /** @see JobExecutionStatus#former() */
    public JobExecutionStatusBuilder former(@Nullable JobSpecification former) {
        this.former = former;
        return this;
    }

    /** @see JobExecutionStatus#note() */
    public JobExecutionStatusBuilder note(@Nullable String note) {
        this.note = note;
        return this;
    }

    /** @see JobExecutionStatus#log() */
    public JobExecutionStatusBuilder log(List<LogLine> log) {
        this.log = log;
        return this;
    }

    /** @see JobExecutionStatus#state() */
    public JobExecutionStatusBuilder state(@Nullable Map<String, Object> state) {
        this.state = state;
        return this;
    }

    /** @see JobExecutionStatus#deleteTime() */
    public JobExecutionStatusBuilder deleteTime(@Nullable Instant deleteTime) {
        this.deleteTime = deleteTime;
        return this;
    }

    /** The row; id, job, status and time are required. */
    public JobExecutionStatus build() {
        return new JobExecutionStatus(
                Objects.requireNonNull(id, "id"),
                Objects.requireNonNull(jobSpecificationId, "jobSpecificationId"),
                Objects.requireNonNull(jobSpecificationKey, "jobSpecificationKey"),
                Objects.requireNonNull(executionStatus, "executionStatus"),
                Objects.requireNonNull(outcome, "outcome"),
                Objects.requireNonNull(updatedTime, "updatedTime"),
                fireSeq,
                claimSeq,
                fireTime,
                nominalFireTime,
                startedTime,
                attempt,
                late,
                overThreshold,
                manual,
                command,
                node,
                error,
                missed,
                nextFireTime,
                detail,
                author,
                reason,
                changes,
                rerunOf,
                former,
                note,
                log,
                state,
                deleteTime);
    }
}
