package dev.almanac.engine.rules;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Completes jobs whose run has follow-ups: first the verdict is written, which keeps the claim; when the follow-ups are
 * stored, the job moves on as the verdict says, and nothing is run. No follow-up is stored before the verdict is
 * acknowledged, so none contradicts the end of its run. Pure functions.
 */
public final class FollowDecider {
    private final CompletionDecider completion;

    public FollowDecider(CompletionDecider completion) {
        this.completion = completion;
    }

    /**
     * The change; if it records an end that has follow-ups, the writing of the verdict instead, with the rows that are
     * older than the verdict's.
     */
    static JobChange verdictFirst(JobChange change) {
        StoredJob job = change.before();
        if (job.phase() != Phase.RUN || change.after().phase() == Phase.FOLLOW) {
            return change;
        }
        List<JobExecutionStatus> rows = change.rows();
        for (int i = rows.size() - 1; i >= 0; i--) {
            if (calls(job, rows.get(i))) {
                JobExecutionStatus verdict = rows.get(i);
                StoredJob judged = job.with(edit -> edit.phase(Phase.FOLLOW)
                        .verdict(verdict)
                        .sequences(job.sequences().judged()));
                return Transitions.keepLease(job, judged, rows.subList(0, i));
            }
        }
        return change;
    }

    private static boolean calls(StoredJob job, JobExecutionStatus row) {
        boolean failed = row.executionStatus() == ExecutionStatus.FAILED;
        boolean canceled = failed && job.requests().cancelRequested();
        return !canceled && !FollowUps.of(job.specification(), row).isEmpty();
    }

    /**
     * The change that completes the job after its follow-ups were stored or refused.
     *
     * @param refusals why follow-ups were refused
     */
    public JobChange followed(StoredJob job, List<String> refusals, DecisionContext context) {
        List<JobExecutionStatus> refusalRows = refusalRows(job, refusals, context);
        JobExecutionStatus last = refusalRows.isEmpty() ? job.lastStatus() : refusalRows.get(refusalRows.size() - 1);
        StoredJob ended = job.with(edit -> edit.phase(Phase.RUN).verdict(null).lastStatus(last));
        JobChange change;
        try {
            change = completion.endedAs(ended, Objects.requireNonNull(job.verdict()), context);
        } catch (UnplannableException e) {
            change = e.change(job.with(edit -> edit.lastStatus(last)), context);
        }
        return after(job, refusalRows, change);
    }

    private static List<JobExecutionStatus> refusalRows(StoredJob job, List<String> refusals, DecisionContext context) {
        List<JobExecutionStatus> rows = new ArrayList<>();
        JobExecutionStatus verdict = Objects.requireNonNull(job.verdict());
        Instant asked = verdict.manual() ? verdict.fireTime() : null;
        StoredJob last = job;
        for (String refusal : refusals) {
            String what = "follow-up" + rows.size() + "-";
            JobExecutionStatus row = Rows.manual(
                            Rows.after(last, context, what, ExecutionStatus.SCHEDULED, Outcome.FOLLOW_UP_REFUSED),
                            job,
                            asked)
                    .detail(refusal)
                    .build();
            rows.add(row);
            last = job.with(edit -> edit.lastStatus(row));
        }
        return rows;
    }

    /** The change as one of the document that is stored, with the rows of the refused follow-ups before its own. */
    private static JobChange after(StoredJob job, List<JobExecutionStatus> refusalRows, JobChange change) {
        List<JobExecutionStatus> rows = new ArrayList<>(refusalRows);
        rows.addAll(change.rows());
        return new JobChange(job, change.after(), rows, By.HOLDER);
    }
}
