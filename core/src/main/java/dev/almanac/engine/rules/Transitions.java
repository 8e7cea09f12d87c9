package dev.almanac.engine.rules;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.StoredFields;
import dev.almanac.store.Blocked;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Phase;
import dev.almanac.store.Requests;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds of changes of leased jobs. Each ends the claim unless it says otherwise. */
public final class Transitions {
    /** Finished jobs are kept for at least so long, with any retention. */
    private static final Duration KEPT = Duration.ofDays(2);

    private Transitions() {}

    /** The job is over; its document is kept until {@code deleteTime}, and long enough for a repair to see it (rule N4). */
    static JobChange finish(StoredJob job, List<JobExecutionStatus> rows, Instant deleteTime, DecisionContext context) {
        StoredJob after = job.with(edit -> edit.specification(ended(job.specification(), deleteTime, context))
                .due(null)
                .lease(null)
                .sequences(job.sequences().done())
                .plan(FailurePause.last(job, rows))
                .requests(Requests.NONE)
                .verdict(null)
                .state(state(job, rows))
                .lastStatus(newest(job, rows)));
        return new JobChange(job, after, rows, By.HOLDER);
    }

    /**
     * The job is due when its plan says, or when its pause ends.
     *
     * @param moved the job with its new plan, counters, phase and requests
     */
    static JobChange goOn(StoredJob job, StoredJob moved, List<JobExecutionStatus> rows, DecisionContext context) {
        return goOn(job, moved, moved.sequences().done(), rows, context);
    }

    /** @param sequences the counters after it */
    static JobChange goOn(
            StoredJob job,
            StoredJob moved,
            Sequences sequences,
            List<JobExecutionStatus> rows,
            DecisionContext context) {
        StoredJob after = moved.with(edit -> edit.sequences(sequences)
                .lease(null)
                .requests(moved.requests().withoutInterrupt())
                .due(dueOf(moved, context.now()))
                .lastStatus(newest(job, rows)));
        return byHolder(job, after, rows);
    }

    /** The claim goes on: only rows, plan and counters change. */
    static JobChange keepLease(StoredJob job, StoredJob moved, List<JobExecutionStatus> rows) {
        return byHolder(job, moved.with(edit -> edit.lastStatus(newest(job, rows))), rows);
    }

    /**
     * The claim is released; nothing was run. {@code doneSeq} stays if an abandoned claim is still to be recovered. A
     * job that is to be cancelled ends here, after the row of a run that was abandoned.
     */
    public static JobChange releaseClaim(StoredJob job, DecisionContext context) {
        return releaseClaim(job, job, context);
    }

    /** @param moved the job with another start */
    static JobChange releaseClaim(StoredJob job, StoredJob moved, DecisionContext context) {
        if (isToBeCanceled(job)) {
            return canceled(job, RecoveryDecider.rows(job, context), context);
        }
        StoredJob after = moved.with(edit -> edit.lease(null)
                .requests(job.requests().withoutInterrupt())
                .sequences(unrun(job))
                .due(dueAsBefore(moved, context.now())));
        return new JobChange(job, after, List.of(), By.HOLDER);
    }

    /** Whether a cancel is noted, and nothing comes before it: a run that has ended is to have its row, and its follow-ups, first. */
    static boolean isToBeCanceled(StoredJob job) {
        return job.requests().cancelRequested() && job.phase() != Phase.FOLLOW;
    }

    /** Whether no earlier claim is still to be recovered. */
    private static boolean isRecovered(StoredJob job) {
        return job.sequences().abandoned() == 0;
    }

    /** The counters after a claim under which nothing was run. */
    private static Sequences unrun(StoredJob job) {
        Sequences unstarted = job.sequences().unstarted();
        if (job.phase() == Phase.FOLLOW) {
            return unstarted.releasedAfterVerdict();
        }
        return isRecovered(job) ? unstarted.released() : unstarted;
    }

    /**
     * The run is over, and what follows cannot be planned on this node (rules X6, N8): the job is due at once, for a node that
     * can. None runs the fire again, since its end is on record.
     *
     * @param rows the last one is that of the run
     */
    static JobChange unplanned(StoredJob job, List<JobExecutionStatus> rows, DecisionContext context) {
        return goOn(job, ended(job, rows), rows, context);
    }

