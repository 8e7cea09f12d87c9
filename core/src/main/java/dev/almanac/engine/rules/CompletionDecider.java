package dev.almanac.engine.rules;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Phase;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.StoredJob;
import dev.almanac.time.PlannedFire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a job moves on after a run: the rows to write and the document that follows. A pure function of the
 * document, the result and the context (rule P4).
 */
public final class CompletionDecider {
    /** Retries of the delivery of a failure command (rule R6). */
    private static final RetryPolicy FAILURE_RETRIES = RetryPolicy.fixed(3, Duration.ofSeconds(10));

    private static final String NO_RETRIES = "no retry policy";

    /** Knows no calendar: what calendars concern is planned by a node that they answer (rule N8). */
    public static final CompletionDecider WITHOUT_CALENDARS =
            new CompletionDecider(new FirePlanner(new FirePlanner.Calendars(Map.of())));

    private final FirePlanner planner;
    private final ChangedSchedule changed;

    public CompletionDecider(FirePlanner planner) {
        this.planner = planner;
        this.changed = new ChangedSchedule(planner);
    }

    /** How the job moves on after the run of this claim. */
    public JobChange decide(StoredJob job, RunResult result, DecisionContext context) {
        if (job.phase() == Phase.FOLLOW) {
            // the verdict was applied, and a user changed the job before its acknowledgement
            return Transitions.keepLease(job, job, List.of());
        }
        JobChange change;
        try {
            change = decided(job, result, context);
        } catch (UnplannableException e) {
            change = e.change(job, context);
        }
        return FollowDecider.verdictFirst(change);
    }

    private JobChange decided(StoredJob job, RunResult result, DecisionContext context) {
        boolean interrupted = result.kind() == RunResult.Kind.FAILED
                || result.kind().isAbnormal() && job.requests().cancelRequested();
        if (interrupted && job.requests().interruptRequested()) {
            return interrupted(job, result, context);
        }
        return switch (result.kind()) {
            case UNSTARTED -> Transitions.releaseClaim(job, context);
            case SHUT_DOWN -> shutDown(job, result, "its node was shut down during the run", context);
            case SUCCEEDED -> succeeded(job, result, context);
            case FAILED -> failed(job, result, context);
            case FAILED_FOR_GOOD -> failedForGood(job, result, Outcome.NON_RETRYABLE, context);
            case SKIPPED -> skipped(job, result, context);
            case POSTPONED -> postponed(job, result, context);
        };
    }

    /** A cancel interrupted the run; if it was withdrawn since, a run that failed counts as interrupted by a shutdown. */
    private JobChange interrupted(StoredJob job, RunResult result, DecisionContext context) {
        if (!job.requests().cancelRequested()) {
            return shutDown(job, result, "it was interrupted by a cancel that was revoked", context);
        }
        JobExecutionStatus row = Rows.ended(job, result, context, ExecutionStatus.CANCELED, Outcome.INTERRUPTED)
                .detail("cancelled, and interrupted by the cancel")
                .build();
        return Transitions.finish(job, List.of(row), context.canceledUntil(job.specification()), context);
    }

    /**
     * The change that plans what follows a run that has ended, on record (rule N8). No row repeats that end: the row of the
     * planning stands in its place.
     *
     * @throws UnplannableException if it cannot be planned here either
     */
    JobChange planned(StoredJob job, DecisionContext context) {
        JobExecutionStatus known = Objects.requireNonNull(job.verdict(), "unplanned");
        JobChange change =
                endedAs(job.with(edit -> edit.verdict(null).plan(FailurePause.uncounted(job, known))), known, context);
        List<JobExecutionStatus> rows = new ArrayList<>(change.rows());
        JobExecutionStatus row = planned(job, change.after(), rows.get(0), known, context);
        rows.set(0, row);
        StoredJob after = rows.size() == 1 ? change.after().with(edit -> edit.lastStatus(row)) : change.after();
        return new JobChange(job, after, rows, change.by());
    }

