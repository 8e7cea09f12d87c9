package dev.almanac.engine.rules;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FirstFire;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.store.FirePlan;
import dev.almanac.store.Phase;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.StoredJob;
import dev.almanac.time.PlannedFire;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the fires of a schedule that is changed (rules S2, M3, P7). The one who makes the change finds, by
 * the schedule that it replaces, which fires have passed and have not begun: the newest is carried, the others are
 * missed. The end of the fire in progress plans by the change that was noted. Pure functions.
 *
 * <p>Only the document before the change can tell which fires have passed until its moment, so the change has their
 * row. While a fire may be in progress, the plan is left alone, and the request notes the moment and the fire that is
 * carried. If that fire turns out not to have run, it is still in the plan when its claim is released: the next claim
 * carries it, or records it as missed if a newer one is carried. A second change does the same with what lies between
 * the two moments. So each fire not later than the moment is run, carried or on record, and each later one is the new
 * schedule's: also the planned one, if it was claimed before its time and has not run. A carried fire has no basis: no
 * edit of a calendar and no rules of a zone move it. The one fire of a one-off is moved, not carried.
 */
final class ChangedSchedule {
    private final FirePlanner planner;

    ChangedSchedule(FirePlanner planner) {
        this.planner = planner;
    }

    /**
     * The fires not later than a change that have not begun at its moment.
     *
     * @param newest is carried; absent = none has passed
     * @param older are missed; absent = none
     * @param unsure whether only fires that are stored were looked at, since the schedule that is replaced cannot be
     *     computed on this node
     * @param planned whether the schedule that is replaced, which is not applied yet, has the planned fire, too: it is
     *     neither of the fires above, since it is left to the plan
     */
    record Overdue(@Nullable PlannedFire newest, @Nullable MissedFires older, boolean unsure, boolean planned) {
        static final Overdue NONE = new Overdue(null, null, false, false);

        private static Overdue of(PlannedFire single) {
            return new Overdue(single, null, false, false);
        }

        /** With a newer fire, which is carried instead. */
        private Overdue replacedBy(PlannedFire newer) {
            return new Overdue(newer, all(), unsure, planned);
        }

        /** With newer fires, the newest of which is carried instead. */
        private Overdue replacedBy(PlannedFire last, MissedFires rest) {
            MissedFires all = all();
            MissedFires sum = all == null
                    ? rest
                    : new MissedFires(all.first(), rest.last(), all.count() + rest.count(), all.more() || rest.more());
            return new Overdue(last, sum, unsure, planned);
        }

        /** None is carried: the job is over after the fire in progress. */
        private Overdue uncarried() {
            return new Overdue(null, all(), unsure, planned);
        }

        private @Nullable MissedFires all() {
            if (newest == null) {
                return older;
            }
            Instant last = newest.fireTime();
            return older == null
                    ? new MissedFires(last, last, 1, false)
                    : new MissedFires(older.first(), last, older.count() + 1, older.more());
        }

        private Overdue doubtful() {
            return new Overdue(newest, older, true, planned);
        }

        private Overdue withPlanned() {
            return new Overdue(newest, older, unsure, true);
        }
    }

    /**
     * @param job as it was before the change
     * @param given the new contents, with another schedule or fewer fires
     */
    Overdue overdue(StoredJob job, JobSpecification given, Instant at) {
        Overdue overdue = passed(job, given, at);
        boolean moved = !given.hasSameSchedule(job.specification());
        if (moved && given.isRecurring() && given.firstFire() == FirstFire.NOW) {
            overdue = overdue.replacedBy(new PlannedFire(at.truncatedTo(ChronoUnit.MILLIS), null));
        }
        return isLastBegun(job, given) ? overdue.uncarried() : overdue;
    }

    private Overdue passed(StoredJob job, JobSpecification given, Instant at) {
        Overdue stored = stored(job, given, at);
        try {
            return planner.unknownCalendars(job.specification()).isEmpty()
                    ? computed(job, stored, given, at)
                    : stored.doubtful();
        } catch (RuntimeException notHere) {
            // a calendar of the service that throws, or a rule that this node cannot read
            return stored.doubtful();
        }
    }

