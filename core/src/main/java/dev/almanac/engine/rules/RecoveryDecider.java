package dev.almanac.engine.rules;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.Phase;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides about a job of which an earlier claim ended without a recorded outcome (rules P5, N8): that is recorded in an
 * ABANDONED row and counted, and the fire is run again, or failed if it must not be. The document alone says it: an end that
 * is not in it was not applied.
 */
final class RecoveryDecider {
    private final CompletionDecider completion;

    RecoveryDecider(FirePlanner planner) {
        this.completion = new CompletionDecider(planner);
    }

    /** Empty if no claim was abandoned, or if that is recorded already. */
    Optional<Decision> decide(StoredJob job, DecisionContext context) {
        return job.sequences().abandoned() == 0
                ? Optional.empty()
                : Optional.of(abandoned(job, withRerun(job), context));
    }

    /** The job marked so that a fire that may have been started runs again before missed fires are judged (rule R4). */
    static StoredJob withRerun(StoredJob job) {
        boolean started = job.specification().crashPolicy() == CrashPolicy.RERUN
                && job.phase() == Phase.RUN
                && asked(job) == null;
        return started ? job.with(edit -> edit.plan(job.plan().withRerun())) : job;
    }

    /**
     * When the abandoned run was asked for by a user; absent = it may have been the planned fire. Of several abandoned claims
     * only the first can have called a helper.
     */
    private static @Nullable Instant asked(StoredJob job) {
        ExtraRun extra = job.requests().extraRun();
        if (extra == null || !job.isRunByHand()) {
            return null;
        }
        return extra.carriedOut();
    }

    /** The row of an abandoned run of a job that ends with this claim. A claim that was only to plan has run nothing. */
    static List<JobExecutionStatus> rows(StoredJob job, DecisionContext context) {
        return job.sequences().abandoned() == 0 || job.isUnplanned()
                ? List.of()
                : List.of(recorded(job, null, context));
    }

    /** @param next the next start of the job; absent = it has none */
    private static JobExecutionStatus recorded(StoredJob job, @Nullable Instant next, DecisionContext context) {
        long crashes = job.sequences().recovered().crashes();
        return row(job, context)
                .nextFireTime(next)
                .detail("an earlier claim ended without a recorded outcome; " + crashes + " in a row")
                .build();
    }

    /** The row of a claim that has no end on record; its detail is the caller's. */
    static JobExecutionStatusBuilder row(StoredJob job, DecisionContext context) {
        return Rows.manual(
                Rows.after(job, context, "abandoned", ExecutionStatus.SCHEDULED, Outcome.ABANDONED), job, asked(job));
    }

    /** @param moved the job with its next plan */
    private Decision abandoned(StoredJob job, StoredJob moved, DecisionContext context) {
        Sequences recovered = job.sequences().recovered();
        Instant asked = asked(job);
        JobExecutionStatus row = recorded(job, moved.plan().startTime(), context);
        boolean crashed = job.specification().crashPolicy() == CrashPolicy.FAIL
                && job.sequences().mayHaveStarted();
        boolean tooOften = recovered.crashes() >= context.settings().abandonedLimit();
        if (crashed || tooOften) {
            return new Decision.Settle(completion.failedWithoutRun(
                    job, List.of(row), crashed ? Outcome.CRASHED : Outcome.ABANDONED, asked, context));
        }
        StoredJob counted = moved.with(
                edit -> edit.sequences(recovered).requests(moved.requests().withoutInterrupt()));
        return job.requests().pause() != null
                ? new Decision.Settle(Transitions.goOn(job, counted, recovered.released(), List.of(row), context))
                : new Decision.Prepare(Transitions.keepLease(job, counted, List.of(row)));
    }
}
