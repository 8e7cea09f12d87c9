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
 * What is done when an earlier claim ended without a recorded outcome (rule P5). If that claim wrote down how its run ended, the
 * job moves on as the row says and nothing is run. Else an ABANDONED row is written, so that a late row of the lost
 * lease cannot become the newest, and the fire is run again, or failed if it must not be.
 */
public final class RecoveryDecider {
    /** Rows that say how a run ended, or that the job ended; the others leave the fire open. */
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
    private final MissedFireDecider missed;

    RecoveryDecider(FirePlanner planner) {
        this.completion = new CompletionDecider(planner);
        this.missed = new MissedFireDecider(planner);
    }

    /** Empty if nothing was abandoned, or if that is on record already and the job is to be decided as usual. */
    Optional<Decision> decide(StoredJob job, List<JobExecutionStatus> rows, Moment moment) {
        if (job.sequences().abandoned() == 0 || isOnRecord(job)) {
            return Optional.empty();
        }
        Optional<JobExecutionStatus> word = newestWord(job, rows);
        if (word.isPresent()) {
            return Optional.of(new Decision.Settle(completion.fromRow(job, word.get(), moment)));
        }
        return Optional.of(abandoned(job, again(job, rows, moment), inARow(job.sequences(), rows), moment));
    }

    /** Whether this very claim has written its ABANDONED row already. */
    public static boolean isOnRecord(StoredJob job) {
        JobExecutionStatus last = job.lastStatus();
        return last.claimSeq() == job.sequences().claimSeq()
                && (last.outcome() == Outcome.ABANDONED || last.outcome() == Outcome.MISSED);
    }

    /**
     * The job as it goes on: a fire that may have been started runs again before missed fires are judged (rule R4),
     * unless the abandoned claim had found it missed.
     */
    private StoredJob again(StoredJob job, List<JobExecutionStatus> rows, Moment moment) {
        boolean started = job.specification().crashPolicy() == CrashPolicy.RERUN
                && job.phase() == Phase.RUN
                && !wasManual(job, moment);
        return missed.onRecord(job, rows)
                .orElseGet(() -> started ? job.with(edit -> edit.plan(job.plan().again())) : job);
    }

    static Optional<JobExecutionStatus> newestWord(StoredJob job, List<JobExecutionStatus> rows) {
        Sequences seq = job.sequences();
        return rows.stream()
                .filter(row -> row.claimSeq() > seq.doneSeq() && row.claimSeq() < seq.claimSeq())
                .filter(row -> ENDED.contains(row.outcome()))
                .filter(row ->
                        row.outcome() != Outcome.CANCELED || job.requests().cancelRequested())
                .max(Comparator.comparing(JobExecutionStatus::updatedTime));
    }

    /**
     * Whether the abandoned run was one that a user had asked for. Once the planned fire has come it may have been that
     * one, which must not run twice: then it is taken for it.
     */
    private static boolean wasManual(StoredJob job, Moment moment) {
        Instant planned = job.plan().startTime();
        return job.phase() == Phase.RUN
                && job.requests().runNowRequested()
                && (planned == null || planned.isAfter(moment.now()));
    }

    /**
     * How many claims have ended without a recorded outcome. Each but the first had written that it found the one before. What went
     * back between has run nothing and is not counted, as far as the rows reach back.
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

    private static JobExecutionStatus row(StoredJob job, StoredJob moved, boolean manual, long inARow, Moment moment) {
        JobExecutionStatusBuilder row = Rows.after(
                        job, moment, "abandoned", ExecutionStatus.SCHEDULED, Outcome.ABANDONED)
                .nextFireTime(moved.plan().startTime())
                .detail("an earlier claim ended without a recorded outcome; " + inARow + " in a row");
        return Rows.manual(row, manual ? job.requests().runNow() : null).build();
    }

    /**
     * @param moved the job with its plan as it goes on
     * @param inARow how many claims have ended without a recorded outcome
     */
    private Decision abandoned(StoredJob job, StoredJob moved, long inARow, Moment moment) {
        Sequences seq = job.sequences();
        boolean manual = wasManual(job, moment);
        JobExecutionStatus row = row(job, moved, manual, inARow, moment);
        if (job.requests().cancelRequested()) {
            return new Decision.Settle(Transitions.canceled(job, List.of(row), moment));
        }
        boolean crashed = job.specification().crashPolicy() == CrashPolicy.FAIL && seq.startedSeq() > seq.doneSeq();
        boolean tooOften = inARow >= moment.settings().abandonedLimit();
        if (crashed || tooOften) {
            return new Decision.Settle(completion.failedWithoutRun(
                    job, List.of(row), crashed ? Outcome.CRASHED : Outcome.ABANDONED, manual, moment));
        }
        return job.requests().pause() != null
                ? new Decision.Settle(Transitions.goOn(job, moved, List.of(row), moment))
                : new Decision.Prepare(Transitions.keepLease(
                        job,
                        moved.with(edit -> edit.requests(moved.requests().withoutInterrupt())),
                        List.of(row),
                        moment));
    }
}
