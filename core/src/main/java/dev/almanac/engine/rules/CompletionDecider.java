package dev.almanac.engine.rules;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredJob;
import dev.almanac.time.PlannedFire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a job moves on after a run: the rows to write and the document that follows. A pure function of the
 * document, the result and the moment (rule P4).
 */
public final class CompletionDecider {
    /** Retries of the delivery of a failure command (rule R6). */
    private static final RetryPolicy FAILURE_RETRIES = RetryPolicy.fixed(3, Duration.ofSeconds(10));

    private final FirePlanner planner;
    private final ChangedSchedule changed;

    public CompletionDecider(FirePlanner planner) {
        this.planner = planner;
        this.changed = new ChangedSchedule(planner);
    }

    /**
     * @param refused rows of earlier decisions on the same run, oldest first, which were written although their changes
     *     were refused. The last one is kept as the newest row if it still describes the result, else a further row
     *     follows.
     */
    public JobChange decide(StoredJob job, RunResult result, Moment moment, List<JobExecutionStatus> refused) {
        if (job.phase() == Phase.FOLLOW) {
            // the verdict was applied, and a user changed the job before its acknowledgement
            return Transitions.keepLease(job, job, List.of(), moment);
        }
        JobChange change;
        try {
            change = decide(job, result, moment);
        } catch (UnplannableException e) {
            change = e.change(job, moment);
        }
        JobChange kept = refused.isEmpty()
                ? change
                : Rows.reuse(
                        Anchors.endedAt(planner, change, refused.get(0).updatedTime(), moment),
                        refused.get(refused.size() - 1));
        return Rows.leavingNone(FollowDecider.verdictFirst(kept, moment), refused, moment);
    }

    private JobChange decide(StoredJob job, RunResult result, Moment moment) {
        if (result.kind().isAbnormal() && job.requests().interruptRequested()) {
            return interrupted(job, result, moment);
        }
        return switch (result.kind()) {
            case UNSTARTED -> Transitions.handBack(job, moment);
            case SHUT_DOWN -> shutDown(job, result, "its node was shut down during the run", moment);
            case SUCCEEDED -> succeeded(job, result, moment);
            case FAILED -> failed(job, result, moment);
            case FAILED_FOR_GOOD -> failedForGood(job, result, Outcome.NON_RETRYABLE, moment);
            case SKIPPED -> skipped(job, result, moment);
            case POSTPONED -> postponed(job, result, moment);
        };
    }

    /** A cancel interrupted the run; if it was withdrawn since, the run counts as interrupted by a shutdown. */
    private JobChange interrupted(StoredJob job, RunResult result, Moment moment) {
        if (!job.requests().cancelRequested()) {
            return shutDown(job, result, "it was interrupted to be cancelled, which was taken back", moment);
        }
        JobExecutionStatus row = Rows.ended(job, result, moment, ExecutionStatus.CANCELED, Outcome.INTERRUPTED)
                .detail("cancelled, and interrupted for it")
                .build();
        return Transitions.finish(job, List.of(row), moment.canceledUntil(job.specification()), moment);
    }

    /** The change that the row of an abandoned claim describes, on the document as it is now (rule P5). */
    JobChange fromRow(StoredJob job, JobExecutionStatus row, Moment moment) {
        return Rows.reuse(endedAs(job, row, moment), row);
    }

    /** As {@link #fromRow}, with a row of this claim. */
    JobChange endedAs(StoredJob job, JobExecutionStatus row, Moment moment) {
        JobChange change = switch (row.outcome()) {
            case SUCCEEDED, FAILURE_DELIVERED -> succeeded(job, RunResult.of(row), moment);
            case ATTEMPT_FAILED -> failed(job, RunResult.of(row), moment);
            case SKIPPED -> skipped(job, RunResult.of(row), moment);
            case POSTPONED -> postponed(job, RunResult.of(row), moment);
            case CANCELED -> Transitions.canceled(job, List.of(), moment);
            case INTERRUPTED -> interrupted(job, RunResult.of(row), moment);
            case NON_RETRYABLE -> failedForGood(job, RunResult.of(row), Outcome.NON_RETRYABLE, moment);
            case CRASHED, ABANDONED -> failedWithoutRun(job, List.of(), row.outcome(), row.manual(), moment);
            case EXPIRED ->
                job.specification().isRecurring() ? Transitions.exhausted(job, row, moment) : expired(job, moment);
            case EXCLUDED -> excluded(job, moment);
            default -> failedForGood(job, RunResult.of(row), Outcome.RETRIES_EXHAUSTED, moment);
        };
        return Anchors.endedAt(planner, change, row.updatedTime(), moment);
    }

