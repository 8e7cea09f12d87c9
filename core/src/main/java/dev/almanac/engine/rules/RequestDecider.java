package dev.almanac.engine.rules;

import dev.almanac.engine.rules.ChangedSchedule.Overdue;
import dev.almanac.model.Actor;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FieldChange;
import dev.almanac.model.FirstFire;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.Problem;
import dev.almanac.model.StaleJobException;
import dev.almanac.model.StoredFields;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.Phase;
import dev.almanac.store.Requests;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import dev.almanac.time.PlannedFire;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies users' requests to jobs (rule P7): without a lease a request takes effect at once; under a lease it is noted,
 * and the node that ends the claim applies it: {@code due}, {@code lease} and the plan are left alone. Of the plan, a
 * resume and an acknowledgement write the count of failures, from which the end of the claim counts on. Pure functions.
 */
public final class RequestDecider {
    /** Of a job that is changed where its calendars are not known (rule S16). */
    private static final String PLANNED_BY_NODE = "a node that knows its calendars plans its next fire";

    private RequestDecider() {}

    /** @param firstRow the time of the first row */
    public static NewJob create(
            String id, SpecificationCheck.Accepted accepted, Instant firstRow, DecisionContext context) {
        return create(id, accepted, firstRow, context, null);
    }

    /** @param rerunOf as of {@link JobExecutionStatus} (rule A2); absent = the job is no rerun */
    public static NewJob create(
            String id,
            SpecificationCheck.Accepted accepted,
            Instant firstRow,
            DecisionContext context,
            @Nullable String rerunOf) {
        JobSpecification specification = StoredFields.of(
                        accepted.specification().toBuilder().version(1))
                .traceParent(context.trace())
                .latestUpdate(context.now())
                .deleteTime(null)
                .build();
        FirePlan none = FirePlan.first(null, null, null);
        FirePlan plan = specification.isRecurring() && specification.firstFire() == FirstFire.NOW
                ? none.carry(context.now().truncatedTo(ChronoUnit.MILLIS), null, context.now())
                : accepted.planner()
                        .planFrom(specification, none, Optional.ofNullable(accepted.firstFire()), context.now());
        JobExecutionStatus scheduled = scheduled(id, specification, plan, firstRow, context);
        JobExecutionStatus made = rerunOf == null
                ? scheduled
                : scheduled.toBuilder()
                        .detail("scheduled again")
                        .rerunOf(rerunOf)
                        .build();
        StoredJob planned = new StoredJob(
                id,
                specification,
                plan.nextFireTime(),
                null,
                Sequences.NEW,
                plan,
                Requests.NONE,
                Phase.RUN,
                null,
                made);
        JobExecutionStatus row = RowEnds.born(made, planned, context);
        StoredJob job = planned.with(edit -> edit.lastStatus(row));
        return new NewJob(job, HistoryFilter.isKept(specification.history(), row) ? row : null);
    }

    /** @param parent the job whose run it follows */
    public static NewJob createFollowUp(
            String id, SpecificationCheck.Accepted accepted, String parent, Instant firstRow, DecisionContext context) {
        JobSpecification followUp =
                StoredFields.of(accepted.specification()).followUpOf(parent).build();
        NewJob created = create(
                id,
                new SpecificationCheck.Accepted(followUp, accepted.firstFire(), accepted.planner()),
                firstRow,
                context);
        JobExecutionStatus row = created.job().lastStatus().toBuilder()
                .detail("scheduled as a follow-up of job '" + parent + "'")
                .build();
        return new NewJob(created.job().with(edit -> edit.lastStatus(row)), created.row() == null ? null : row);
    }