    /** Its failure is open from here on; the planning does not count it once more. */
    private static StoredJob ended(StoredJob job, List<JobExecutionStatus> rows) {
        StoredJob ended = beyondVerdict(job).with(edit -> edit.verdict(newest(job, rows)));
        return ended.with(edit -> edit.plan(FailurePause.last(ended, rows)));
    }

    /** The job is blocked until a user repairs it; nothing was run. {@code doneSeq} as for {@link #releaseClaim}. */
    public static JobChange block(StoredJob job, String reason, DecisionContext context) {
        return block(job, Blocked.toRepair(reason), context);
    }

    private static JobChange block(StoredJob job, Blocked why, DecisionContext context) {
        return blocked(job, job, List.of(), why, unrun(job), context);
    }

    private static JobChange blocked(
            StoredJob job,
            StoredJob moved,
            List<JobExecutionStatus> before,
            Blocked why,
            Sequences sequences,
            DecisionContext context) {
        if (job.requests().cancelRequested()) {
            return canceled(job, before, context);
        }
        StoredJob last = job.with(edit -> edit.lastStatus(newest(job, before)));
        JobExecutionStatus row = Rows.after(last, context, "blocked", ExecutionStatus.SCHEDULED, Outcome.BLOCKED)
                .detail(why.reason())
                .build();
        StoredJob after =
                blocked(moved, why).with(edit -> edit.sequences(sequences).lastStatus(row));
        List<JobExecutionStatus> rows = new ArrayList<>(before);
        rows.add(row);
        return byHolder(job, after, rows);
    }

    /** The event of a block; empty if the change does not block the job, or it was blocked before. */
    public static Optional<SchedulerEvent> blockEvent(JobChange change) {
        return Optional.ofNullable(change.after().blockedReason())
                .filter(reason -> change.before().blocked() == null)
                .map(reason -> new SchedulerEvent.JobBlocked(change.after().key(), reason));
    }

    /** Blocked until an edit of its calendars gives it a fire; {@code plan} has none. */
    static JobChange blockWithoutFire(StoredJob job, FirePlan plan, DecisionContext context) {
        JobChange change = block(job, withoutFire(job.specification()), context);
        StoredJob after = change.after().with(edit -> edit.plan(plan));
        // a run by hand that was asked for needs no fire
        StoredJob asked = after.with(edit -> edit.due(after.isLive() ? dueOf(after, context.now()) : null));
        return new JobChange(job, asked, change.rows(), change.by());
    }

    /**
     * The job is blocked, and the run is over: what follows is planned once the job is repaired (rule N8).
     *
     * @param rows the last one is that of the run
     */
    static JobChange blockEnded(StoredJob job, List<JobExecutionStatus> rows, String reason, DecisionContext context) {
        return blocked(
                job,
                ended(job, rows),
                rows,
                Blocked.toRepair(reason),
                job.sequences().done(),
                context);
    }

    /**
     * The server refuses a change for good (rule X9): the job is blocked. A run that has ended by it has ended: its row, or
     * its verdict if it has follow-ups, goes into the document without what may have been too large. Else {@code doneSeq}
     * stays, so that the next claim, after a repair, recovers this one.
     *
     * @param refused the change
     * @param started whether a helper was called under this claim; if not, its mark is removed (rule P5)
     */
    public static JobChange blockRefused(
            StoredJob job, JobChange refused, boolean started, String reason, DecisionContext context) {
        JobExecutionStatus verdict = refused.after().verdict();
        if (job.phase() == Phase.FOLLOW && refused.after().phase() != Phase.FOLLOW && job.verdict() != null) {
            // its follow-ups are stored, so its run has ended, here or elsewhere
            return blockEnded(job, List.of(small(job.verdict())), reason, context);
        }
        if (started && job.phase() == Phase.RUN && refused.after().phase() == Phase.FOLLOW && verdict != null) {
            return blockJudged(job, small(verdict), reason, context);
        }
        List<JobExecutionStatus> ends = refused.rows().stream()
                .filter(row -> started && row.startedTime() != null)
                // of these the fire goes on
                .filter(row -> row.outcome() != Outcome.TIMED_OUT && row.outcome() != Outcome.ABANDONED)
                .map(Transitions::small)
                .toList();
        return ends.isEmpty()
                ? blocked(job, job, List.of(), Blocked.toRepair(reason), afterRefusal(job, started), context)
                : blockEnded(job, ends.subList(0, 1), reason, context);
    }

