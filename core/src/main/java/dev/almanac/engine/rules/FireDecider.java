package dev.almanac.engine.rules;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.Phase;
import dev.almanac.store.Requests;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Decides what is to be done with a claimed job. A pure function of the document and the context; see
 * rules P5 to P7.
 */
public final class FireDecider {
    /** For how long a node leaves a job alone after its clock was set. */
    private static final Duration DOUBTED = Duration.ofSeconds(1);

    private final FirePlanner planner;
    private final CompletionDecider completion;
    private final RecoveryDecider recovery;
    private final MissedFireDecider missed;
    private final ChangedSchedule changed;

    public FireDecider(FirePlanner planner) {
        this.planner = planner;
        this.completion = new CompletionDecider(planner);
        this.recovery = new RecoveryDecider(planner);
        this.missed = new MissedFireDecider(planner);
        this.changed = new ChangedSchedule(planner);
    }

    /**
     * @param job as it was read back under the lease
     */
    public Decision decide(StoredJob job, DecisionContext context) {
        if (isDoubtful(job, context)) {
            return new Decision.Release("the clock of this node was set since it claimed the job", DOUBTED);
        }
        try {
            return judged(ready(job, plainly(job, context), context));
        } catch (RuntimeException e) {
            return UnplannableException.isUnreadable(e)
                    ? new Decision.Settle(
                            Transitions.block(job, "the document cannot be planned: " + e.getMessage(), context))
                    : new Decision.Release("it cannot be planned here: " + e.getMessage(), Decision.LEFT_TO_OTHERS, e);
        }
    }

    /**
     * While its lease is trusted, the server's time lies within the lease. If the estimate does not, the clock was set
     * or corrected since the claim, and times that seem past may not be (rule X5).
     */
    private static boolean isDoubtful(StoredJob job, DecisionContext context) {
        Lease lease = job.lease();
        Duration most = context.settings().leaseLength().plus(context.settings().margin());
        return lease != null
                && (context.now().isAfter(lease.until())
                        || context.now().plus(most).isBefore(lease.until()));
    }

    /** The decision; an end that has follow-ups is replaced by the writing of its verdict, which keeps the claim. */
    private static Decision judged(Decision decision) {
        if (!(decision instanceof Decision.Settle settle)) {
            return decision;
        }
        JobChange first = FollowDecider.verdictFirst(settle.change());
        return first == settle.change() ? decision : new Decision.Prepare(first);
    }

    private Decision plainly(StoredJob job, DecisionContext context) {
        if (Transitions.isToBeCanceled(job)) {
            return new Decision.Settle(Transitions.releaseClaim(job, context));
        }
        List<String> missing = missingCalendars(job, planner, context.now());
        if (!missing.isEmpty()) {
            String whose = job.phase() == Phase.FOLLOW ? " of its follow-ups" : "";
            return new Decision.Release(
                    "this node does not know the calendars " + missing + whose, Decision.LEFT_TO_OTHERS);
        }
        if (job.phase() == Phase.FOLLOW) {
            return new Decision.Follow();
        }
        if (job.isUnplanned()) {
            return planned(job, context);
        }
        return recovery.decide(job, context).orElseGet(() -> decideAsked(job, context));
    }

    /**
     * The calendars for want of which a node leaves a claim of the job to others: its own, but while it owes follow-ups
     * theirs, since nothing else is done then; none if it is to be cancelled (rule N8).
     */
    public static List<String> missingCalendars(StoredJob job, FirePlanner planner, Instant now) {
        if (job.phase() == Phase.FOLLOW) {
            return FollowUps.awaitedCalendars(job, planner, now);
        }
        return Transitions.isToBeCanceled(job) ? List.of() : planner.unknownCalendars(job.specification());
    }

