package dev.almanac.engine.rules;

import dev.almanac.model.Actor;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Retention;
import dev.almanac.runtime.SchedulerSettings;
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
 * @param trace the span of the request, which is stored with what it asks for (rule S9); absent = none
 * @param search how often a schedule fires, which decides how long its rows are kept
 */
public record DecisionContext(
        Instant now,
        String node,
        double chance,
        SchedulerSettings settings,
        Retention retention,
        @Nullable Actor actor,
        boolean personal,
        @Nullable String trace,
        FirePlanner.Search search) {
    /** How long finished follow-ups are kept at least, so that storing one again, however late, changes nothing. */
    private static final Duration FOLLOW_UPS_KEPT = Duration.ofDays(1);

    /** A context without a requester. */
    public DecisionContext(Instant now, String node, double chance, SchedulerSettings settings, Retention retention) {
        this(now, node, chance, settings, retention, new FirePlanner.Search() {});
    }

    /** A context without a requester. */
    public DecisionContext(
            Instant now,
            String node,
            double chance,
            SchedulerSettings settings,
            Retention retention,
            FirePlanner.Search search) {
        this(now, node, chance, settings, retention, null, false, null, search);
    }

    /**
     * The same context with a requester.
     *
     * @param person whether that is a person, and no service and no declaration
     */
    public DecisionContext by(Actor asking, boolean person) {
        return new DecisionContext(now, node, chance, settings, retention, asking, person, trace, search);
    }

    /** The same context in this span. */
    public DecisionContext in(@Nullable String span) {
        return new DecisionContext(now, node, chance, settings, retention, actor, personal, span, search);
    }

    /** The same context at the given time, if that is later. */
    DecisionContext notBefore(Instant earliest) {
        return now.isBefore(earliest)
                ? new DecisionContext(earliest, node, chance, settings, retention, actor, personal, trace, search)
                : this;
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
     * The {@code deleteTime} of other rows of a recurring job. They tell of its last hundred fires at least (rule S22), unless
     * its owner wants them for less than a day.
     */
    Instant supersededUntil(JobSpecification job) {
        Duration kept = of(job).superseded();
        boolean brief = kept.compareTo(HundredFires.LEAST) < 0;
        Duration fires = brief ? kept : search.hundredFires(job);
        return until(kept.compareTo(fires) > 0 ? kept : fires);
    }

    private Retention of(JobSpecification job) {
        Retention own = job.retention().orElse(retention);
        return job.followUpOf().isEmpty() ? own : own.atLeast(FOLLOW_UPS_KEPT);
    }

    /** A spread end of the retention, so that rows written together do not expire together (rule M8). */
    private Instant until(Duration kept) {
        return now.plusMillis(Math.round(kept.toMillis() * (1 + settings.retentionSpread() * chance)));
    }
}
