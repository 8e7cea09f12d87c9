package dev.almanac.engine.rules;

import dev.almanac.model.Actor;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Retention;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The input of a decision beside the document: time, node, settings, requester, and one random number.
 *
 * @param now the server's clock
 * @param node identity of this node
 * @param chance from 0 (inclusive) to 1 (exclusive)
 * @param settings the numbers of this scheduler
 * @param retention how long finished jobs are kept without a retention of their own
 * @param actor who requested the change; absent = the plan
 * @param personal whether the actor is a person who asks for a change of this job, and no service and no declaration
 */
public record DecisionContext(
        Instant now,
        String node,
        double chance,
        SchedulerSettings settings,
        Retention retention,
        @Nullable Actor actor,
        boolean personal) {
    /** How long finished follow-ups are kept at least, so that storing one again, however late, changes nothing. */
    private static final Duration FOLLOW_UPS_KEPT = Duration.ofDays(1);

    /** A context without a requester. */
    public DecisionContext(Instant now, String node, double chance, SchedulerSettings settings, Retention retention) {
        this(now, node, chance, settings, retention, null, false);
    }

    /**
     * The same context with a requester.
     *
     * @param person whether that is a person, and no service and no declaration
     */
    public DecisionContext by(Actor asking, boolean person) {
        return new DecisionContext(now, node, chance, settings, retention, asking, person);
    }

    /** The same context at the given time, if that is later. */
    public DecisionContext notBefore(Instant earliest) {
        return now.isBefore(earliest)
                ? new DecisionContext(earliest, node, chance, settings, retention, actor, personal)
                : this;
    }

    Duration keepsGood(JobSpecification job) {
        return of(job).good();
    }

    Instant goodUntil(JobSpecification job) {
        return until(of(job).good());
    }

    Instant failedUntil(JobSpecification job) {
        return until(of(job).failed());
    }

    Instant canceledUntil(JobSpecification job) {
        return until(of(job).canceled());
    }

    /** The {@code deleteTime} of the row of a user's request. */
    Instant requestedUntil() {
        return until(settings.requestRetention());
    }

    /**
     * The {@code deleteTime} of all rows of users' requests of a job that ends; absent if it was never changed after
     * its creation.
     */
    @Nullable
    Instant requestsUntil(StoredJob job) {
        return job.specification().version() > 1 ? requestedUntil() : null;
    }

    /** The {@code deleteTime} of the newest row once a newer one is written. */
    Instant supersededUntil(StoredJob job) {
        return supersededUntil(job.lastStatus(), job.specification());
    }

    Instant supersededUntil(JobExecutionStatus row, JobSpecification job) {
        if (row.author() != null) {
            return requestedUntil();
        }
        return row.executionStatus() == ExecutionStatus.FAILED ? failedUntil(job) : until(of(job).superseded());
    }

    /**
     * The {@code deleteTime} of the rows of a recurring job that have none when it ends: the end of its retention, but
     * not before that of failures if its newest row records one.
     */
    Instant lastRowsUntil(StoredJob job, Instant end) {
        Instant failure = failedUntil(job.specification());
        boolean failed = job.lastStatus().executionStatus() == ExecutionStatus.FAILED;
        return failed && failure.isAfter(end) ? failure : end;
    }

    private Retention of(JobSpecification job) {
        Retention own = job.retention() == null ? retention : job.retention();
        return job.followUpOf() == null ? own : own.atLeast(FOLLOW_UPS_KEPT);
    }

    /** A spread end of the retention, so that rows written together do not expire together (rule M8). */
    private Instant until(Duration kept) {
        return now.plusMillis(Math.round(kept.toMillis() * (1 + settings.retentionSpread() * chance)));
    }
}