    /** Whether other contents change the schedule, or end the job before fires that have passed, or that an earlier change carries. */
    boolean isAffected(StoredJob job, JobSpecification given, Instant at) {
        JobSpecification stored = job.specification();
        ScheduleChange noted = job.requests().scheduleChanged();
        if (!given.hasSameSchedule(stored)) {
            return true;
        }
        return isLastBegun(job, given)
                ? noted != null && noted.carried() != null || !isLastBegun(job, stored)
                : endsBeforePassed(job, given, at);
    }

    /** Whether {@code maxFires} is lowered to fewer than the policy would run of the fires that have passed. */
    private boolean endsBeforePassed(StoredJob job, JobSpecification given, Instant at) {
        Integer most = FirePlanner.most(given);
        Integer former = FirePlanner.most(job.specification());
        if (most == null || former != null && former <= most || !MissedFireDecider.runsSeveral(given)) {
            return false;
        }
        boolean planned = job.isInProgress() && job.plan().nextFireTime() != null;
        long left = most - job.plan().firesEnded() - (planned ? 1 : 0);
        MissedFires passed = passed(job, given, at).all();
        return passed != null && Math.min(passed.count(), runs(given, passed, at)) > left;
    }

    /** How many passed fires the policy runs at most: late ones up to its cap, and those within the grace. */
    private long runs(JobSpecification job, MissedFires passed, Instant at) {
        Duration grace = StartDeadline.grace(job);
        long late = job.missedFirePolicy().kind() == MissedFirePolicy.Kind.RUN_ALL
                ? job.missedFirePolicy().cap()
                : 0;
        long onTime = grace.isZero()
                ? 0
                : planner.next(job, at.minus(grace).minusNanos(1))
                        .map(PlannedFire::fireTime)
                        .filter(first -> !first.isAfter(passed.last()))
                        .map(first -> planner.count(job, first, passed.last(), MissedFires.Reason.NEWER)
                                .count())
                        .orElse(0L);
        return Math.max(1, late + onTime);
    }

    /**
     * Whether the planned fire has begun, and is the last that {@code maxFires} of these contents allows. A claim has begun it
     * unless its run was asked for by a user, or only its mark can show that (rule P5) and there is none.
     */
    static boolean isLastBegun(StoredJob job, JobSpecification contents) {
        Integer most = FirePlanner.most(contents);
        return most != null && job.plan().firesEnded() + 1 >= most && isBegun(job);
    }

    private static boolean isBegun(StoredJob job) {
        boolean unmarked = job.specification().crashPolicy() == CrashPolicy.FAIL
                && job.phase() == Phase.RUN
                && !job.isUnplanned()
                && job.sequences().startedSeq() <= job.sequences().doneSeq();
        JobExecutionStatus verdict = job.phase() == Phase.FOLLOW ? job.verdict() : null;
        boolean byHand = job.isRunByHand() || verdict != null && verdict.manual();
        // a user has changed the schedule, and a node is to plan it
        boolean asked =
                job.isUnplanned() && Objects.requireNonNull(job.verdict()).outcome() == Outcome.NONE;
        boolean claimed = job.isInProgress() && !byHand && !unmarked && !asked;
        return claimed || job.plan().isBegun() || job.plan().rerun();
    }

    /**
     * What the document shows: the planned fire, unless it is in progress or an earlier change is still to be applied to it,
     * and the one that this change carries.
     */
    private static Overdue stored(StoredJob job, JobSpecification given, Instant at) {
        FirePlan plan = job.plan();
        ScheduleChange noted = job.requests().scheduleChanged();
        if (noted != null || job.isInProgress()) {
            Instant carried = noted == null ? null : noted.carried();
            return carried == null ? Overdue.NONE : Overdue.of(new PlannedFire(carried, null));
        }
        Instant fire = plan.nextFireTime();
        boolean redated = !job.specification().isRecurring() && !given.isRecurring() && plan.carried() == null;
        return fire == null || fire.isAfter(at) || redated
                ? Overdue.NONE
                : Overdue.of(new PlannedFire(fire, plan.nominalFireTime()));
    }

