package dev.almanac.engine.rules;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The ways in which a leased job ends other than by its last run. */
final class Endings {
    private Endings() {}

    /** The job ends as cancelled; {@code before} are rows of the same change, older than the CANCELED one. */
    static JobChange canceled(StoredJob job, List<JobExecutionStatus> before, Moment moment) {
        StoredJob last = before.isEmpty() ? job : job.with(edit -> edit.lastStatus(before.get(before.size() - 1)));
        List<JobExecutionStatus> rows = new ArrayList<>(before);
        rows.add(Rows.after(last, moment, "canceled", ExecutionStatus.CANCELED, Outcome.CANCELED)
                .detail("cancelled while it was claimed")
                .build());
        return Transitions.finish(job, rows, moment.canceledUntil(job.specification()));
    }

    /** A recurrence has no further fire and its last planned one was not run. */
    static JobChange exhausted(StoredJob job, JobExecutionStatus row, Moment moment) {
        boolean everRan = job.plan().firesEnded() > 0;
        JobExecutionStatus last = row.toBuilder()
                .executionStatus(everRan ? ExecutionStatus.TRIGGERED : ExecutionStatus.FAILED)
                .outcome(everRan ? row.outcome() : Outcome.EXPIRED)
                .detail((row.detail() == null ? "" : row.detail() + "; ") + "no further fire follows")
                .build();
        Instant deleteTime = everRan ? moment.goodUntil(job.specification()) : moment.failedUntil(job.specification());
        return Transitions.finish(job, List.of(last), deleteTime);
    }
}
