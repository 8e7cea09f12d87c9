package dev.almanac.engine.rules;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.FirePlan;
import dev.almanac.store.Phase;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.StoredJob;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Until when the first start of a planned fire may come (rule S4). Pure functions. */
public final class StartDeadline {
    private StartDeadline() {}

    /** The job's own deadline, or that of recurrences with SKIP, which run no fire that is out of date; empty = none. */
    public static Optional<Duration> of(JobSpecification job, SchedulerSettings settings) {
        if (job.startDeadline().isPresent() || !mayApply(job)) {
            return job.startDeadline();
        }
        Duration grace = grace(job);
        Duration least = settings.defaultStartDeadline();
        return Optional.of(grace.compareTo(least) > 0 ? grace : least);
    }

    /** Whether a job has a deadline; its length may depend on the settings. */
    static boolean mayApply(JobSpecification job) {
        return job.startDeadline().isPresent()
                || job.isRecurring() && job.missedFirePolicy().kind() == MissedFirePolicy.Kind.SKIP;
    }

    /** By how much a fire may have passed and counts as on time (rule S3). */
    static Duration grace(JobSpecification job) {
        return job.missedFireGrace().orElse(Duration.ZERO);
    }

    /** Since when a fire of the plan is due: its instant, or the change that made it due, if that is later. */
    static Instant dueSince(FirePlan plan, Instant fire) {
        PlanBasis basis = plan.basis();
        Instant since = basis == null ? null : basis.since();
        return since == null || since.isBefore(fire) ? fire : since;
    }

    /**
     * The last moment at which the planned fire may start; empty if there is none: also of what has begun, such as a retry,
     * a postponed fire or the run after an abandoned claim, and of a failure command. Runs that users ask for have none.
     */
    public static Optional<Instant> latest(StoredJob job, SchedulerSettings settings) {
        Instant fire = job.plan().nextFireTime();
        boolean begun =
                job.phase() != Phase.RUN || job.plan().isBegun() || job.plan().rerun();
        return begun || fire == null
                ? Optional.empty()
                : of(job.specification(), settings).map(deadline -> plus(dueSince(job.plan(), fire), deadline));
    }

    /** As {@link #latest}, of a job without a lease: what its next claim runs again, for an abandoned one, has begun. */
    public static Optional<Instant> latestOfNextClaim(StoredJob job, SchedulerSettings settings) {
        return latest(job.sequences().isUnrecovered() ? RecoveryDecider.withRerun(job) : job, settings);
    }

    /** Whether the planned fire may not start any more. */
    static boolean isOver(StoredJob job, DecisionContext context) {
        return latest(job, context.settings())
                .filter(latest -> context.now().isAfter(latest))
                .isPresent();
    }

    /** When a deadline is over, which may be longer than time. */
    static Instant plus(Instant due, Duration deadline) {
        try {
            return due.plus(deadline);
        } catch (DateTimeException | ArithmeticException e) {
            return Instant.MAX;
        }
    }

    /** The deadline in words, and where it comes from. */
    public static String text(JobSpecification job, SchedulerSettings settings) {
        return "startDeadline " + of(job, settings).orElse(Duration.ZERO)
                + (job.startDeadline().isEmpty() ? ", the default of SKIP" : "");
    }
}