    private static JobExecutionStatus scheduled(
            String id, JobSpecification specification, FirePlan plan, Instant time, DecisionContext context) {
        return asked(JobExecutionStatus.builder(), context)
                .id(NewJob.creationOf(id))
                .jobSpecificationId(id)
                .jobSpecificationKey(specification.jobSpecificationKey())
                .executionStatus(ExecutionStatus.SCHEDULED)
                .updatedTime(time)
                .fireTime(plan.nextFireTime())
                .nominalFireTime(plan.nominalFireTime())
                .nextFireTime(plan.nextFireTime())
                .node(context.node())
                .detail("scheduled")
                .build();
    }

    /**
     * Empty if the contents equal the stored ones.
     *
     * @throws StaleJobException if they differ, and the given version is neither 0 nor the stored one
     * @throws InvalidJobException if they lower {@code maxFires} to what has already fired
     */
    public static Optional<JobChange> update(
            StoredJob job, SpecificationCheck.Accepted accepted, DecisionContext context) {
        return update(job, accepted, null, context);
    }

    /**
     * As {@link #update(StoredJob, SpecificationCheck.Accepted, DecisionContext)}.
     *
     * @param pinning which fields are pinned with it; absent = none
     */
    public static Optional<JobChange> update(
            StoredJob job,
            SpecificationCheck.Accepted accepted,
            JobAction.@Nullable Pinning pinning,
            DecisionContext context) {
        checkMaxFires(job, accepted.specification());
        return update(job, job.requests(), accepted, pinning, context);
    }

    /** Ends the pins of a job (rule S26). Empty if none is in force. */
    public static Optional<JobChange> unpin(StoredJob job, DecisionContext context) {
        List<PersonalChange> changes = job.requests().personal();
        String pinned = Pins.names(PersonalChange.pins(changes, context.now()));
        StoredJob changed = job.with(edit -> edit.requests(job.requests().withPersonal(Pins.ended(changes))));
        return pinned.isEmpty() ? Optional.empty() : Optional.of(noted(job, changed, "unpinned: " + pinned, context));
    }

    /**
     * As {@link #update}, for {@code scheduleJob}: a noted cancel is withdrawn, since the caller expects the job to
     * fire.
     */
    public static Optional<JobChange> replace(
            StoredJob job, SpecificationCheck.Accepted accepted, DecisionContext context) {
        Requests requests = job.requests();
        return update(job, requests.cancelRequested() ? requests.withoutCancel() : requests, accepted, null, context);
    }

    private static Optional<JobChange> update(
            StoredJob job,
            Requests requests,
            SpecificationCheck.Accepted accepted,
            JobAction.@Nullable Pinning pinning,
            DecisionContext context) {
        JobSpecification given = accepted.specification();
        FirePlanner planner = accepted.planner();
        boolean stays = job.blocked() == null || isStillBlocked(job, accepted.firstFire());
        boolean same = given.equals(job.specification());
        List<FieldChange> changes = same ? List.of() : given.changesSince(job.specification());
        Requests noted = Overwritten.noted(requests, changes, pinning, context);
        if (same && stays && noted.equals(job.requests())) {
            // also of a version that is no longer stored, as if the answer to the same update was lost
            return Optional.empty();
        }
        long storedVersion = job.specification().version();
        if (given.version() != 0 && given.version() != storedVersion) {
            throw new StaleJobException(job.key(), given.version(), storedVersion);
        }
        ChangedSchedule schedule = new ChangedSchedule(planner);
        boolean moved = schedule.isAffected(job, given, context.now());
        Overdue overdue = moved ? schedule.overdue(job, given, context.now()) : Overdue.NONE;
        ExtraRun extra = noted.extraRun();
        EncodedCommand contents = extra == null ? null : extra.command();
        boolean dropped = contents != null
                && !contents.type().equals(((EncodedCommand) given.triggerCommand()).type())
                && !isUnderWay(job);
        Requests kept = dropped ? noted.withExtraRun(null) : noted;
        StoredJob updated = updated(job, kept, accepted, moved ? overdue : null, context);
        String what = requests.equals(job.requests()) ? "updated" : "scheduled again; its cancel is revoked";
        String warning = Overwritten.warning(job, given, context);
        String pinned = Pins.pinned(job.requests().personal(), noted.personal());
        String detail = what
                + ofFires(job, updated, overdue, planner, context)
                + (updated.isUnplanned() ? "; " + PLANNED_BY_NODE : "")
                + (pinned == null ? "" : "; " + pinned)
                + (dropped
                        ? "; the run now that was requested at " + extra.at() + " is dropped: it has another type"
                        : "")
                + (warning == null ? "" : "; " + warning);
        return Optional.of(noted(job, updated, overdue.older(), Outcome.NONE, detail, changes, null, context));
    }

