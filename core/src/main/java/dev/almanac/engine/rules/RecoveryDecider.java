package dev.almanac.engine.rules;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.store.Phase;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides about a job of which an earlier claim ended without a recorded outcome (rule P5). If that claim wrote a row
 * about the end of its run, the job moves on as the row says and nothing is run. Else an ABANDONED row is written, so
 * that a late row of the lost lease cannot become the newest, and the fire is run again, or failed if it must not be.
 */
public final class RecoveryDecider {
    /** Outcomes that end a run or the job; the others leave the fire open. */
    private static final Set<Outcome> ENDED = EnumSet.of(
            Outcome.SUCCEEDED,
            Outcome.ATTEMPT_FAILED,
            Outcome.RETRIES_EXHAUSTED,
            Outcome.NON_RETRYABLE,
            Outcome.SKIPPED,
            Outcome.POSTPONED,
            Outcome.INTERRUPTED,
            Outcome.CRASHED,
            Outcome.EXPIRED,
            Outcome.EXCLUDED,
            Outcome.CANCELED,
            Outcome.FAILURE_DELIVERED,
            Outcome.FAILURE_UNDELIVERED);

    private final CompletionDecider completion;

    RecoveryDecider(FirePlanner planner) {
        this.completion = new CompletionDecider(planner);
    }

    /** Empty if no claim was abandoned, or if that is recorded already and the job is decided as usual. */
    Optional<Decision> decide(StoredJob job, List<JobExecutionStatus> rows, DecisionContext context) {
        if (job.sequences().abandoned() == 0 || isOnRecord(job)) {
            return Optional.empty();
        }
        Optional<JobExecutionStatus> recorded = newestRecordedEnd(job, rows);
        if (recorded.isPresent()) {
            return Optional.of(new Decision.Settle(completion.fromRow(job, recorded.get(), context)));
        }
        return Optional.of(abandoned(job, again(job, context), inARow(job.sequences(), rows), context));
    }

    /** Whether this claim has already written its ABANDONED row. */
    public static boolean isOnRecord(StoredJob job) {
        JobExecutionStatus last = job.lastStatus();
        return last.claimSeq() == job.sequences().claimSeq()
                && (last.outcome() == Outcome.ABANDONED || last.outcome() == Outcome.MISSED);
    }

    /** The job marked so that a fire that may have been started runs again before missed fires are judged (rule R4). */
    private static StoredJob again(StoredJob job, DecisionContext context) {
        boolean started = job.specification().crashPolicy() == CrashPolicy.RERUN
                && job.phase() == Phase.RUN
                && !wasManual(job, context);
        return started ? job.with(edit -> edit.plan(job.plan().again())) : job;
    }

    /** The row of an abandoned claim that says how its run ended; once there is a verdict, only a row that says the same. */
    static Optional<JobExecutionStatus> newestRecordedEnd(StoredJob job, List<JobExecutionStatus> rows) {
        Sequences seq = job.sequences();
        JobExecutionStatus verdict = job.verdict();
        return rows.stream()
                .filter(row ->
                        verdict == null || row.claimSeq() >= verdict.claimSeq() && row.outcome() == verdict.outcome())
                .filter(row -> row.claimSeq() > seq.doneSeq() && row.claimSeq() < seq.claimSeq())
                .filter(row -> ENDED.contains(row.outcome()))
                .filter(row ->
                        row.outcome() != Outcome.CANCELED || job.requests().cancelRequested())
                .max(Comparator.comparing(JobExecutionStatus::updatedTime));
    }

    /**
     * Whether the abandoned run was requested by a user. Once the planned fire is due, the run may have been that fire,
     * which must not run twice: then it counts as that.
     */
    private static boolean wasManual(StoredJob job, DecisionContext context) {
        Instant planned = job.plan().startTime();
        return job.phase() == Phase.RUN
                && job.requests().runNowRequested()
                && (planned == null || planned.isAfter(context.now()));
    }

    /**
     * How many claims have ended without a recorded outcome. Each but the first has written an ABANDONED row about the
     * one before. Released claims have run nothing and are not counted, as far as the rows that were read show it.
     */
    private static long inARow(Sequences seq, List<JobExecutionStatus> rows) {
        boolean whole = rows.stream().anyMatch(row -> row.claimSeq() <= seq.doneSeq());
        long recoveries = rows.stream()
                .filter(row -> row.outcome() == Outcome.ABANDONED)
                .mapToLong(JobExecutionStatus::claimSeq)
                .filter(claim -> claim > seq.doneSeq() && claim < seq.claimSeq())
                .distinct()
                .count();
        return whole ? recoveries + 1 : seq.abandoned();
    }

    /** A claim is decided only before its own helper is called: its own mark is that of a start to come. */
    private static boolean mayHaveStarted(Sequences seq) {
        return seq.startedSeq() > seq.doneSeq() && seq.startedSeq() < seq.claimSeq();
    }

    private static JobExecutionStatus row(
            StoredJob job, StoredJob moved, boolean manual, long inARow, DecisionContext context) {
        JobExecutionStatusBuilder row = Rows.after(
                        job, context, "abandoned", ExecutionStatus.SCHEDULED, Outcome.ABANDONED)
                .nextFireTime(moved.plan().startTime())
                .detail("an earlier claim ended without a recorded outcome; " + inARow + " in a row");
        return Rows.manual(row, manual ? job.requests().runNow() : null).build();
    }

    /**
     * @param moved the job with its next plan
     * @param inARow how many claims have ended without a recorded outcome
     */
    private Decision abandoned(StoredJob job, StoredJob moved, long inARow, DecisionContext context) {
        Sequences seq = job.sequences();
        boolean manual = wasManual(job, context);
        JobExecutionStatus row = row(job, moved, manual, inARow, context);
        if (job.requests().cancelRequested()) {
            return new Decision.Settle(Transitions.canceled(job, List.of(row), context));
        }
        boolean crashed = job.specification().crashPolicy() == CrashPolicy.FAIL && mayHaveStarted(seq);
        boolean tooOften = inARow >= context.settings().abandonedLimit();
        if (crashed || tooOften) {
            return new Decision.Settle(completion.failedWithoutRun(
                    job, List.of(row), crashed ? Outcome.CRASHED : Outcome.ABANDONED, manual, context));
        }
        return job.requests().pause() != null
                ? new Decision.Settle(Transitions.goOn(job, moved, List.of(row), context))
                : new Decision.Prepare(Transitions.keepLease(
                        job,
                        moved.with(edit -> edit.requests(moved.requests().withoutInterrupt())),
                        List.of(row),
                        context));
    }
}