    /** With what the replaced schedule has planned behind the stored fires. */
    private Overdue computed(StoredJob job, Overdue stored, JobSpecification given, Instant at) {
        JobSpecification old = job.specification();
        FirePlan plan = job.plan();
        ScheduleChange noted = job.requests().scheduleChanged();
        boolean begins = noted != null || plan.carried() != null;
        Instant planned = plan.nextFireTime();
        if (!old.isRecurring()) {
            // one that became a one-off during the fire in progress, or behind a carried one
            Optional<PlannedFire> moment = begins && given.isRecurring() ? planner.first(old, at) : Optional.empty();
            return moment.filter(fire -> !fire.fireTime().isAfter(at))
                    .map(fire -> fire.fireTime().equals(planned) ? stored.withPlanned() : stored.replacedBy(fire))
                    .orElse(stored);
        }
        boolean lastRuns = noted == null && isLastBegun(job, old) && isLastBegun(job, given);
        if (FirePlanner.isDelayed(old) || planned == null && !begins || lastRuns) {
            return stored;
        }
        Instant from = noted != null ? noted.at() : plan.carried() != null ? plan.carried() : planner.anchor(old, plan);
        return from.isAfter(at) ? stored : behind(old, stored, planned, from, at);
    }

    private Overdue behind(JobSpecification old, Overdue stored, @Nullable Instant planned, Instant from, Instant at) {
        Instant first = planner.next(old, from).map(PlannedFire::fireTime).orElse(null);
        if (first == null || first.isAfter(at)) {
            return stored;
        }
        if (first.equals(planned)) {
            return behind(old, stored.withPlanned(), null, first, at);
        }
        PlannedFire newest = planner.at(old, planner.newest(old, first, at));
        if (newest.fireTime().equals(first)) {
            return stored.replacedBy(newest);
        }
        Instant last = planner.before(old, newest.fireTime(), 1).fireTime();
        return stored.replacedBy(newest, planner.count(old, first, last, MissedFires.Reason.NEWER));
    }

    /** The change as it is noted while a fire is in progress. */
    static ScheduleChange noted(StoredJob job, JobSpecification given, Overdue overdue, Instant at) {
        ScheduleChange before = job.requests().scheduleChanged();
        boolean single = !given.isRecurring() && !job.specification().isRecurring();
        boolean moves = single && (before == null ? job.plan().carried() == null : before.moves());
        PlannedFire newest = overdue.newest();
        Instant since = before == null || overdue.planned() ? at : before.since();
        return new ScheduleChange(at, since, newest == null ? null : newest.fireTime(), moves);
    }

    /**
     * A job whose schedule was changed under a claim that has run nothing of its fire.
     *
     * @param missed the fire that waited, in place of which a newer one is carried; absent = none
     */
    record Applied(StoredJob job, @Nullable MissedFires missed) {}

    /**
     * The noted change, applied to a fire that has not begun: it is carried, or a newer one is, or the first fire after the
     * change is planned. Empty if there was no change, or a failure command, a retry or an abandoned run comes first.
     */
    Optional<Applied> applied(StoredJob job) {
        ScheduleChange change = job.requests().scheduleChanged();
        FirePlan plan = job.plan();
        if (change == null || job.phase() != Phase.RUN || !change.moves() && (plan.isBegun() || plan.rerun())) {
            return Optional.empty();
        }
        Instant waiting = plan.nextFireTime();
        boolean passed = waiting != null && !change.moves() && !waiting.isAfter(change.since());
        if (passed && change.carried() == null) {
            return Optional.of(
                    new Applied(moved(job, plan.carry(waiting, plan.nominalFireTime(), change.at()), 0), null));
        }
        boolean replaced = passed && !waiting.equals(change.carried());
        MissedFires missed = replaced ? new MissedFires(waiting, waiting, 1, false) : null;
        return plan(job, plan, null)
                .map(next -> new Applied(moved(job, next, passed || plan.isBegun() ? 1 : 0), missed));
    }

    /** The job that is moved by a change that was noted during an attempt that has failed. */
    Optional<StoredJob> redated(StoredJob job) {
        ScheduleChange change = job.requests().scheduleChanged();
        return change == null || !change.moves() || job.phase() != Phase.RUN
                ? Optional.empty()
                : plan(job, job.plan(), job.plan().nextFireTime()).map(plan -> moved(job, plan, 1));
    }