    /**
     * So many have ended: the job would fire once more before it ended.
     *
     * @throws InvalidJobException if {@code maxFires} is lowered to that
     */
    public static void checkMaxFires(StoredJob job, JobSpecification given) {
        if (lowersMaxFires(job, given)) {
            Integer most = FirePlanner.most(given);
            long ended = job.plan().firesEnded();
            throw new InvalidJobException(
                    job.key(),
                    List.of(new Problem(
                            "maxFires",
                            "" + most,
                            "M3",
                            "is reached: " + ended + " fires have ended; cancel the job, or allow more than these")));
        }
    }

    /** Whether {@code maxFires} is changed to a number of fires that have ended. */
    public static boolean lowersMaxFires(StoredJob job, JobSpecification given) {
        Integer most = FirePlanner.most(given);
        return most != null
                && most <= job.plan().firesEnded()
                && !given.maxFires().equals(job.specification().maxFires());
    }

    /** What a changed schedule means for the fires of the former one, in words. */
    private static String ofFires(
            StoredJob job, StoredJob updated, Overdue overdue, FirePlanner planner, DecisionContext context) {
        Instant from = job.plan().nextFireTime();
        Instant to = updated.plan().nextFireTime();
        String words = "";
        if (overdue.newest() != null) {
            Instant fire = overdue.newest().fireTime();
            boolean late = StartDeadline.of(updated.specification(), context.settings())
                    .filter(deadline -> StartDeadline.plus(fire, deadline).isBefore(context.now()))
                    .isPresent();
            String then = job.isInProgress() ? "runs after the one in progress" : "runs first";
            words = "; its fire of " + fire + " has passed, and "
                    + (updated.requests().cancelRequested()
                            ? "is cancelled with the job"
                            : late ? "is too late to run" : then);
        } else if (from != null
                && to != null
                && !from.equals(to)
                && !job.specification().isRecurring()) {
            words = "; its fire moves from " + from + " to " + to;
        }
        List<String> unknown = planner.unknownCalendars(job.specification());
        return !overdue.unsure()
                ? words
                : words + "; at least: which fires of the former schedule have passed besides is not known here"
                        + (unknown.isEmpty() ? "" : ", without its calendars " + unknown);
    }

    /** A request outside of a span leaves the one that is stored (rule S9). */
    private static JobSpecification traced(JobSpecification given, DecisionContext context) {
        return context.trace() == null
                ? given
                : StoredFields.of(given).traceParent(context.trace()).build();
    }