    /**
     * The fire fails for good although nothing was run under this claim; {@code before} are older rows. A manual run
     * has no fire: it is dropped, and the plan stays as it is.
     */
    JobChange failedWithoutRun(
            StoredJob job, List<JobExecutionStatus> before, Outcome outcome, boolean manual, Moment moment) {
        StoredJob last = before.isEmpty() ? job : job.with(edit -> edit.lastStatus(before.get(before.size() - 1)));
        JobExecutionStatusBuilder row = Rows.manual(
                        Rows.after(last, moment, "failed", ExecutionStatus.FAILED, outcome),
                        manual ? job.requests().runNow() : null)
                .detail(
                        outcome == Outcome.CRASHED
                                ? "its node ended during the run, and the crash policy forbids another"
                                : "too many of its claims ended without a recorded outcome");
        return manual
                ? manualEnded(
                        job, job.requests().runNow(), before, row.executionStatus(ExecutionStatus.SCHEDULED), moment)
                : Transitions.withoutRunNow(endFire(job, before, row, moment), moment);
    }

    /** The end of a one-off's validity has passed: its fire fails for good without a run. */
    JobChange expired(StoredJob job, Moment moment) {
        JobExecutionStatusBuilder row = Rows.after(job, moment, "expired", ExecutionStatus.FAILED, Outcome.EXPIRED)
                .detail("endAt " + job.specification().endAt() + " passed before it could run");
        return endFire(job, List.of(), row, moment);
    }

    /** A calendar now excludes the planned fire: the next one is planned, and no fire counts as ended. */
    JobChange excluded(StoredJob job, Moment moment) {
        JobSpecification specification = job.specification();
        Instant fire = Objects.requireNonNull(job.plan().nextFireTime());
        Optional<FirePlan> next = following(specification, job.plan(), fire);
        JobExecutionStatus row = Rows.after(job, moment, "excluded", ExecutionStatus.SCHEDULED, Outcome.EXCLUDED)
                .nextFireTime(next.map(FirePlan::nextFireTime).orElse(null))
                .detail("a calendar of " + planner.calendars(specification) + " excludes this fire")
                .build();
        return next.map(plan -> Transitions.goOn(job, moved(job, plan), List.of(row), moment))
                .orElseGet(() -> Transitions.exhausted(job, row, moment));
    }

    /** The failure command was removed from the specification before it was delivered. */
    JobChange undeliverable(StoredJob job, Moment moment) {
        JobExecutionStatusBuilder row = Rows.after(
                        job, moment, "undelivered", ExecutionStatus.FAILED, Outcome.FAILURE_UNDELIVERED)
                .detail("the specification has no failure command any more");
        return moveOn(job, row, moment, null);
    }

    private JobChange succeeded(StoredJob job, RunResult result, Moment moment) {
        if (job.phase() == Phase.FAILURE) {
            return moveOn(
                    job,
                    Rows.ended(job, result, moment, ExecutionStatus.FAILED, Outcome.FAILURE_DELIVERED),
                    moment,
                    null);
        }
        JobExecutionStatusBuilder row = Rows.ended(job, result, moment, ExecutionStatus.SCHEDULED, Outcome.SUCCEEDED);
        return result.manual()
                ? manualEnded(job, result.asked(), List.of(), row, moment)
                : moveOn(job, row, moment, job.plan().nextFireTime());
    }

    /** The helper has skipped the fire: it is over and has neither failed nor succeeded. */
    private JobChange skipped(StoredJob job, RunResult result, Moment moment) {
        if (job.phase() == Phase.FAILURE) {
            return failedForGood(job, result, Outcome.FAILURE_UNDELIVERED, moment);
        }
        JobExecutionStatusBuilder row = Rows.ended(job, result, moment, ExecutionStatus.SCHEDULED, Outcome.SKIPPED);
        return result.manual()
                ? manualEnded(job, result.asked(), List.of(), row, moment)
                : moveOn(job, row, moment, null);
    }

    /** The helper has postponed the fire: it is planned again without using an attempt, up to a limit. */
    private JobChange postponed(StoredJob job, RunResult result, Moment moment) {
        JobExecutionStatusBuilder row = Rows.ended(job, result, moment, ExecutionStatus.SCHEDULED, Outcome.POSTPONED);
        if (result.manual()) {
            return manualEnded(job, result.asked(), List.of(), row, moment);
        }
        if (job.plan().postponed() >= moment.settings().postponeLimit()) {
            return failed(job, result.postponedTooOften(job.plan().postponed()), moment);
        }
        if (job.requests().cancelRequested()) {
            return Transitions.canceled(job, List.of(row.build()), moment);
        }
        Instant until = Objects.requireNonNullElse(result.left().until(), result.endedTime());
        return retried(job, job.plan().postponedTo(until, result.overThreshold()), row.nextFireTime(until), moment);
    }