    /** What follows a run that has ended, or a change of a user, and could not be planned where that was written. */
    private Decision planned(StoredJob job, DecisionContext context) {
        if (Objects.requireNonNull(job.verdict()).outcome() != Outcome.NONE) {
            return new Decision.Settle(completion.planned(job, context));
        }
        StoredJob asked = job.with(edit -> edit.verdict(null));
        Decision decided = rescheduled(asked, context)
                .orElseGet(() -> new Decision.Settle(Transitions.releaseClaim(asked, context)));
        return decided instanceof Decision.Settle settle
                ? new Decision.Settle(of(job, settle.change()))
                : new Decision.Prepare(of(job, ((Decision.Prepare) decided).change()));
    }

    private static JobChange of(StoredJob stored, JobChange change) {
        return new JobChange(stored, change.after(), change.rows(), change.by());
    }

    /**
     * The decision for a job that can be run. One that turns out to be planned for later is released until then. A run
     * that must not happen twice is marked as started before it starts, so that the next claim finds the mark (rule P5).
     */
    private static Decision ready(StoredJob job, Decision decision, DecisionContext context) {
        if (!(decision instanceof Decision.Start start)) {
            return decision;
        }
        if (startOf(job, start, context)
                .isAfter(context.now().plus(context.settings().margin()))) {
            return new Decision.Settle(Transitions.releaseClaim(job, context));
        }
        Sequences sequences = job.sequences();
        boolean marked = sequences.startedSeq() == sequences.claimSeq();
        if (job.specification().crashPolicy() == CrashPolicy.FAIL && !marked) {
            ExtraRun extra = job.requests().extraRun();
            Requests requests =
                    start.manual() && extra != null ? job.requests().withExtraRun(extra.marked()) : job.requests();
            StoredJob started =
                    job.with(edit -> edit.sequences(sequences.started()).requests(requests));
            return new Decision.Prepare(Transitions.keepLease(job, started, List.of()));
        }
        return new Decision.Start(startOf(job, start, context), start.manual());
    }

    /** When the run may start: jobs are claimed before their start, so a pause may end in between. */
    private static Instant startOf(StoredJob job, Decision.Start start, DecisionContext context) {
        Pause pause = job.requests().pause();
        Instant earliest = start.at().isAfter(context.now()) ? start.at() : context.now();
        boolean held = pause != null && pause.isInForce(earliest) && pause.until() != null;
        return held ? pause.until() : start.at();
    }

    /** By how much a start at {@code started} exceeds the planned instant plus the threshold (rule R3). */
    public static Optional<Duration> overThreshold(StoredJob job, Instant started, boolean manual) {
        if (manual) {
            return Optional.empty();
        }
        if (job.plan().isBegun()) {
            return Optional.ofNullable(job.plan().overThreshold());
        }
        Duration threshold = job.specification().lateExecutionThreshold().orElse(null);
        Instant planned = job.phase() == Phase.FAILURE
                ? job.plan().startTime()
                : job.plan().nextFireTime();
        if (threshold == null || planned == null) {
            return Optional.empty();
        }
        Duration over = Duration.between(planned, started).minus(threshold);
        return over.isNegative() || over.isZero() ? Optional.empty() : Optional.of(over);
    }

    /**
     * The planned start of the next try of a claimed job: its planned instant, or that of its retry; the delivery of a
     * failure command is to follow the failure.
     */
    public static Instant toStart(StoredJob job, Instant planned) {
        Instant retry = job.plan().retryTime();
        if (retry != null) {
            return retry;
        }
        return job.phase() == Phase.FAILURE ? job.lastStatus().updatedTime() : planned;
    }

    private Decision decideAsked(StoredJob job, DecisionContext context) {
        boolean byHand = job.isRunByHand();
        boolean askedAlthoughWithoutFire = byHand && Transitions.isWithoutFire(job);
        if (job.blocked() != null && !askedAlthoughWithoutFire || isPaused(job, context)) {
            return new Decision.Settle(Transitions.releaseClaim(job, context));
        }
        if (byHand) {
            return new Decision.Start(context.now(), true);
        }
        Decision planned = rescheduled(job, context).orElseGet(() -> decidePlanned(job, context));
        boolean ends = planned instanceof Decision.Settle settle
                && !settle.change().after().isLive();
        // a run by hand that was asked for under this claim comes before the end of the job
        return ends && job.requests().runNowRequested() && job.phase() == Phase.RUN
                ? new Decision.Settle(Transitions.releaseClaim(job, context))
                : planned;
    }