    private static Sequences afterRefusal(StoredJob job, boolean started) {
        if (job.phase() == Phase.FOLLOW) {
            return unrun(job);
        }
        return started ? job.sequences() : job.sequences().unstarted();
    }

    /** The run has ended so: after a repair its follow-ups are stored, and nothing is run. */
    private static JobChange blockJudged(
            StoredJob job, JobExecutionStatus verdict, String reason, DecisionContext context) {
        StoredJob judged = job.with(edit -> edit.phase(Phase.FOLLOW).verdict(verdict));
        return job.requests().cancelRequested()
                ? canceled(job, List.of(verdict), context)
                : blocked(
                        job,
                        judged,
                        List.of(),
                        Blocked.toRepair(reason),
                        job.sequences().done(),
                        context);
    }

    private static JobExecutionStatus small(JobExecutionStatus row) {
        ErrorSummary error = row.error();
        return row.toBuilder()
                .state(null)
                .note(null)
                .command(null)
                .error(error == null ? null : new ErrorSummary(error.type(), null, null))
                .build();
    }

    private static StoredJob blocked(StoredJob job, Blocked why) {
        return job.with(edit -> edit.blocked(why)
                .lease(null)
                .requests(job.requests().withoutInterrupt())
                .due(null));
    }

    /**
     * The run has exceeded its timeout; the claim is kept until its code has ended (rule X8). The row records no end:
     * if the node dies then, the run is abandoned.
     */
    public static JobChange timedOut(
            StoredJob job,
            @Nullable Instant started,
            @Nullable Instant asked,
            ErrorSummary error,
            DecisionContext context) {
        JobExecutionStatusBuilder timedOut =
                Rows.after(job, context, "timed-out", ExecutionStatus.SCHEDULED, Outcome.TIMED_OUT);
        JobExecutionStatus row = Rows.manual(timedOut, job, asked)
                .id(Rows.idInClaim(job, "timed-out"))
                .startedTime(started)
                .attempt(job.plan().attempts() + 1)
                .error(error)
                .detail("it was asked to end; its lease is held until its code has ended")
                .build();
        return keepLease(job, job, List.of(row));
    }

    /** As {@link #dueOf}; what was to be done at once is due since it was asked for, so that it shows how late it is. */
    private static @Nullable Instant dueAsBefore(StoredJob job, Instant now) {
        Instant due = dueOf(job, now);
        JobExecutionStatus verdict = job.verdict();
        Instant planned = verdict == null ? null : verdict.updatedTime();
        Instant asked = isAskedFor(job) ? job.requests().runNow() : planned;
        return now.equals(due) && asked != null && asked.isBefore(now) ? asked : due;
    }

    /** A run by hand comes after a failure command that waits for its retry: a claim before that could only be released. */
    private static boolean isAskedFor(StoredJob job) {
        return job.requests().runNowRequested() && job.phase() != Phase.FAILURE;
    }

    /** When the job may be claimed without a lease; absent = not at all, as while it is blocked, but for a run by hand. */
    static @Nullable Instant dueOf(StoredJob job, Instant now) {
        return isHeldByBlock(job) ? null : unblockedDueOf(job, now);
    }

    /** Whether it is blocked, and is neither to be cancelled nor, for want of a fire alone, to be run by hand. */
    public static boolean isHeldByBlock(StoredJob job) {
        Requests requests = job.requests();
        boolean open = requests.cancelRequested() || isWithoutFire(job) && requests.runNowRequested();
        return job.blocked() != null && !open;
    }

    private static @Nullable Instant unblockedDueOf(StoredJob job, Instant now) {
        Requests requests = job.requests();
        // what follows a verdict is owed at once, whenever the next fire is planned
        Instant start =
                isAskedFor(job) || job.verdict() != null ? now : job.plan().startTime();
        Pause pause = requests.pause();
        if (pause == null || start == null || job.isBeyondPause()) {
            return start;
        }
        Instant from = pause.from();
        Instant earliest = start.isAfter(now) ? start : now;
        Instant until = pause.until();
        boolean before = from != null && from.isAfter(earliest);
        return before || until != null && !until.isAfter(start) ? start : until;
    }

