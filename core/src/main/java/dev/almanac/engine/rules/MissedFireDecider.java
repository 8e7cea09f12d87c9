package dev.almanac.engine.rules;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.WriteOrder;
import dev.almanac.store.StoredJob;
import dev.almanac.time.PlannedFire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides about a recurrence of which more than one planned fire has passed (rule R4). A single passed fire is not
 * missed: it is run, if need be late. Nor is one that has passed by no more than the job's grace.
 *
 * <p>RUN_ALL runs the newest fires, in order, as many as its cap allows, and records older ones; being a function of
 * the plan alone, it needs no memory of how many it has run.
 */
final class MissedFireDecider {
    private final FirePlanner planner;

    MissedFireDecider(FirePlanner planner) {
        this.planner = planner;
    }

    /** Empty if no fire was missed. */
    Optional<Decision> decide(StoredJob job, Instant fire, DecisionContext context) {
        Duration grace = job.specification().missedFireGrace();
        Instant now = grace == null ? context.now() : context.now().minus(grace);
        if (!fire.isBefore(now)) {
            return Optional.empty();
        }
        MissedFires passed = planner.passed(job.specification(), job.plan(), now);
        if (passed.count() < 2) {
            return Optional.empty();
        }
        MissedFirePolicy policy = job.specification().missedFirePolicy();
        return switch (policy.kind()) {
            case SKIP -> Optional.of(skipAll(job, passed, context));
            case RUN_LATEST ->
                Optional.of(runFrom(
                        job, passed, planner.before(job.specification(), job.plan(), passed.last(), 0), 1, context));
            case RUN_ALL ->
                passed.count() <= policy.cap() && !passed.more()
                        ? Optional.empty()
                        : Optional.of(runNewest(job, passed, policy.cap(), context));
        };
    }

    private Decision runNewest(StoredJob job, MissedFires passed, int cap, DecisionContext context) {
        PlannedFire from = planner.before(job.specification(), job.plan(), passed.last(), cap - 1L);
        return runFrom(job, passed, from, cap, context);
    }

    /** Records the fires before {@code from}, of which {@code kept} are still to be run, and moves the plan there. */
    private Decision runFrom(StoredJob job, MissedFires passed, PlannedFire from, int kept, DecisionContext context) {
        long skipped = Math.max(1, passed.count() - kept);
        Instant before = planner.before(job.specification(), job.plan(), from.fireTime(), 1)
                .fireTime();
        // by calendars that were edited since, the planned fire may lie after that; it is missed all the same
        Instant lastSkipped = before.isBefore(passed.first()) ? passed.first() : before;
        MissedFires missed = new MissedFires(passed.first(), lastSkipped, skipped, passed.more());
        JobExecutionStatus row = row(job, missed, from.fireTime(), context);
        return new Decision.Prepare(planFirst(Transitions.keepLease(
                job,
                job.with(edit -> edit.plan(
                                FirePlanner.planBehind(job.specification(), job.plan(), Optional.of(from), lastSkipped))
                        .sequences(job.sequences().plusFires(skipped))),
                List.of(row),
                context)));
    }

    private Decision skipAll(StoredJob job, MissedFires passed, DecisionContext context) {
        Optional<PlannedFire> next = planner.next(job.specification(), passed.last());
        JobExecutionStatus row =
                row(job, passed, next.map(PlannedFire::fireTime).orElse(null), context);
        if (next.isEmpty()) {
            return new Decision.Settle(planFirst(Transitions.exhausted(job, row, context)));
        }
        return new Decision.Settle(planFirst(Transitions.goOn(
                job,
                job.with(edit -> edit.plan(FirePlanner.planAfter(job.specification(), job.plan(), next, passed.last()))
                        .sequences(job.sequences().plusFires(passed.count()))),
                List.of(row),
                context)));
    }

    /** A fire has passed, and a newer one runs in its place, since the schedule was changed (rule S2). */
    Decision replaced(StoredJob job, StoredJob moved, MissedFires fire, DecisionContext context) {
        JobExecutionStatus row = Rows.after(job, context, "missed", ExecutionStatus.SCHEDULED, Outcome.MISSED)
                .missed(fire)
                .nextFireTime(moved.plan().nextFireTime())
                .detail("1 planned fire passed before the schedule was changed; a newer one runs")
                .build();
        return new Decision.Prepare(planFirst(Transitions.keepLease(job, moved, List.of(row), context)));
    }

    /** The row follows the plan: if the lease is lost before the plan has moved, a later claim may run the fire. */
    private static JobChange planFirst(JobChange change) {
        return new JobChange(change.before(), change.after(), change.rows(), change.stamp(), WriteOrder.PLAN_FIRST);
    }

    private static JobExecutionStatus row(
            StoredJob job, MissedFires missed, @Nullable Instant next, DecisionContext context) {
        return Rows.after(job, context, "missed", ExecutionStatus.SCHEDULED, Outcome.MISSED)
                .missed(missed)
                .nextFireTime(next)
                .detail(missed.count() + (missed.more() ? " or more" : "") + " planned fires passed without a run, "
                        + job.specification().missedFirePolicy())
                .build();
    }
}