    /**
     * The schedule was changed under a claim that has run nothing of the planned fire: the fire is carried, or missed in
     * favour of a newer one, or had not passed and is dropped (rule S2). What was begun, or interrupted, is run first.
     */
    private Optional<Decision> rescheduled(StoredJob job, DecisionContext context) {
        if (job.plan().rerun()) {
            return Optional.empty();
        }
        return changed.applied(job)
                .map(applied -> applied.missed() == null
                        ? replanned(job, applied.job(), "by the schedule that was changed before", context)
                        : missed.replaced(job, applied.job(), applied.missed(), context));
    }

    private Decision decidePlanned(StoredJob job, DecisionContext context) {
        Instant start = job.plan().startTime();
        if (start == null) {
            return new Decision.Settle(Transitions.block(job, "it is due but has no next fire time", context));
        }
        if (job.phase() == Phase.FAILURE && job.specification().failureCommand().isEmpty()) {
            return new Decision.Settle(completion.undeliverable(job, context));
        }
        if (job.plan().rerun() && job.specification().crashPolicy() == CrashPolicy.FAIL) {
            // it was set since the run was abandoned
            return new Decision.Settle(completion.failedWithoutRun(job, List.of(), Outcome.CRASHED, null, context));
        }
        boolean putOff = job.specification().isRecurring() && job.plan().postponed() > 0;
        if (job.phase() == Phase.FAILURE || job.plan().attempts() > 0 || putOff) {
            return new Decision.Start(start, false);
        }
        return decideFire(job, start, context);
    }

    private Decision decideFire(StoredJob job, Instant fire, DecisionContext context) {
        JobSpecification specification = job.specification();
        if (!specification.isRecurring()) {
            return job.plan().carried() == null
                    ? decideSingle(job, fire, context)
                    : carriedBeforeSingle(job, fire, context);
        }
        if (job.plan().rerun()) {
            return new Decision.Start(fire, false);
        }
        Optional<Decision> decided = replanned(job, context)
                .or(() -> edited(job, fire, context))
                .or(() -> missed.decide(job, fire, context));
        if (decided.isPresent()) {
            return decided.get();
        }
        return isExcluded(job, fire)
                ? new Decision.Settle(completion.excluded(job, context))
                : new Decision.Start(fire, false);
    }

    /**
     * The carried fire of a job that has become a one-off. Whether that fire runs or is too late, the job's own moment
     * follows, unless the fire is that moment.
     */
    private Decision carriedBeforeSingle(StoredJob job, Instant fire, DecisionContext context) {
        return StartDeadline.isOver(job, context)
                ? changed.plan(job, job.plan(), fire)
                        .map(own -> missed.carriedTooLate(job, own, context))
                        .orElseGet(() -> tooLate(job, context))
                : new Decision.Start(fire, false);
    }

    /** No calendar is asked about a fire that is carried: its time has come already. */
    private boolean isExcluded(StoredJob job, Instant fire) {
        return job.plan().carried() == null && planner.isExcluded(job.specification(), fire);
    }

    /**
     * Whether calendars still allow the run that was decided on: an edit of one leaves no trace in the document. A run that
     * was begun before, or that a user asked for, is no question of calendars.
     */
    public boolean isStillOpen(StoredJob job) {
        FirePlan plan = job.plan();
        Instant fire = plan.nextFireTime();
        boolean asks =
                job.phase() == Phase.RUN && fire != null && !plan.isBegun() && !plan.rerun() && !job.isRunByHand();
        if (asks && job.specification().isRecurring()) {
            return !isExcluded(job, fire);
        }
        return !asks || moved(job, fire).isEmpty();
    }