    /** The fire that the job waits for, which is not the planned one if a change has taken that; absent = none is known. */
    static @Nullable Instant awaited(StoredJob job) {
        ScheduleChange change = job.requests().scheduleChanged();
        FirePlan plan = job.plan();
        Instant planned = plan.nextFireTime();
        boolean taken = change != null
                && job.phase() == Phase.RUN
                && !plan.isBegun()
                && !plan.rerun()
                && planned != null
                && planned.isAfter(change.since());
        return taken ? change.carried() : planned;
    }

    /**
     * The fire that a cancel takes away; absent = none is known, as if the planned one has ended: its own row tells of that, or
     * none if rows of good runs are not kept.
     *
     * @param before rows of the same change, older than that of the cancel
     */
    static @Nullable Instant canceled(StoredJob job, List<JobExecutionStatus> before) {
        boolean ended = before.stream().anyMatch(FireAccounting::endsFire)
                || job.isUnplanned() && FireAccounting.endsFire(Objects.requireNonNull(job.verdict()));
        return ended ? null : awaited(job);
    }

    private static StoredJob moved(StoredJob job, FirePlan plan, int fires) {
        return job.with(edit -> edit.plan(plan)
                .blocked(
                        plan.nextFireTime() == null
                                ? Transitions.withoutFire(job.specification())
                                : Transitions.isWithoutFire(job) ? null : job.blocked())
                .requests(job.requests().withScheduleChanged(null))
                .sequences(job.sequences().plusFires(fires)));
    }

    /**
     * The job after a manual run, which leaves its fire unless the schedule or a calendar was changed meanwhile: an edit
     * passes over leased jobs. One that is left without a fire is blocked, also if a user has unblocked it meanwhile. A
     * fire that is missed is left to the next claim, which has the plan pass it before its row.
     */
    StoredJob afterManual(StoredJob job, Instant now) {
        Optional<Applied> applied = applied(job);
        StoredJob planned = applied.isPresent()
                ? applied.filter(change -> change.missed() == null)
                        .map(Applied::job)
                        .orElse(job)
                : edited(job, now).orElse(job);
        return planned.plan().startTime() != null || planned.blocked() != null
                ? planned
                : planned.with(edit -> edit.blocked(Transitions.withoutFire(job.specification())));
    }

    private Optional<StoredJob> edited(StoredJob job, Instant now) {
        boolean waits = job.phase() == Phase.RUN
                && job.requests().scheduleChanged() == null
                && job.plan().carried() == null
                && !job.plan().isBegun()
                && !job.plan().rerun();
        return waits ? EditedCalendars.replanned(job, planner, now) : Optional.empty();
    }

    /**
     * Whether the fire is still to be run. A single moment was accepted when it was given and may have passed by now;
     * it is only not run twice.
     */
    private static boolean isOpen(StoredJob job, Instant fire, @Nullable Instant ended, Instant after) {
        return job.specification().isRecurring() ? fire.isAfter(after) : !fire.equals(ended);
    }

    /**
     * The plan of the carried fire, or else of the first fire after the change and after {@code ended}; without a fire if
     * only its calendars leave none; empty if the job is over with the fire that has ended. The change is the
     * noted one, or the one that has carried the fire that has ended.
     *
     * @param ended the fire that was run, which must not be planned again; absent = none
     */
    Optional<FirePlan> plan(StoredJob job, FirePlan before, @Nullable Instant ended) {
        ScheduleChange change = job.requests().scheduleChanged();
        if (change != null && change.carried() != null) {
            return Optional.of(before.carry(change.carried(), null, change.at()));
        }
        Instant changed = change != null ? change.at() : Objects.requireNonNull(before.carried());
        Optional<PlannedFire> first = planner.first(job.specification(), changed);
        boolean again = first.isPresent() && first.get().fireTime().equals(ended);
        Instant after = again && ended != null ? ended : changed;
        if (again && job.specification().isRecurring()) {
            // claimed before its time, and planned by the new schedule, too
            first = planner.next(job.specification(), after);
        }
        if (first.isEmpty()
                && (ended == null
                        || !job.specification().isRecurring()
                        || planner.isWithoutFire(job.specification(), after))) {
            // its calendars were edited since it was given, or are not known to who gave it: blocked until an edit
            return Optional.of(planner.planFrom(job.specification(), before, first, after));
        }
        return first.filter(fire -> isOpen(job, fire.fireTime(), ended, after))
                .map(fire -> planner.planFrom(job.specification(), before, Optional.of(fire), after));
    }
}