    /** @param overdue absent = the change leaves the fires as they are */
    private static StoredJob updated(
            StoredJob job,
            Requests requests,
            SpecificationCheck.Accepted accepted,
            @Nullable Overdue overdue,
            DecisionContext context) {
        JobSpecification given = traced(accepted.specification(), context);
        boolean moved = overdue != null;
        // a blocked job goes on behind what has ended
        PlannedFire first = moved || job.blocked() == null || accepted.firstFire() == null
                ? accepted.firstFire()
                : accepted.planner().firstOf(given, job.plan(), context.now()).orElse(null);
        Overdue passed = moved ? overdue : Overdue.NONE;
        // a carried fire needs no calendar: the change plans it, so that no later planning has a row of the replaced
        // one
        boolean startKnown = first != null || passed.newest() != null;
        StoredJob changed = FollowUps.keepOwed(
                job,
                job.with(edit -> edit.specification(given)
                        .requests(requests)
                        .blocked(!startKnown && isStillBlocked(job, first) ? job.blocked() : null)));
        boolean free = job.lease() == null
                && job.phase() == Phase.RUN
                && !job.isUnplanned()
                && !job.sequences().isUnrecovered();
        ScheduleChange noted = ChangedSchedule.noted(job, given, passed, context.now());
        boolean waits =
                !job.plan().isBegun() && !job.plan().rerun() && job.requests().scheduleChanged() == null;
        boolean anew = free
                && startKnown
                && (moved ? waits || noted.moves() : job.blocked() != null && isReplaced(job, first));
        if (anew) {
            Instant ended = moved ? null : job.plan().endedNominal();
            changed = planned(changed, first, ended, accepted.planner(), passed, context);
        } else if (moved) {
            changed = changed.with(edit -> edit.requests(requests.withScheduleChanged(noted)));
            if (free && waits && accepted.isUnplanned()) {
                changed = unplanned(changed, context);
            }
        }
        boolean goesOn = job.blocked() != null && job.lease() == null && !anew;
        StoredJob next = goesOn ? claimable(changed, context) : changed;
        boolean forbids =
                given.crashPolicy() == CrashPolicy.FAIL && job.specification().crashPolicy() != CrashPolicy.FAIL;
        return forbids && job.sequences().isUnrecovered() ? marked(next) : next;
    }

    /**
     * A helper may have been called without a mark, since the policy did not ask for one: that counts as a start from now
     * on (rule R7). It was called under the first claim that has not ended: a later one recovers that first.
     */
    private static StoredJob marked(StoredJob job) {
        Sequences sequences = job.sequences();
        return job.with(edit -> edit.sequences(sequences.started(sequences.doneSeq() + 1)));
    }

    /** Whether the run that a user has asked for may have begun, and is not completed. */
    private static boolean isUnderWay(StoredJob job) {
        boolean judged = job.phase() == Phase.FOLLOW
                && job.verdict() != null
                && job.verdict().manual();
        return judged || job.sequences().isUnrecovered() && job.isRunByHand();
    }

    /** The job is due at once, for a node that can plan it (rule S16). */
    private static StoredJob unplanned(StoredJob job, DecisionContext context) {
        JobExecutionStatus asked = Rows.after(job, context, "unplanned", ExecutionStatus.SCHEDULED, Outcome.NONE)
                .build();
        return claimable(job.with(edit -> edit.blocked(null).verdict(asked)), context);
    }

    private static StoredJob claimable(StoredJob job, DecisionContext context) {
        return job.with(edit -> edit.due(Transitions.dueOf(job, context.now())));
    }

    /** A job goes on where it was blocked if its user updates it, unless there is no fire that it could go on with. */
    private static boolean isStillBlocked(StoredJob job, @Nullable PlannedFire first) {
        return first == null && job.phase() == Phase.RUN && Transitions.lacksFire(job);
    }

    /**
     * Whether the first fire from now on takes the place of the plan of a blocked job. Fires that have passed meanwhile
     * are missed fires (rule R1), and a retry is still to be run; but an edit of its calendars, which passes over blocked
     * jobs, may have opened an earlier fire.
     */
    private static boolean isReplaced(StoredJob job, PlannedFire first) {
        Instant planned = job.plan().nextFireTime();
        boolean waits = !job.plan().isBegun() && !job.plan().rerun();
        return Transitions.lacksFire(job)
                || waits && planned != null && first.fireTime().isBefore(planned);
    }

