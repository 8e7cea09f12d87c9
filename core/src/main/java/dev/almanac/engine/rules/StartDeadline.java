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

/** Until when the first start of a planned fire may come: its deadline (rule S4), and the end of a one-off. Pure functions. */
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

    /**
     * Why a planned fire is not started any more.
     *
     * @param since from when on
     * @param why in words, without the moment of the fire
     */
    public record Over(Instant since, String why) {}

    /**
     * Why the next claim of a job without a lease does not start its planned fire; empty if it does. What that claim runs
     * again, for an abandoned one, has begun.
     */
    public static Optional<Over> ofNextClaim(StoredJob job, Instant now, SchedulerSettings settings) {
        StoredJob claimed = job.sequences().isUnrecovered() ? RecoveryDecider.withRerun(job) : job;
        return pastEnd(claimed, now)
                .or(() -> latest(claimed, settings)
                        .filter(now::isAfter)
                        .map(since -> new Over(since, text(claimed.specification(), settings))));
    }

    /** Whether {@code endAt} of a one-off has passed that has not run: its next claim ends it. Retries go on to their end. */
    static Optional<Over> pastEnd(StoredJob job, Instant now) {
        FirePlan plan = job.plan();
        boolean asks = job.phase() == Phase.RUN
                && !job.specification().isRecurring()
                && plan.attempts() == 0
                && !plan.rerun()
                && plan.carried() == null;
        return asks
                ? job.specification()
                        .endAt()
                        .filter(now::isAfter)
                        .map(end -> new Over(end, "endAt " + end + " passed before it could run"))
                : Optional.empty();
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