    /**
     * The row of the planning.
     *
     * @param after what it has come to
     * @param end the row of the end, as it would be by now
     * @param known the row of the end that is on record
     */
    private static JobExecutionStatus planned(
            StoredJob job, StoredJob after, JobExecutionStatus end, JobExecutionStatus known, DecisionContext context) {
        if (end.outcome() != known.outcome()) {
            // it means more by now, as if no retry is left: that is on record once, too, but the run itself is already
            return end.toBuilder().startedTime(null).attempt(0).build();
        }
        boolean over = !after.isLive();
        String last = "; no further fire follows"
                + droppedRunNow(job).map(dropped -> "; " + dropped).orElse("");
        return Rows.after(
                        job,
                        context,
                        "planned",
                        over ? end.executionStatus() : ExecutionStatus.SCHEDULED,
                        Outcome.REPLANNED)
                .nextFireTime(end.nextFireTime())
                .detail("what follows the run could not be planned as it ended" + (over ? last : ""))
                .build();
    }

    /** The change that follows a run that has ended so. */
    JobChange endedAs(StoredJob job, JobExecutionStatus row, DecisionContext context) {
        JobChange change = switch (row.outcome()) {
            case SUCCEEDED, FAILURE_DELIVERED -> succeeded(job, RunResult.of(row), context);
            case ATTEMPT_FAILED -> failed(job, RunResult.of(row), context);
            case SKIPPED -> skipped(job, RunResult.of(row), context);
            case POSTPONED -> postponed(job, RunResult.of(row), context);
            case CANCELED -> Transitions.canceled(job, List.of(), context);
            case INTERRUPTED -> interrupted(job, RunResult.of(row), context);
            case NON_RETRYABLE -> failedForGood(job, RunResult.of(row), Outcome.NON_RETRYABLE, context);
            case CRASHED, ABANDONED -> {
                RunResult ended = RunResult.of(row);
                if (row.outcome() == Outcome.CRASHED && row.startedTime() != null) {
                    yield crashed(job, ended, row.detail(), context);
                }
                yield failedWithoutRun(job, List.of(), row.outcome(), ended.manual() ? ended.asked() : null, context);
            }
            case EXPIRED ->
                job.specification().isRecurring()
                        ? Transitions.exhausted(job, row, context)
                        : expired(job, row.detail(), context);
            case EXCLUDED -> excluded(job, context);
            default ->
                row.detail() != null && row.detail().startsWith(NO_RETRIES)
                        ? endFire(job, List.of(), notRetried(job, RunResult.of(row), context), context)
                        : failedForGood(job, RunResult.of(row), Outcome.RETRIES_EXHAUSTED, context);
        };
        return Anchors.endedAt(planner, change, row.updatedTime(), context);
    }

    /**
     * The fire fails for good although nothing was run under this claim, or has failed before, and its failure command is
     * not delivered; {@code before} are older rows. A manual run has no fire: it is dropped, and the plan stays as it is.
     *
     * @param asked when the manual run was asked for; absent = it was the planned fire
     */
    JobChange failedWithoutRun(
            StoredJob job,
            List<JobExecutionStatus> before,
            Outcome outcome,
            @Nullable Instant asked,
            DecisionContext context) {
        StoredJob last = before.isEmpty() ? job : job.with(edit -> edit.lastStatus(before.get(before.size() - 1)));
        boolean delivery = asked == null && job.phase() == Phase.FAILURE;
        Outcome said = delivery ? Outcome.FAILURE_UNDELIVERED : outcome;
        JobExecutionStatusBuilder row = Rows.manual(
                        Rows.after(last, context, "failed", ExecutionStatus.FAILED, said), job, asked)
                .detail(
                        outcome == Outcome.CRASHED
                                ? "its node ended during the run, and the crash policy forbids another"
                                : "too many of its claims ended without a recorded outcome");
        return asked != null
                ? manualEnded(job, asked, before, row.executionStatus(ExecutionStatus.SCHEDULED), context)
                : endFire(job, before, row, context);
    }