    /**
     * The job planned by the new schedule, or with the fire that is carried into it. The caller ensures that a pending failure
     * command is delivered first.
     *
     * @param first of the new schedule; absent = it is not known, and a fire is carried
     */
    private static StoredJob planned(
            StoredJob job,
            @Nullable PlannedFire first,
            @Nullable Instant ended,
            FirePlanner planner,
            Overdue overdue,
            DecisionContext context) {
        PlannedFire newest = overdue.newest();
        FirePlan plan = newest == null
                ? planner.planFrom(job.specification(), job.plan(), Optional.ofNullable(first), context.now(), ended)
                : job.plan().carry(newest.fireTime(), newest.nominalFireTime(), context.now());
        Requests requests = job.requests().withScheduleChanged(null);
        Sequences sequences = job.sequences();
        boolean over = job.plan().isBegun() || job.plan().rerun();
        long passed = overdue.older() == null ? 0 : overdue.older().count();
        StoredJob planned = job.with(edit -> edit.plan(plan)
                .requests(requests)
                .sequences(over || passed > 0 ? sequences.plusFires(Math.max(1, passed)) : sequences));
        return claimable(planned, context);
    }

    /**
     * A lease that is over, margin included, is ignored, since perhaps no node is left that could claim the job and see
     * the request. A row that its holder may still write is older than those of the cancel. Only the follow-ups of a
     * run that has ended come first.
     */
    public static JobChange cancel(StoredJob job, boolean interrupt, DecisionContext context) {
        Lease lease = job.lease();
        boolean held = lease != null
                && !lease.until().plus(context.settings().margin()).isBefore(context.now());
        if (held || job.phase() == Phase.FOLLOW) {
            StoredJob asked = job.with(edit -> edit.requests(job.requests().cancel(interrupt)));
            StoredJob changed = lease == null ? claimable(asked, context) : asked;
            return noted(job, changed, interrupt ? "cancel and interrupt requested" : "cancel requested", context);
        }
        return canceled(job, context);
    }

    private static JobChange canceled(StoredJob job, DecisionContext context) {
        Instant deleteTime = context.canceledUntil(job.specification());
        StoredJob next = nextVersion(job, job, context);
        // also if the claim was taken away; one that was only to plan has run nothing
        boolean isAbandoned = job.sequences().isUnrecovered() && !job.isUnplanned();
        List<JobExecutionStatus> abandoned = isAbandoned ? List.of(abandoned(next, context)) : List.of();
        JobExecutionStatus last = abandoned.isEmpty() ? job.lastStatus() : abandoned.get(0);
        StoredJob free = next.with(edit -> edit.lease(null).lastStatus(last));
        JobExecutionStatus row = asked(
                        Rows.after(free, context, "v", ExecutionStatus.CANCELED, Outcome.CANCELED), context)
                .fireTime(ChangedSchedule.canceled(job, abandoned))
                .detail("cancelled")
                .build();
        StoredJob after =
                free.with(edit -> edit.specification(Transitions.ended(next.specification(), deleteTime, context))
                        .due(null)
                        .verdict(null)
                        .lastStatus(row));
        List<JobExecutionStatus> rows = new ArrayList<>(abandoned);
        rows.add(row);
        return kept(new JobChange(job, after, rows, By.REQUEST), context);
    }

    private static JobChange kept(JobChange change, DecisionContext context) {
        return HistoryFilter.of(RowEnds.of(change, context));
    }

    private static JobExecutionStatus abandoned(StoredJob job, DecisionContext context) {
        StoredJob unleased = job.with(edit -> edit.lease(null));
        return RecoveryDecider.row(unleased, context)
                .detail("its last claim ended without a recorded outcome")
                .build();
    }

    private static JobExecutionStatusBuilder asked(JobExecutionStatusBuilder row, DecisionContext context) {
        Actor actor = context.actor();
        return actor == null ? row : row.author(actor.author()).reason(actor.reason());
    }

