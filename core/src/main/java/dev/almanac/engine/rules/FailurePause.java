package dev.almanac.engine.rules;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Actor;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredJob;
import java.util.List;
import java.util.Optional;

/** Pauses jobs that keep failing (the field {@code pauseAfterFailures}). Pure functions. */
public final class FailurePause {
    /** The author of such a pause. */
    static final String AUTHOR = "pauseAfterFailures";

    private FailurePause() {}

    /**
     * The plan, which counts one more failed fire if the row says that one has failed for good; while a failure command
     * is delivered, the fire was counted before.
     */
    static FirePlan counted(StoredJob job, JobExecutionStatus row) {
        return counted(job.plan(), job.phase(), row);
    }

    private static FirePlan counted(FirePlan plan, Phase phase, JobExecutionStatus row) {
        return isCounted(phase, row) ? plan.failedInARow(plan.failuresInARow() + 1) : plan;
    }

    /**
     * The plan of an unplanned job without the failure of its end, which is decided again. If a user has acknowledged that one
     * since, none is open after the decision.
     */
    static FirePlan uncounted(StoredJob job, JobExecutionStatus end) {
        return isCounted(job.phase(), end) ? job.plan().failedInARow(job.plan().failuresInARow() - 1) : job.plan();
    }

    private static boolean isCounted(Phase phase, JobExecutionStatus row) {
        return row.executionStatus() == ExecutionStatus.FAILED && phase == Phase.RUN;
    }

    /**
     * The plan after these rows, which end the job or record a run that a user has asked for: whether failures are open is
     * known from it (rule S19).
     */
    static FirePlan last(StoredJob job, List<JobExecutionStatus> rows) {
        FirePlan plan = job.plan();
        for (JobExecutionStatus row : rows) {
            plan = row.outcome() == Outcome.SUCCEEDED ? plan.failedInARow(0) : counted(plan, job.phase(), row);
        }
        return plan;
    }

    /**
     * The job, paused without an end if the limit of fires that failed for good in a row is reached, this one included. A pause
     * without an end that is in force is kept.
     *
     * @param moved the job with the plan of its next fire
     * @param ended the row of the fire that has ended
     */
    static StoredJob applied(StoredJob moved, JobExecutionStatus ended) {
        Integer most = moved.specification().pauseAfterFailures().orElse(null);
        int failed = moved.plan().failuresInARow();
        Pause present = moved.requests().pause();
        // a pause with an end would let the job fail again after it
        boolean held = present != null && present.until() == null && present.isInForce(ended.updatedTime());
        if (most == null || failed < most || held || ended.executionStatus() != ExecutionStatus.FAILED) {
            return moved;
        }
        String replaced = RequestDecider.replaced(present, ended.updatedTime());
        // a job has one pause: who resumes it is to see that the one that was planned, or had an end, is gone
        String why = failed + (failed == 1 ? " fire has" : " fires in a row have") + " failed" + replaced;
        Pause pause = new Pause(why, AUTHOR, null);
        return moved.with(edit -> edit.requests(moved.requests().withPause(pause)));
    }

    /** The row of the pause, newer than that of the fire; empty if the change begins no such pause. */
    static Optional<JobExecutionStatus> row(
            StoredJob before, StoredJob after, JobExecutionStatus ended, DecisionContext context) {
        return of(before, after).map(pause -> {
            StoredJob last = before.with(edit -> edit.lastStatus(ended));
            return Rows.after(last, context, "paused", ExecutionStatus.SCHEDULED, Outcome.PAUSED)
                    .nextFireTime(null)
                    .detail(RequestDecider.paused(pause))
                    .build();
        });
    }

    /** The event of the pause; empty if the change begins no such pause. */
    public static Optional<SchedulerEvent> event(JobChange change) {
        return of(change.before(), change.after())
                .map(pause -> new SchedulerEvent.JobPaused(
                        change.after().key(), true, Actor.named(pause.author(), pause.reason())));
    }

    private static Optional<Pause> of(StoredJob before, StoredJob after) {
        Pause pause = after.requests().pause();
        return pause != null
                        && !pause.equals(before.requests().pause())
                        && pause.author().equals(AUTHOR)
                ? Optional.of(pause)
                : Optional.empty();
    }
}