    /** A one-off may not start any more, for its {@code endAt} or its start deadline: its fire fails for good without a run. */
    JobChange expired(StoredJob job, @Nullable String why, DecisionContext context) {
        JobExecutionStatusBuilder row = Rows.after(job, context, "expired", ExecutionStatus.FAILED, Outcome.EXPIRED)
                .detail(why);
        return endFire(job, List.of(), row, context);
    }

    /** A calendar now excludes the planned fire: the next one is planned, and no fire counts as ended. */
    JobChange excluded(StoredJob job, DecisionContext context) {
        JobSpecification specification = job.specification();
        Instant fire = Objects.requireNonNull(job.plan().nextFireTime());
        Optional<FirePlan> next = FirePlanner.isDelayed(specification)
                ? planner.planAfterEnd(specification, job.plan())
                : following(specification, job.plan(), fire);
        JobExecutionStatus row = Rows.after(job, context, "excluded", ExecutionStatus.SCHEDULED, Outcome.EXCLUDED)
                .nextFireTime(next.map(FirePlan::nextFireTime).orElse(null))
                .detail("a calendar of " + specification.calendars() + " excludes this fire")
                .build();
        return next.map(plan -> Transitions.goOn(job, moved(job, plan), List.of(row), context))
                .orElseGet(() -> Transitions.exhausted(job, row, context));
    }

    /** The failure command was removed from the specification before it was delivered. */
    JobChange undeliverable(StoredJob job, DecisionContext context) {
        JobExecutionStatusBuilder row = Rows.after(
                        job, context, "undelivered", ExecutionStatus.FAILED, Outcome.FAILURE_UNDELIVERED)
                .detail("the specification has no failure command any more");
        return moveOn(job, row, context, null);
    }

    private JobChange succeeded(StoredJob job, RunResult result, DecisionContext context) {
        if (job.phase() == Phase.FAILURE) {
            return moveOn(
                    job,
                    Rows.ended(job, result, context, ExecutionStatus.FAILED, Outcome.FAILURE_DELIVERED),
                    context,
                    null);
        }
        JobExecutionStatusBuilder row = Rows.ended(job, result, context, ExecutionStatus.SCHEDULED, Outcome.SUCCEEDED);
        return result.manual()
                ? manualEnded(job, result.asked(), List.of(), row, context)
                : moveOn(job, row, context, job.plan().nextFireTime());
    }

    /** The helper has skipped the fire: it is over and has neither failed nor succeeded. */
    private JobChange skipped(StoredJob job, RunResult result, DecisionContext context) {
        if (job.phase() == Phase.FAILURE) {
            return failedForGood(job, result, Outcome.FAILURE_UNDELIVERED, context);
        }
        JobExecutionStatusBuilder row = Rows.ended(job, result, context, ExecutionStatus.SCHEDULED, Outcome.SKIPPED);
        return result.manual()
                ? manualEnded(job, result.asked(), List.of(), row, context)
                : moveOn(job, row, context, null);
    }

    /** The helper has postponed the fire: it is planned again without using an attempt, up to a limit. */
    private JobChange postponed(StoredJob job, RunResult result, DecisionContext context) {
        JobExecutionStatusBuilder row = Rows.ended(job, result, context, ExecutionStatus.SCHEDULED, Outcome.POSTPONED);
        if (result.manual()) {
            return manualEnded(job, result.asked(), List.of(), row, context);
        }
        if (job.plan().postponed() >= context.settings().postponeLimit()) {
            return failed(job, result.postponedTooOften(job.plan().postponed()), context);
        }
        if (job.requests().cancelRequested()) {
            return Transitions.canceled(job, List.of(row.build()), context);
        }
        Instant until = Objects.requireNonNullElse(result.left().until(), result.endedTime());
        return retried(job, job.plan().postponedTo(until, result.overThreshold()), row.nextFireTime(until), context);
    }