    /**
     * Pauses a job, or ends its pause ({@code null}).
     *
     * @throws InvalidJobException if the job is paused now and the pause is planned for later, which would resume it; or if
     *     the end of the pause has passed, which would do so, too
     */
    public static JobChange pause(StoredJob job, @Nullable Pause pause, DecisionContext context) {
        Pause before = job.requests().pause();
        Instant now = context.now();
        if (pause != null && pause.hasEnded(now)) {
            Problem problem = new Problem("pause.until", String.valueOf(pause.until()), "S18", "has passed");
            throw new InvalidJobException(job.key(), List.of(problem));
        }
        if (pause != null && pause.isPlanned(now) && before != null && before.isInForce(now)) {
            String advice = "would end the pause in force, by " + before.author() + ": " + before.reason()
                    + "; a job has one pause; resume it first, or pause its tag or type";
            Problem problem = new Problem("pause.from", String.valueOf(pause.from()), "S18", advice);
            throw new InvalidJobException(job.key(), List.of(problem));
        }
        Requests requests = job.requests().withPause(pause);
        // a resume means that a user has looked at the failures: counting starts again
        boolean resumed = pause == null && (before == null || !before.isPlanned(now));
        FirePlan plan = resumed ? job.plan().failedInARow(0) : job.plan();
        StoredJob changed = job.with(edit -> edit.requests(requests).plan(plan));
        if (job.lease() == null) {
            changed = claimable(changed, context);
        }
        String said = pause != null
                ? paused(pause) + (pause.equals(before) ? "" : replaced(before, now))
                : resumed ? "resumed" : "its planned pause is withdrawn";
        return noted(job, changed, pause == null ? Outcome.NONE : Outcome.PAUSED, said, List.of(), context);
    }

    /** The detail of the row of a pause. */
    static String paused(Pause pause) {
        String from = pause.from() == null ? "" : " from " + pause.from() + end(pause);
        return "paused" + from + " by " + pause.author() + ": " + pause.reason();
    }

    /** The end of a sentence: the pause that another replaces, if it has not ended. */
    static String replaced(@Nullable Pause before, Instant now) {
        return before == null || before.hasEnded(now)
                ? ""
                : "; it replaces the pause"
                        + (before.isPlanned(now) ? " from " + before.from() : " by " + before.author())
                        + end(before) + ": " + before.reason();
    }

    private static String end(Pause pause) {
        return pause.until() == null ? "" : " until " + pause.until();
    }

    /**
     * An operator states that the code of the present claim has ended (rule X8): the lease and its group are taken away,
     * and the next claim recovers the run as that of a node that died. Empty if there is no claim.
     */
    public static Optional<JobChange> release(StoredJob job, DecisionContext context) {
        Lease lease = job.lease();
        if (lease == null) {
            return Optional.empty();
        }
        Instant due = Transitions.dueOf(job, context.now());
        StoredJob changed = job.with(edit -> edit.lease(null).due(due));
        return Optional.of(noted(job, changed, "released by force from node " + lease.owner(), context));
    }

    /** A user has looked at the failures of a job: none is open any more (rule S19). Empty if none is. */
    public static Optional<JobChange> acknowledge(StoredJob job, DecisionContext context) {
        int open = job.plan().failuresInARow();
        if (open == 0) {
            return Optional.empty();
        }
        StoredJob seen = job.with(edit -> edit.plan(job.plan().failedInARow(0)));
        return Optional.of(noted(job, seen, Outcome.ACKNOWLEDGED, acknowledged(open), List.of(), context));
    }

    /** What is said of so many failures. */
    public static String acknowledged(int open) {
        return open == 1 ? "its failure is acknowledged" : "its " + open + " failures are acknowledged";
    }

    /**
     * Requests one run in addition to the plan.
     *
     * @param contents of this run alone; absent = those of the job
     * @throws InvalidJobException if a cancel is noted, the contents are of another type, or a run with other contents is
     *     still to come
     */
    public static JobChange runNow(StoredJob job, @Nullable EncodedCommand contents, DecisionContext context) {
        String text = "a run now was requested" + (contents == null ? "" : ", with contents of its own");
        return runAsked(job, contents, text, null, context);
    }

    /** @param rerunOf the failed run that is repeated (rule A2); one that a user asked for fails no fire and is not repeated */
    public static JobChange extraRun(StoredJob job, String text, String rerunOf, DecisionContext context) {
        return runAsked(job, null, text, rerunOf, context);
    }