    /** Why a job is blocked that an edit of its calendars has left without a fire (rule C5). */
    static Blocked withoutFire(JobSpecification job) {
        String how = job.isRecurring()
                ? " within " + FirePlanner.SEARCHED
                : ": they exclude its moment, and its calendarPolicy " + job.calendarPolicy() + " names no other";
        return new Blocked(Blocked.Kind.NO_FIRE, "its calendars leave it no fire" + how);
    }

    /** Whether it is blocked for want of a fire. */
    public static boolean isWithoutFire(StoredJob job) {
        return job.blocked() != null && job.blocked().kind() == Blocked.Kind.NO_FIRE;
    }

    /** Whether there is no fire that it could go on with. */
    static boolean lacksFire(StoredJob job) {
        return isWithoutFire(job) || job.plan().startTime() == null;
    }

    static JobSpecification ended(JobSpecification job, Instant deleteTime, DecisionContext context) {
        Instant least = context.now().plus(KEPT);
        return StoredFields.of(job)
                .deleteTime(deleteTime.isBefore(least) ? least : deleteTime)
                .build();
    }

    private static JobChange byHolder(StoredJob job, StoredJob after, List<JobExecutionStatus> rows) {
        return new JobChange(job, after.with(edit -> edit.state(state(job, rows))), rows, By.HOLDER);
    }

    /** The state in the row of a run: the one that the run has set, if it differs from the stored one. */
    static @Nullable Map<String, Object> changedState(StoredJob job, RunResult result) {
        Map<String, Object> set = result.left().state();
        return job.state().equals(set) ? null : set;
    }

    /**
     * The state of the document after these rows: taken from the row, by the run itself or by the node that recovers
     * it.
     */
    private static Map<String, Object> state(StoredJob job, List<JobExecutionStatus> rows) {
        Map<String, Object> state = job.state();
        for (JobExecutionStatus row : rows) {
            state = row.state() == null ? state : row.state();
        }
        return state;
    }

    private static JobExecutionStatus newest(StoredJob job, List<JobExecutionStatus> rows) {
        return rows.isEmpty() ? job.lastStatus() : rows.get(rows.size() - 1);
    }

    /** The job ends as cancelled; {@code before} are rows of the same change, older than the CANCELED one. */
    static JobChange canceled(StoredJob job, List<JobExecutionStatus> before, DecisionContext context) {
        StoredJob last = before.isEmpty() ? job : job.with(edit -> edit.lastStatus(before.get(before.size() - 1)));
        List<JobExecutionStatus> rows = new ArrayList<>(before);
        rows.add(Rows.after(last, context, "canceled", ExecutionStatus.CANCELED, Outcome.CANCELED)
                .fireTime(ChangedSchedule.canceled(job, before))
                .detail("cancelled while it was claimed")
                .build());
        // with the row of its run it is past the verdict, and a failure is counted
        StoredJob ended = before.isEmpty() ? job : beyondVerdict(job);
        JobChange change = finish(ended, rows, context.canceledUntil(job.specification()), context);
        return new JobChange(job, change.after(), change.rows(), change.by());
    }

    private static StoredJob beyondVerdict(StoredJob job) {
        return job.phase() == Phase.FOLLOW ? job.with(edit -> edit.phase(Phase.RUN)) : job;
    }

    /** A recurrence has no further fire and its last planned one was not run. */
    static JobChange exhausted(StoredJob job, JobExecutionStatus row, DecisionContext context) {
        boolean everRan = job.plan().firesEnded() > 0;
        JobExecutionStatus last = row.toBuilder()
                .executionStatus(everRan ? ExecutionStatus.TRIGGERED : ExecutionStatus.FAILED)
                .outcome(everRan ? row.outcome() : Outcome.EXPIRED)
                .detail((row.detail() == null ? "" : row.detail() + "; ") + "no further fire follows")
                .build();
        Instant deleteTime =
                everRan ? context.goodUntil(job.specification()) : context.failedUntil(job.specification());
        return Transitions.finish(job, List.of(last), deleteTime, context);
    }
}