    private JobChange failed(StoredJob job, RunResult result, DecisionContext context) {
        boolean delivery = job.phase() == Phase.FAILURE;
        JobExecutionStatusBuilder row =
                Rows.ended(job, result, context, ExecutionStatus.SCHEDULED, Outcome.ATTEMPT_FAILED);
        if (result.manual()) {
            row.detail("a manual run; it is not retried");
            return manualEnded(job, result.asked(), List.of(), row, context);
        }
        RetryPolicy policy = delivery ? FAILURE_RETRIES : job.specification().retryPolicy();
        Optional<Duration> delay = policy.delay(job.plan().attempts() + 1, context.chance());
        if (delay.isEmpty()) {
            return delivery || policy.retries() > 0
                    ? failedForGood(job, result, Outcome.RETRIES_EXHAUSTED, context)
                    : endFire(job, List.of(), notRetried(job, result, context), context);
        }
        if (job.requests().cancelRequested()) {
            return Transitions.canceled(job, List.of(row.build()), context);
        }
        Instant retry = result.endedTime().plus(wait(result.retryAfter(), delay.get()));
        return retried(job, job.plan().retryAt(retry, result.overThreshold()), row.nextFireTime(retry), context);
    }

    /** The fire fails with its first attempt: to those who expect retries the row says why there are none (rule R5). */
    private static JobExecutionStatusBuilder notRetried(StoredJob job, RunResult result, DecisionContext context) {
        return Rows.ended(job, result, context, ExecutionStatus.FAILED, Outcome.RETRIES_EXHAUSTED)
                .detail(NO_RETRIES);
    }

    /** Plans the retry, unless the fire itself was moved meanwhile (rule S2). */
    private JobChange retried(StoredJob job, FirePlan retry, JobExecutionStatusBuilder row, DecisionContext context) {
        StoredJob moved = UnplannableException.unless(with(List.of(), row.build()), () -> changed.redated(job))
                .orElseGet(() -> job.with(edit -> edit.plan(retry)));
        return Transitions.goOn(
                job, moved, List.of(row.nextFireTime(moved.plan().startTime()).build()), context);
    }

    /** The delay of a retry; one that the helper asks for is bounded, since dates are. */
    private static Duration wait(@Nullable Duration asked, Duration planned) {
        if (asked == null) {
            return planned;
        }
        return asked.compareTo(RetryPolicy.LONGEST) > 0 ? RetryPolicy.LONGEST : asked;
    }

    private JobChange failedForGood(StoredJob job, RunResult result, Outcome outcome, DecisionContext context) {
        if (job.phase() == Phase.FAILURE) {
            return moveOn(
                    job,
                    Rows.ended(job, result, context, ExecutionStatus.FAILED, Outcome.FAILURE_UNDELIVERED),
                    context,
                    null);
        }
        if (result.manual()) {
            return failed(job, result, context);
        }
        return endFire(job, List.of(), Rows.ended(job, result, context, ExecutionStatus.FAILED, outcome), context);
    }

    /** A shutdown interrupted the run: no attempt is used (rule R14), and the fire runs again first (rule R4). */
    private JobChange shutDown(StoredJob job, RunResult result, String why, DecisionContext context) {
        boolean started = result.startedTime() != null;
        if (started && job.specification().crashPolicy() == CrashPolicy.FAIL) {
            return crashed(job, result, why + ", and the crash policy forbids another", context);
        }
        JobExecutionStatus row = Rows.ended(job, result, context, ExecutionStatus.SCHEDULED, Outcome.ABANDONED)
                .nextFireTime(job.plan().startTime())
                .detail(why + "; it runs again")
                .build();
        boolean rerun = started && !result.manual() && job.phase() == Phase.RUN;
        StoredJob next = rerun ? job.with(edit -> edit.plan(job.plan().withRerun())) : job;
        return job.requests().cancelRequested()
                ? Transitions.canceled(job, List.of(row), context)
                : Transitions.goOn(job, next, List.of(row), context);
    }