    private static JobChange runAsked(
            StoredJob job,
            @Nullable EncodedCommand contents,
            String text,
            @Nullable String rerunOf,
            DecisionContext context) {
        if (job.requests().cancelRequested()) {
            throw refused(
                    job,
                    contents,
                    "M4",
                    "cannot be requested: the job is to be cancelled when its present run has ended; schedule it again,"
                            + " which revokes the cancel");
        }
        ExtraRun waiting = job.requests().extraRun();
        String type = ((EncodedCommand) job.specification().triggerCommand()).type();
        if (contents != null && !contents.type().equals(type)) {
            throw refused(
                    job, contents, "S17", "is not of the type '" + type + "' of the job; schedule another job for it");
        }
        // one request is stored: with equal contents the later one stands for both
        if (waiting != null && (contents != null || waiting.command() != null)) {
            throw refused(
                    job,
                    contents,
                    "S17",
                    "cannot be requested before the run that was requested at " + waiting.at()
                            + " has ended; runs with contents of their own do not stand for each other");
        }
        Instant at = waiting != null && !context.now().isAfter(waiting.at())
                ? waiting.at().plusMillis(1) // as another node's clock may say; it is a request of its own
                : context.now();
        long after = waiting == null ? job.sequences().claimSeq() : waiting.after();
        Instant started = waiting == null ? null : waiting.started();
        if (waiting != null && started == null && isUnderWay(job)) {
            started = waiting.at();
        }
        Requests requests = job.requests().withExtraRun(new ExtraRun(at, contents, context.trace(), after, started));
        StoredJob changed = job.with(edit -> edit.requests(requests));
        if (job.lease() == null) {
            changed = claimable(changed, context);
        }
        return noted(job, changed, null, Outcome.NONE, text, List.of(), rerunOf, context);
    }

    private static InvalidJobException refused(
            StoredJob job, @Nullable EncodedCommand contents, String rule, String advice) {
        String type = contents == null ? null : contents.type();
        return new InvalidJobException(job.key(), List.of(new Problem("run now", type, rule, advice)));
    }

    /**
     * The next fire computed again from the fire before, after an edit of calendars or of zone rules (rules C5, T6).
     * Empty if it stays as it is, as a carried fire does, or if a fire is in progress or a change of the schedule is noted:
     * the node that ends that fire, or claims the job, plans the next one by the new rules.
     */
    public static Optional<JobChange> replan(StoredJob job, FirePlanner planner, String why, DecisionContext context) {
        boolean inProgress = job.isInProgress()
                || job.plan().carried() != null
                || job.requests().scheduleChanged() != null;
        if (!planner.unknownCalendars(job.specification()).isEmpty()) {
            // a node that has the calendars plans it
            return Optional.empty();
        }
        return inProgress || job.blocked() != null && !Transitions.isWithoutFire(job)
                ? Optional.empty()
                : EditedCalendars.replanned(job, planner, context.now())
                        .map(changed -> replanned(job, changed, why, context));
    }

    /**
     * Notes that the plan of a job that waits, made from older versions of its calendars, is that of today's, too: no later
     * pass looks at it again (rule N9). No row tells of it.
     */
    public static Optional<JobChange> renewed(StoredJob job, FirePlanner planner) {
        boolean waits =
                job.lease() == null && planner.isOlder(job) && job.plan().carried() == null;
        return waits && planner.unknownCalendars(job.specification()).isEmpty()
                ? Optional.of(new JobChange(
                        job,
                        job.with(edit -> edit.plan(planner.asOfToday(job.specification(), job.plan()))),
                        List.of(),
                        JobChange.By.REQUEST))
                : Optional.empty();
    }

