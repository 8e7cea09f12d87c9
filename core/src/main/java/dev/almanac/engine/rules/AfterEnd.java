package dev.almanac.engine.rules;

import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.Objects;

/** From when a fixed delay is counted. Pure functions. */
final class AfterEnd {
    private AfterEnd() {}

    /** A job with a fixed delay counts it from the row that ends its run. */
    static StoredJob counted(StoredJob job, JobExecutionStatusBuilder row) {
        Instant end = row.build().updatedTime();
        return FirePlanner.isDelayed(job.specification())
                ? job.with(edit -> edit.specification(
                        job.specification().toBuilder().anchor(end).build()))
                : job;
    }

    /** A fixed delay counts from the row that told first that the run has ended, however often that is decided. */
    static JobChange endedAt(FirePlanner planner, JobChange change, Instant end, Moment moment) {
        JobSpecification after = change.after().specification();
        boolean counted =
                !Objects.equals(after.anchor(), change.before().specification().anchor());
        if (!counted || !change.after().isLive() || change.rows().isEmpty()) {
            return change;
        }
        JobSpecification ended = after.toBuilder().anchor(end).build();
        return planner.planAfterEnd(ended, change.after().plan())
                .map(plan -> Rows.planned(change, ended, plan, moment))
                .orElse(change);
    }
}