    /** The run was interrupted, and may not be repeated (rule R7). */
    private JobChange crashed(StoredJob job, RunResult result, @Nullable String detail, DecisionContext context) {
        boolean delivery = !result.manual() && job.phase() == Phase.FAILURE;
        ExecutionStatus status = result.manual() ? ExecutionStatus.SCHEDULED : ExecutionStatus.FAILED;
        JobExecutionStatusBuilder row = Rows.ended(
                        job, result, context, status, delivery ? Outcome.FAILURE_UNDELIVERED : Outcome.CRASHED)
                .detail(detail);
        return result.manual()
                ? manualEnded(job, result.asked(), List.of(), row, context)
                : endFire(job, List.of(), row, context);
    }

    /**
     * A manual run leaves the plan as it is, unless the schedule or a calendar was changed meanwhile.
     *
     * @param asked when the run was requested; a request made since then is carried out next
     */
    private JobChange manualEnded(
            StoredJob job,
            @Nullable Instant asked,
            List<JobExecutionStatus> before,
            JobExecutionStatusBuilder row,
            DecisionContext context) {
        List<JobExecutionStatus> rows = new ArrayList<>(before);
        StoredJob planned =
                UnplannableException.unless(with(rows, row.build()), () -> changed.afterManual(job, context.now()));
        ExtraRun extra = job.requests().extraRun();
        ExtraRun another = extra != null && asked != null && extra.at().isAfter(asked) ? extra.toCome() : null;
        JobExecutionStatus end = row.nextFireTime(planned.plan().startTime()).build();
        StoredJob moved = planned.with(edit ->
                edit.requests(planned.requests().withExtraRun(another)).plan(FailurePause.last(planned, List.of(end))));
        rows.add(end);
        return job.requests().cancelRequested()
                ? Transitions.canceled(job, rows, context)
                : Transitions.goOn(job, moved, rows, context);
    }

    /** The fire has failed for good: plans its failure command, or the next fire, or ends the job. */
    private JobChange endFire(
            StoredJob job, List<JobExecutionStatus> before, JobExecutionStatusBuilder row, DecisionContext context) {
        boolean cancel = job.requests().cancelRequested();
        if (job.specification().failureCommand().isEmpty() || job.phase() == Phase.FAILURE || cancel) {
            return moveOn(job, before, row, context, null);
        }
        JobExecutionStatus last = row.nextFireTime(context.now()).build();
        StoredJob moved = job.with(
                edit -> edit.phase(Phase.FAILURE).plan(job.plan().deliverAt(context.now(), Rows.reason(last))));
        return Transitions.goOn(job, moved, with(before, last), context);
    }

    private static List<JobExecutionStatus> with(List<JobExecutionStatus> before, JobExecutionStatus row) {
        List<JobExecutionStatus> rows = new ArrayList<>(before);
        rows.add(row);
        return rows;
    }

    private JobChange moveOn(
            StoredJob job, JobExecutionStatusBuilder row, DecisionContext context, @Nullable Instant goodRun) {
        return moveOn(job, List.of(), row, context, goodRun);
    }

    /** The fire has ended: plans the next one, or ends the job. */
    private JobChange moveOn(
            StoredJob job,
            List<JobExecutionStatus> before,
            JobExecutionStatusBuilder row,
            DecisionContext context,
            @Nullable Instant goodRun) {
        JobExecutionStatus run = row.build();
        StoredJob counted = Anchors.counted(job, run.updatedTime(), context.now());
        Optional<FirePlan> next = UnplannableException.unless(
                with(before, run),
                () -> nextPlan(counted, FailurePause.counted(job, run).firesEnded(1, goodRun)));
        List<JobExecutionStatus> rows = new ArrayList<>(before);
        if (next.isEmpty()) {
            boolean good = run.executionStatus() != ExecutionStatus.FAILED;
            return finish(job, rows, row.nextFireTime(null), good, context);
        }
        JobExecutionStatus ended = row.nextFireTime(next.get().nextFireTime()).build();
        rows.add(ended);
        StoredJob moved = FailurePause.applied(moved(counted, next.get()), ended);
        if (job.requests().cancelRequested()) {
            return Transitions.canceled(job, rows, context);
        }
        FailurePause.row(job, moved, ended, context).ifPresent(rows::add);
        return Transitions.goOn(job, moved, rows, context);
    }