    private static JobChange replanned(StoredJob job, StoredJob changed, String why, DecisionContext context) {
        String blocked = changed.blockedReason();
        String detail = why + (blocked == null ? "" : "; " + blocked);
        return noted(job, claimable(changed, context), Outcome.REPLANNED, detail, List.of(), context);
    }

    /** The change with the next version and the row of the request. */
    private static JobChange noted(StoredJob job, StoredJob changed, String detail, DecisionContext context) {
        return noted(job, changed, Outcome.NONE, detail, List.of(), context);
    }

    private static JobChange noted(
            StoredJob job,
            StoredJob changed,
            Outcome outcome,
            String detail,
            List<FieldChange> changes,
            DecisionContext context) {
        return noted(job, changed, null, outcome, detail, changes, null, context);
    }

    /** @param missed fires of the former schedule that have passed, with a row of their own before that of the request */
    private static JobChange noted(
            StoredJob job,
            StoredJob changed,
            @Nullable MissedFires missed,
            Outcome outcome,
            String detail,
            List<FieldChange> changes,
            @Nullable String rerunOf,
            DecisionContext context) {
        StoredJob versioned = nextVersion(job, changed, context);
        // the number of the oldest of them: the carried fire follows them, unless it waits for the one in progress
        StoredJob numbered = changed.requests().scheduleChanged() == null
                ? versioned.with(edit -> edit.sequences(job.sequences()))
                : versioned;
        List<JobExecutionStatus> before = missed == null ? List.of() : List.of(missed(numbered, missed, context));
        StoredJob next = before.isEmpty() ? versioned : versioned.with(edit -> edit.lastStatus(before.get(0)));
        ExecutionStatus status =
                job.isLive() ? ExecutionStatus.SCHEDULED : job.lastStatus().executionStatus();
        JobExecutionStatus row = asked(Rows.after(next, context, "v", status, outcome), context)
                .changes(changes)
                .rerunOf(rerunOf)
                .former(former(job.specification(), changed.specification(), context))
                .command(requested(job, changed))
                .nextFireTime(next.due() == null ? null : next.plan().startTime())
                .detail(detail)
                .build();
        StoredJob after = next.with(edit -> edit.lastStatus(row));
        List<JobExecutionStatus> rows = new ArrayList<>(before);
        rows.add(row);
        return kept(new JobChange(job, after, rows, By.REQUEST), context);
    }

    /** The schedule that a change replaces, by which the fires until then are accounted for (rule S22). */
    private static @Nullable JobSpecification former(
            JobSpecification before, JobSpecification after, DecisionContext context) {
        return before.history() == after.history() && before.hasSameSchedule(after)
                ? null
                : StoredFields.former(before, context.now());
    }

    /** The contents of the run that the change requests, if they are its own. */
    private static @Nullable EncodedCommand requested(StoredJob job, StoredJob changed) {
        Instant asked = changed.requests().runNow();
        return Objects.equals(asked, job.requests().runNow())
                ? null
                : changed.requests().contentsOf(asked);
    }

    private static JobExecutionStatus missed(StoredJob next, MissedFires missed, DecisionContext context) {
        boolean one = missed.count() == 1 && !missed.more();
        return asked(Rows.after(next, context, "overdue", ExecutionStatus.SCHEDULED, Outcome.MISSED), context)
                .missed(missed)
                .nextFireTime(next.plan().startTime())
                .detail((missed.more() ? "at least " : "") + missed.count() + " planned " + (one ? "fire" : "fires")
                        + " passed without a run before the schedule was changed")
                .build();
    }

    /** What is noted of a job that has ended is no update of it: the jobs of a key are in the order of their updates (rule P11). */
    private static StoredJob nextVersion(StoredJob job, StoredJob changed, DecisionContext context) {
        JobSpecification specification = StoredFields.of(changed.specification().toBuilder()
                        .version(job.specification().version() + 1))
                .latestUpdate(
                        job.isLive()
                                ? context.now()
                                : job.specification().latestUpdate().orElse(null))
                .build();
        return changed.with(edit -> edit.specification(specification));
    }
}