    /**
     * The plan is older than its calendars (rule N9): the job may have been leased at the edit, or
     * the planning is still due. A fire that is left out has a row of its own.
     */
    private Optional<Decision> edited(StoredJob job, Instant fire, DecisionContext context) {
        JobSpecification specification = job.specification();
        return !planner.isOlder(job)
                ? Optional.empty()
                : planner.planAnew(specification, job.plan(), context.now())
                        .filter(plan -> !FirePlanner.drops(specification)
                                || plan.nextFireTime() != null
                                        && plan.nextFireTime().isBefore(fire))
                        .map(plan ->
                                replanned(job, job.with(edit -> edit.plan(plan)), "a calendar was edited", context));
    }

    /** A calendar that was edited just now moves a one-off that has not begun, or blocks it (rules C4, C5). */
    private Decision decideSingle(StoredJob job, Instant fire, DecisionContext context) {
        StartDeadline.Over end = StartDeadline.pastEnd(job, context.now()).orElse(null);
        if (end != null) {
            return new Decision.Settle(completion.expired(job, end.why(), context));
        }
        return moved(job, context.now())
                .map(plan -> replanned(
                        job,
                        job.with(edit -> edit.plan(plan)),
                        "its calendars, or the rules of its zone, have changed",
                        context))
                .orElseGet(() ->
                        StartDeadline.isOver(job, context) ? tooLate(job, context) : new Decision.Start(fire, false));
    }

    /** No fire of the one-off is left: it ends, and its failure command is delivered (rule S4). */
    private Decision tooLate(StoredJob job, DecisionContext context) {
        String why = "too late: " + StartDeadline.text(job.specification(), context.settings())
                + " passed before it could start";
        return new Decision.Settle(completion.expired(job, why, context));
    }

    /** The plan of a one-off that has not begun, if its calendars have moved it, or leave it no moment, since it was made. */
    private Optional<FirePlan> moved(StoredJob job, Instant now) {
        FirePlan plan = job.plan();
        JobSpecification once = job.specification();
        boolean movable = !once.calendars().isEmpty() || FirePlanner.hasOldRules(once, plan);
        return !once.isRecurring() && movable && !plan.isBegun() && !plan.rerun()
                ? planner.planAnew(once, plan, now)
                : Optional.empty();
    }

    /** The rules of the job's zone have changed since the fire was planned, and with them its instant (rule T6). */
    private Optional<Decision> replanned(StoredJob job, DecisionContext context) {
        if (!FirePlanner.hasOldRules(job.specification(), job.plan())) {
            return Optional.empty();
        }
        String why = "the rules of zone " + job.specification().zoneId() + " have changed";
        return planner.planAnew(job.specification(), job.plan(), context.now())
                .map(plan -> replanned(job, job.with(edit -> edit.plan(plan)), why, context));
    }

    /** A job whose new plan has no fire is blocked until an edit of its calendars, or of its schedule, gives it one. */
    private static Decision replanned(StoredJob job, StoredJob moved, String why, DecisionContext context) {
        if (moved.plan().nextFireTime() == null) {
            return new Decision.Settle(of(job, Transitions.blockWithoutFire(moved, moved.plan(), context)));
        }
        JobExecutionStatus row = Rows.after(job, context, "replanned", ExecutionStatus.SCHEDULED, Outcome.REPLANNED)
                .nextFireTime(moved.plan().nextFireTime())
                .detail(why)
                .build();
        return new Decision.Settle(Transitions.goOn(job, moved, List.of(row), context));
    }

    /** Whether it is paused now, and will be when a claim that is made as early as possible would start it. */
    private static boolean isPaused(StoredJob job, DecisionContext context) {
        Pause pause = job.requests().pause();
        return pause != null
                && pause.isInForce(context.now())
                && !pause.hasEnded(context.now().plus(context.settings().lead()));
    }
}