    /** The words, for the last row of a job, about a run now that comes too late; empty if there is none. */
    private static Optional<String> droppedRunNow(StoredJob job) {
        return Optional.ofNullable(
                        job.requests().cancelRequested() ? null : job.requests().runNow())
                .map(asked -> "the run now that was requested at " + asked + " is dropped, since the job has ended");
    }

    private static JobChange finish(
            StoredJob job,
            List<JobExecutionStatus> rows,
            JobExecutionStatusBuilder row,
            boolean good,
            DecisionContext context) {
        JobExecutionStatus last = (good ? row.executionStatus(ExecutionStatus.TRIGGERED) : row).build();
        rows.add(droppedRunNow(job)
                .map(dropped -> last.toBuilder()
                        .detail((last.detail() == null ? "" : last.detail() + "; ") + dropped)
                        .build())
                .orElse(last));
        JobSpecification specification = job.specification();
        return Transitions.finish(
                job, rows, good ? context.goodUntil(specification) : context.failedUntil(specification), context);
    }

    private static StoredJob moved(StoredJob job, FirePlan next) {
        return moved(job, next, 1);
    }

    /** The job with its next fire, after so many; blocked if its calendars leave none. */
    static StoredJob moved(StoredJob job, FirePlan next, long fires) {
        return job.with(edit -> edit.phase(Phase.RUN)
                .plan(next)
                .blocked(next.nextFireTime() == null ? Transitions.withoutFire(job.specification()) : null)
                .requests(job.requests().withScheduleChanged(null))
                .sequences(job.sequences().plusFires(fires)));
    }

    /**
     * The plan of the next fire, counted from the planned instant and not from now (rule R2), unless the schedule was
     * changed meanwhile, or the fire was carried by a change: then from that (rule S2).
     *
     * @param ended the plan with the fire that has just ended
     * @return empty if the job is over; without a fire if only its calendars leave none
     */
    private Optional<FirePlan> nextPlan(StoredJob job, FirePlan ended) {
        JobSpecification specification = job.specification();
        Integer most = FirePlanner.most(specification);
        if (most != null && ended.firesEnded() >= most) {
            return Optional.empty();
        }
        ScheduleChange change = job.requests().scheduleChanged();
        boolean carries = change != null && change.carried() != null;
        if (FirePlanner.isDelayed(specification) && !carries) {
            return planner.planAfterEnd(specification, ended);
        }
        if (change != null || ended.carried() != null) {
            return changed.plan(job, ended, job.plan().nextFireTime());
        }
        return !specification.isRecurring() || ended.nextFireTime() == null
                ? Optional.empty()
                : following(specification, ended, planner.anchor(specification, ended));
    }

    /** The plan of the fire after another; without a fire if only the calendars leave none. */
    Optional<FirePlan> following(JobSpecification specification, FirePlan plan, Instant fire) {
        Instant carried = plan.carried();
        Instant after = carried != null && carried.isAfter(fire) ? carried : fire;
        Instant nominal = planner.nominalOf(specification, plan, fire);
        Instant ended = carried != null ? null : nominal == null ? fire : nominal;
        Optional<PlannedFire> next = planner.nextBehind(specification, after, after, ended);
        return next.isPresent() || planner.isWithoutFire(specification, after)
                ? Optional.of(planner.planBehind(specification, plan, next, fire))
                : Optional.empty();
    }
}