    private JobChange failed(StoredJob job, RunResult result, Moment moment) {
        boolean delivery = job.phase() == Phase.FAILURE;
        JobExecutionStatusBuilder row =
                Rows.ended(job, result, moment, ExecutionStatus.SCHEDULED, Outcome.ATTEMPT_FAILED);
        if (result.manual()) {
            row.detail("a manual run; it is not retried");
            return manualEnded(job, result.asked(), List.of(), row, moment);
        }
        RetryPolicy policy = delivery ? FAILURE_RETRIES : job.specification().retryPolicy();
        Optional<Duration> delay = policy.delay(job.plan().attempts() + 1, moment.chance());
        if (delay.isEmpty()) {
            return failedForGood(job, result, Outcome.RETRIES_EXHAUSTED, moment);
        }
        if (job.requests().cancelRequested()) {
            return Transitions.canceled(job, List.of(row.build()), moment);
        }
        Instant retry = result.endedTime().plus(wait(result.retryAfter(), delay.get()));
        return retried(job, job.plan().retryAt(retry, result.overThreshold()), row.nextFireTime(retry), moment);
    }

    /** Plans the retry, unless the schedule was changed meanwhile. */
    private JobChange retried(StoredJob job, FirePlan retry, JobExecutionStatusBuilder row, Moment moment) {
        StoredJob moved = UnplannableException.unless(
                        with(List.of(), row),
                        () -> changed.replanned(job, job.plan().nextFireTime()))
                .orElseGet(() -> job.with(edit -> edit.plan(retry)));
        return Transitions.goOn(
                job, moved, List.of(row.nextFireTime(moved.plan().startTime()).build()), moment);
    }

    /** The delay of a retry; one that the helper asks for is bounded, since dates are. */
    private static Duration wait(@Nullable Duration asked, Duration planned) {
        if (asked == null) {
            return planned;
        }
        return asked.compareTo(RetryPolicy.LONGEST) > 0 ? RetryPolicy.LONGEST : asked;
    }

    private JobChange failedForGood(StoredJob job, RunResult result, Outcome outcome, Moment moment) {
        if (job.phase() == Phase.FAILURE) {
            return moveOn(
                    job,
                    Rows.ended(job, result, moment, ExecutionStatus.FAILED, Outcome.FAILURE_UNDELIVERED),
                    moment,
                    null);
        }
        if (result.manual()) {
            return failed(job, result, moment);
        }
        return endFire(job, List.of(), Rows.ended(job, result, moment, ExecutionStatus.FAILED, outcome), moment);
    }

    /** A shutdown interrupted the run: no attempt is used (rule R14), and the fire runs again first (rule R4). */
    private JobChange shutDown(StoredJob job, RunResult result, String why, Moment moment) {
        boolean started = result.startedTime() != null;
        if (started && job.specification().crashPolicy() == CrashPolicy.FAIL) {
            return failedWithoutRun(job, List.of(), Outcome.CRASHED, result.manual(), moment);
        }
        JobExecutionStatus row = Rows.ended(job, result, moment, ExecutionStatus.SCHEDULED, Outcome.ABANDONED)
                .nextFireTime(job.plan().startTime())
                .detail(why + "; it runs again")
                .build();
        boolean again = started && !result.manual() && job.phase() == Phase.RUN;
        StoredJob next = again ? job.with(edit -> edit.plan(job.plan().again())) : job;
        return job.requests().cancelRequested()
                ? Transitions.canceled(job, List.of(row), moment)
                : Transitions.goOn(job, next, List.of(row), moment);
    }

    /**
     * A manual run leaves the plan as it is, unless the schedule was changed meanwhile.
     *
     * @param asked when the run was requested; a request made since then is carried out next
     */
    private JobChange manualEnded(
            StoredJob job,
            @Nullable Instant asked,
            List<JobExecutionStatus> before,
            JobExecutionStatusBuilder row,
            Moment moment) {
        List<JobExecutionStatus> rows = new ArrayList<>(before);
        StoredJob planned = UnplannableException.unless(with(rows, row), () -> changed.replanned(job, null))
                .orElse(job);
        Instant newer = job.requests().runNow();
        boolean another = asked != null && newer != null && newer.isAfter(asked);
        StoredJob moved = planned.with(edit -> edit.requests(planned.requests().withRunNow(another ? newer : null)));
        rows.add(row.nextFireTime(moved.plan().startTime()).build());
        return job.requests().cancelRequested()
                ? Transitions.canceled(job, rows, moment)
                : Transitions.goOn(job, moved, rows, moment);
    }

