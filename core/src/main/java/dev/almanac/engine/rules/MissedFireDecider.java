package dev.almanac.engine.rules;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.MissedFires.Reason;
import dev.almanac.model.Outcome;
import dev.almanac.store.FirePlan;
import dev.almanac.store.StoredJob;
import dev.almanac.time.PlannedFire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides which of the planned fires of a recurrence that have passed is run, and records those before it (rules R4,
 * S3, S4). The newest is the candidate; fires that have passed by no more than the job's grace are on time and run in
 * their order; RUN_ALL keeps as many of the others as its cap allows. Then the start deadline decides whether the
 * first of these may still start. A function of the plan alone: it needs no memory of how many fires it has run. The
 * change that moves the plan behind fires has their row: so no claim runs a fire of which a MISSED row tells.
 */
final class MissedFireDecider {
    private final FirePlanner planner;
    private final CompletionDecider completion;

    MissedFireDecider(FirePlanner planner) {
        this.planner = planner;
        this.completion = new CompletionDecider(planner);
    }

    /** Empty if the planned fire is to be run, or dropped for its calendars. */
    Optional<Decision> decide(StoredJob job, Instant fire, DecisionContext context) {
        Instant now = context.now();
        if (!fire.isBefore(now)) {
            return Optional.empty();
        }
        JobSpecification specification = job.specification();
        Instant newest = planner.newest(specification, job.plan(), now);
        Instant kept = kept(job, fire, newest, now);
        Duration deadline = StartDeadline.of(specification, context.settings()).orElse(null);
        if (deadline != null && isTooLate(job, kept, deadline, now)) {
            return newest.equals(fire) && job.plan().carried() == null && planner.isExcluded(specification, fire)
                    ? Optional.empty()
                    : Optional.of(tooLate(job, kept, newest, deadline, context));
        }
        Reason reason =
                specification.missedFirePolicy().kind() == MissedFirePolicy.Kind.RUN_ALL ? Reason.CAP : Reason.NEWER;
        return kept.equals(fire)
                ? Optional.empty()
                : Optional.of(runFrom(job, planner.before(specification, job.plan(), kept, 0), reason, context));
    }

    /** Whether more than one of the passed fires may run. */
    static boolean runsSeveral(JobSpecification job) {
        return job.missedFirePolicy().kind() == MissedFirePolicy.Kind.RUN_ALL
                || !StartDeadline.grace(job).isZero();
    }

    /** Whether the policy runs a fire if the job is decided on then, and the fires before it are missed. */
    boolean isKept(StoredJob job, Instant fire, Instant now) {
        StoredJob planned =
                job.with(edit -> edit.plan(FirePlan.first(fire, null, job.plan().basis())));
        return fire.equals(kept(planned, fire, planner.newest(job.specification(), planned.plan(), now), now));
    }

    /** The first of the passed fires that the policy runs. */
    private Instant kept(StoredJob stored, Instant fire, Instant newest, Instant now) {
        JobSpecification job = stored.specification();
        FirePlan plan = stored.plan();
        Duration grace = StartDeadline.grace(job);
        Instant onTime = now.minus(grace);
        if (fire.equals(newest) || !fire.isBefore(onTime)) {
            return fire;
        }
        MissedFirePolicy policy = job.missedFirePolicy();
        if (policy.kind() == MissedFirePolicy.Kind.RUN_ALL) {
            Instant late = grace.isZero() ? newest : planner.newest(job, plan, onTime.minusMillis(1));
            return planner.hasMoreThan(job, plan, late, policy.cap())
                    ? planner.firstOfLast(job, plan, late, policy.cap())
                    : fire;
        }
        return grace.isZero()
                ? newest
                : planner.nextOf(job, plan, onTime.minusNanos(1))
                        .map(PlannedFire::fireTime)
                        .filter(first -> first.isBefore(newest))
                        .orElse(newest);
    }

    private static boolean isTooLate(StoredJob job, Instant fire, Duration deadline, Instant now) {
        Instant due = StartDeadline.dueSince(job.plan(), fire);
        return Duration.between(due, now).compareTo(deadline) > 0;
    }

