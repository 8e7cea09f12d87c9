package dev.almanac.engine.rules;

import dev.almanac.store.PlanBasis;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.Optional;

/** Plans jobs again whose calendars were edited, or whose zone has new rules (rules C5, T6). Pure functions. */
final class EditedCalendars {
    private EditedCalendars() {}

    /** The job with another next fire, or blocked for want of one; empty if its plan stays. Its calendars are known. */
    static Optional<StoredJob> replanned(StoredJob job, FirePlanner planner, Instant now) {
        return planner.planAnew(job.specification(), job.plan(), now)
                .filter(plan -> plan.nextFireTime() != null || !endsByItself(job, planner))
                .map(plan -> job.with(edit -> edit.plan(plan)
                        .blocked(plan.nextFireTime() == null ? Transitions.withoutFire(job.specification()) : null)));
    }

    /** All that is left of a bounded job is excluded: so its planned fire will be when its time comes, and that ends the job. */
    private static boolean endsByItself(StoredJob job, FirePlanner planner) {
        PlanBasis basis = job.plan().basis();
        return basis != null
                && job.specification().isRecurring()
                && job.plan().nextFireTime() != null
                && FirePlanner.drops(job.specification())
                && !planner.isWithoutFire(job.specification(), basis.after());
    }
}