    /** The fire has failed for good: plans its failure command, or the next fire, or ends the job. */
    private JobChange endFire(
            StoredJob job, List<JobExecutionStatus> before, JobExecutionStatusBuilder row, Moment moment) {
        boolean cancel = job.requests().cancelRequested();
        if (job.specification().failureCommand() == null || job.phase() == Phase.FAILURE || cancel) {
            return moveOn(job, before, row, moment, null);
        }
        JobExecutionStatus last = row.nextFireTime(moment.now()).build();
        StoredJob moved =
                job.with(edit -> edit.phase(Phase.FAILURE).plan(job.plan().deliverAt(moment.now(), Rows.reason(last))));
        return Transitions.goOn(job, moved, with(before, row), moment);
    }

    private static List<JobExecutionStatus> with(List<JobExecutionStatus> before, JobExecutionStatusBuilder row) {
        List<JobExecutionStatus> rows = new ArrayList<>(before);
        rows.add(row.build());
        return rows;
    }

    private JobChange moveOn(StoredJob job, JobExecutionStatusBuilder row, Moment moment, @Nullable Instant goodRun) {
        return moveOn(job, List.of(), row, moment, goodRun);
    }

    /** The fire has ended: plans the next one, or ends the job. */
    private JobChange moveOn(
            StoredJob job,
            List<JobExecutionStatus> before,
            JobExecutionStatusBuilder row,
            Moment moment,
            @Nullable Instant goodRun) {
        StoredJob counted = Anchors.counted(job, row);
        Optional<FirePlan> next = UnplannableException.unless(
                with(before, row),
                () -> nextPlan(counted, FailurePause.counted(job, row).firesEnded(1, goodRun)));
        JobExecutionStatus ended =
                row.nextFireTime(next.map(FirePlan::nextFireTime).orElse(null)).build();
        List<JobExecutionStatus> rows = new ArrayList<>(before);
        if (next.isEmpty()) {
            return over(job, rows, ended, moment);
        }
        rows.add(ended);
        StoredJob moved = FailurePause.applied(moved(counted, next.get()), ended);
        if (job.requests().cancelRequested()) {
            return Transitions.canceled(job, rows, moment);
        }
        FailurePause.row(job, moved, ended, moment).ifPresent(rows::add);
        return Transitions.goOn(job, moved, rows, moment);
    }

    private static JobChange over(
            StoredJob job, List<JobExecutionStatus> rows, JobExecutionStatus ended, Moment moment) {
        boolean good = ended.executionStatus() != ExecutionStatus.FAILED;
        rows.add(
                good
                        ? ended.toBuilder()
                                .executionStatus(ExecutionStatus.TRIGGERED)
                                .build()
                        : ended);
        JobSpecification specification = job.specification();
        return Transitions.finish(
                job, rows, good ? moment.goodUntil(specification) : moment.failedUntil(specification), moment);
    }

    private static StoredJob moved(StoredJob job, FirePlan next) {
        return job.with(edit -> edit.phase(Phase.RUN)
                .plan(next)
                .blocked(next.nextFireTime() == null ? Transitions.starved(job.specification()) : null)
                .requests(job.requests().withScheduleChanged(null))
                .sequences(job.sequences().plusFires(1)));
    }

    /**
     * The plan of the next fire, counted from the planned instant and not from now (rule R2), unless the schedule was
     * changed under the lease.
     *
     * @param ended the plan with the fire that has just ended
     * @return empty if the job is over; without a fire if only its calendars leave none
     */
    private Optional<FirePlan> nextPlan(StoredJob job, FirePlan ended) {
        JobSpecification specification = job.specification();
        Integer most = specification.maxFires();
        if (most != null && ended.firesEnded() >= most) {
            return Optional.empty();
        }
        if (FirePlanner.isDelayed(specification)) {
            return planner.planAfterEnd(specification, ended);
        }
        if (job.requests().scheduleChanged() != null) {
            return changed.plan(job, ended, job.plan().nextFireTime());
        }
        return !specification.isRecurring() || ended.nextFireTime() == null
                ? Optional.empty()
                : following(specification, ended, planner.anchor(specification, ended));
    }

    /** The plan of the fire after another; without a fire if only the calendars leave none. */
    private Optional<FirePlan> following(JobSpecification specification, FirePlan plan, Instant fire) {
        Optional<PlannedFire> next = planner.next(specification, fire);
        return next.isPresent() || planner.isStarved(specification, fire)
                ? Optional.of(FirePlanner.planAfter(specification, plan, next, fire))
                : Optional.empty();
    }
}