    /** The fires up to the last one that may not start any more are missed. */
    private Decision tooLate(StoredJob job, Instant kept, Instant newest, Duration deadline, DecisionContext context) {
        Instant now = context.now();
        Instant over = Duration.between(kept, now).compareTo(deadline) > 0
                ? now.minus(deadline).minusNanos(1)
                : kept;
        Optional<PlannedFire> next = FirePlanner.isDelayed(job.specification())
                ? Optional.empty()
                : planner.nextOf(job.specification(), job.plan(), over.isAfter(kept) ? over : kept)
                        .filter(at -> !at.fireTime().isAfter(now));
        return next.isPresent() ? runFrom(job, next.get(), Reason.TOO_LATE, context) : skipAll(job, newest, context);
    }

    /** Records the fires before {@code from}, and moves the plan there. */
    private Decision runFrom(StoredJob job, PlannedFire from, Reason reason, DecisionContext context) {
        JobSpecification specification = job.specification();
        Instant first = job.plan().nextFireTime();
        Instant before =
                planner.before(specification, job.plan(), from.fireTime(), 1).fireTime();
        // by calendars that were edited since, the planned fire may lie after that; it is missed all the same
        Instant last = before.isBefore(first) ? first : before;
        MissedFires missed = planner.count(specification, job.plan(), last, reason);
        return new Decision.Prepare(Transitions.keepLease(
                job,
                job.with(edit -> edit.plan(planner.planBehind(specification, job.plan(), Optional.of(from), last))
                        .sequences(job.sequences().plusFires(missed.count()))),
                List.of(row(job, missed, context).nextFireTime(from.fireTime()).build())));
    }

    /** Records all fires up to {@code newest}: none of them may start any more. */
    private Decision skipAll(StoredJob job, Instant newest, DecisionContext context) {
        MissedFires missed = planner.count(job.specification(), job.plan(), newest, Reason.TOO_LATE);
        JobExecutionStatusBuilder row = row(job, missed, context);
        StoredJob counted = Anchors.counted(job, row.build().updatedTime(), context.now());
        Optional<FirePlan> next = FirePlanner.isDelayed(job.specification())
                ? planner.planAfterEnd(counted.specification(), job.plan())
                : completion.following(job.specification(), job.plan(), newest);
        row.nextFireTime(next.map(FirePlan::nextFireTime).orElse(null));
        return new Decision.Settle(next.map(plan -> Transitions.goOn(
                        job, CompletionDecider.moved(counted, plan, missed.count()), List.of(row.build()), context))
                .orElseGet(() -> Transitions.exhausted(job, row.build(), context)));
    }

    /** A carried fire may not start any more, and the plan goes on with the moment of the one-off (rules S2, S4). */
    Decision carriedTooLate(StoredJob job, FirePlan own, DecisionContext context) {
        Instant fire = job.plan().nextFireTime();
        MissedFires missed = new MissedFires(fire, fire, 1, false, Reason.TOO_LATE);
        JobExecutionStatus row =
                row(job, missed, context).nextFireTime(own.nextFireTime()).build();
        return new Decision.Prepare(Transitions.keepLease(job, CompletionDecider.moved(job, own, 1), List.of(row)));
    }

    /** A fire has passed, and a newer one runs in its place, since the schedule was changed (rule S2). */
    Decision replaced(StoredJob job, StoredJob moved, MissedFires fire, DecisionContext context) {
        JobExecutionStatus row = Rows.after(job, context, "missed", ExecutionStatus.SCHEDULED, Outcome.MISSED)
                .missed(fire)
                .nextFireTime(moved.plan().nextFireTime())
                .detail("1 planned fire passed before the schedule was changed; a newer one runs")
                .build();
        return new Decision.Prepare(Transitions.keepLease(job, moved, List.of(row)));
    }

    private static JobExecutionStatusBuilder row(StoredJob job, MissedFires missed, DecisionContext context) {
        JobSpecification specification = job.specification();
        String fires = missed.counted() + (missed.count() == 1 ? " planned fire" : " planned fires");
        String why = missed.reason() == Reason.TOO_LATE
                ? ", too late: " + StartDeadline.text(specification, context.settings())
                : ", " + specification.missedFirePolicy();
        return Rows.after(job, context, "missed", ExecutionStatus.SCHEDULED, Outcome.MISSED)
                .missed(missed)
                .detail(fires + " passed without a run" + why);
    }
}
