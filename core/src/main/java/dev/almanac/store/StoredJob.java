package dev.almanac.store;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.Progress;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StoredFields;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A specification document as a record. Immutable; the commands of the specification are {@link EncodedCommand}s.
 *
 * @param id unique; a key that is scheduled again after its end gets a new one
 * @param specification the contents, with the stored version
 * @param due when the job may be claimed: its fire, its retry, or the end of its lease plus margin; absent = never
 * @param lease present = claimed
 * @param sequences the counters
 * @param plan the fire that is planned or in progress
 * @param requests users' requests that were noted under the lease
 * @param phase which command is to be run
 * @param blocked why the job cannot be run; absent = it is not blocked
 * @param lastStatus the newest status row, all of it
 * @param olderRows the rows of the change that made the newest one, which come before it; mostly none
 * @param state the state that was saved last for the next run; empty = none
 * @param progress the last saved progress of the run under the current lease; absent if there is none
 * @param verdict how a run has ended whose follow-ups are to be stored, or after which nothing could be planned: its
 *     row; absent = what follows is in the document
 * @param followUps those of the verdict, if the job's have been changed since (rule N8); empty = the job's
 * @param revision which writes it shows; every change is guarded by it
 */
public record StoredJob(
        String id,
        JobSpecification specification,
        @Nullable Instant due,
        @Nullable Lease lease,
        Sequences sequences,
        FirePlan plan,
        Requests requests,
        Phase phase,
        @Nullable Blocked blocked,
        JobExecutionStatus lastStatus,
        List<JobExecutionStatus> olderRows,
        Map<String, Object> state,
        @Nullable Progress progress,
        @Nullable JobExecutionStatus verdict,
        List<JobSpecification> followUps,
        Revision revision) {

    /** A new job, without state and progress. */
    public StoredJob(
            String id,
            JobSpecification specification,
            @Nullable Instant due,
            @Nullable Lease lease,
            Sequences sequences,
            FirePlan plan,
            Requests requests,
            Phase phase,
            @Nullable Blocked blocked,
            JobExecutionStatus lastStatus) {
        this(
                id,
                specification,
                due,
                lease,
                sequences,
                plan,
                requests,
                phase,
                blocked,
                lastStatus,
                List.of(),
                Map.of(),
                null,
                null,
                List.of(),
                Revision.FIRST);
    }

    /** The key of the job. */
    public String key() {
        return specification.jobSpecificationKey();
    }

    /** Whether it has a lease with that token. */
    public boolean isHeldWith(long token) {
        return lease != null && lease.token() == token;
    }

    /** Whether its claim keeps others from its slot of an exclusive group at that moment, as {@link #keepsSlotUntil} says. */
    public boolean keepsSlotAt(Instant horizon, Duration margin) {
        Instant until = keepsSlotUntil(margin);
        return until != null && until.isAfter(horizon);
    }

    /**
     * Until when its claim keeps others from its slot of an exclusive group (rule P9): until its lease is over, margin
     * included. Its due time says that; where an edit by hand has taken it, the lease does.
     *
     * @param margin for how long a slot is kept after the end of a lease
     * @return absent if it has no lease
     */
    public @Nullable Instant keepsSlotUntil(Duration margin) {
        if (lease == null) {
            return null;
        }
        return due == null ? lease.until().plus(margin) : due;
    }

    /** The rows that the document shows, oldest first. */
    public List<JobExecutionStatus> shownRows() {
        return olderRows.isEmpty()
                ? List.of(lastStatus)
                : Stream.concat(olderRows.stream(), Stream.of(lastStatus)).toList();
    }

    /** The versions of the calendars that its plan was made from (rule N9); empty if it has none, or is finished. */
    public Map<String, Long> plannedBy() {
        PlanBasis basis = plan.basis();
        return basis == null || !isLive() ? Map.of() : basis.calendars();
    }

    /** The calendars of its follow-ups, those that it owes among them; in order, each once. */
    public List<String> followUpCalendars() {
        List<JobSpecification> good = specification.onSuccess();
        List<JobSpecification> failed = specification.onFailure();
        // asked with each change of a job, and most have none
        return good.isEmpty() && failed.isEmpty() && followUps.isEmpty()
                ? List.of()
                : StoredFields.calendarsOf(List.of(good, failed, followUps));
    }

    /**
     * Whether the first claim whose end is not on record, or the next one, carries out the run that a user has asked for, and
     * not the plan. No later claim runs anything before that one is recovered.
     */
    public boolean isRunByHand() {
        ExtraRun extra = requests.extraRun();
        return phase == Phase.RUN && extra != null && sequences.doneSeq() + 1 > extra.after();
    }

    /** Whether a run has ended, on record, or a user has changed the schedule, and what follows is still to be planned (rules N8, S16). */
    public boolean isUnplanned() {
        return verdict != null && phase != Phase.FOLLOW;
    }

    /** Whether the fire of its plan has ended, and its follow-ups are still to be stored; a run by hand leaves the plan as it is. */
    public boolean hasFireEnded() {
        return phase == Phase.FOLLOW && verdict != null && !verdict.manual();
    }

    /**
     * Whether its plan holds its next fire, or the one in progress. It does not once the job has ended, nor while what follows a
     * run that has ended is to be planned. Once a cancel is noted, it holds only a fire that is in progress.
     */
    public boolean isPlannedAt(Instant now) {
        boolean over = requests.cancelRequested() && (!isHeldAt(now) || isRunByHand() || phase == Phase.FOLLOW);
        return isLive() && !isUnplanned() && !hasFireEnded() && !over;
    }

    /** A fire may be in progress, or is begun, so that it ends before another is planned. */
    public boolean isInProgress() {
        return lease != null
                || phase != Phase.RUN
                || isUnplanned()
                || sequences.isUnrecovered()
                || plan.isBegun()
                || plan.rerun();
    }

    /** Whether a fire of its present schedule is in progress. That of a changed one comes behind the change. */
    public boolean isFireInProgress() {
        return isInProgress() && !isRunByHand() && !isChanged();
    }

    /** Whether the schedule goes on at the moment of a change. */
    private boolean isChanged() {
        boolean isOfChange = isUnplanned() && verdict != null && verdict.outcome() == Outcome.NONE;
        return requests.scheduleChanged() != null || plan.carried() != null || isOfChange;
    }

    /** The fire of its schedule that is in progress, or else the moment behind which its plan was made; absent = there is none. */
    public @Nullable Instant lastFireTime() {
        if (isFireInProgress()) {
            return plan.nextFireTime();
        }
        PlanBasis basis = plan.basis();
        return isChanged() || basis == null || plan.endedNominal() == null ? null : basis.after();
    }

    /** The nominal instant of the fire in progress, or else of the one that ended last: an edited calendar may have it once more. */
    public @Nullable Instant lastNominal() {
        if (!isFireInProgress()) {
            return isChanged() ? null : plan.endedNominal();
        }
        Instant nominal = plan.nominalFireTime();
        return nominal == null ? plan.nextFireTime() : nominal;
    }

    /** What is still to come of it after a cancel that is noted, for people; absent if none is. */
    public @Nullable String cancelWords(Instant now) {
        if (!requests.cancelRequested()) {
            return null;
        } else if (phase == Phase.FOLLOW) {
            return "the follow-ups of its last run are stored first";
        } else if (!isHeldAt(now)) {
            return "the next claim records it";
        }
        return requests.interruptRequested()
                ? "its present run is to be interrupted"
                : "its present run continues to its end";
    }

    /** Whether it has no lease, and a claim without an end on record that is to be recovered. */
    public boolean isAbandoned() {
        return lease == null && phase != Phase.FOLLOW && sequences.isUnrecovered();
    }

    /** Whether its fire waits since its helper has postponed it, and not since an attempt has failed. */
    public boolean isPostponed() {
        return plan.postponed() > 0 && (plan.attempts() == 0 || lastStatus.outcome() == Outcome.POSTPONED);
    }

    /** Why it is blocked, for people; absent if it is not. */
    public @Nullable String blockedReason() {
        return blocked == null ? null : blocked.reason();
    }

    /** Whether the job is neither finished nor cancelled. */
    public boolean isLive() {
        return specification.deleteTime().isEmpty();
    }

    /**
     * What the job is doing (rule S21). The conditions are those of the table in contributing/lifecycle.md, in its order.
     *
     * @param pauses of kinds of jobs; those that are not in force do not count
     */
    public JobState stateAt(Instant now, Collection<StandingPause> pauses) {
        if (!isLive()) {
            return switch (lastStatus.executionStatus()) {
                case FAILED -> JobState.FAILED;
                case CANCELED -> JobState.CANCELED;
                case SCHEDULED, TRIGGERED -> JobState.SUCCEEDED;
            };
        }
        if (lease != null) {
            return heldAt(now);
        }
        if (blocked != null) {
            return JobState.BLOCKED;
        }
        if (isPausedAt(now, pauses)) {
            return JobState.PAUSED;
        }
        return switch (phase) {
            case FOLLOW -> JobState.STORING_FOLLOW_UPS;
            case FAILURE -> JobState.OWING;
            case RUN -> plan.attempts() > 0 ? JobState.RETRYING : JobState.SCHEDULED;
        };
    }

    /** Whether a node holds a lease on it that is not over. */
    public boolean isHeldAt(Instant now) {
        return lease != null && lease.until().isAfter(now);
    }

    private JobState heldAt(Instant now) {
        if (!isHeldAt(now)) {
            return JobState.RECOVERING;
        }
        if (phase == Phase.FOLLOW) {
            return JobState.STORING_FOLLOW_UPS;
        }
        boolean timedOut = lastStatus.outcome() == Outcome.TIMED_OUT && lastStatus.claimSeq() == sequences.claimSeq();
        boolean started = sequences.startedSeq() == sequences.claimSeq();
        return progress != null || started || timedOut ? JobState.RUNNING : JobState.CLAIMED;
    }

    /** Whether no pause of its own holds it back: follow-ups are owed at once, and a cancel is carried out. */
    public boolean isBeyondPause() {
        return requests.cancelRequested() || phase == Phase.FOLLOW;
    }

    /** Whether its own pause, or one of its kind, is in force. */
    public boolean isPausedAt(Instant now, Collection<StandingPause> pauses) {
        Pause own = requests.pause();
        return own != null && own.isInForce(now)
                || pauses.stream()
                        .anyMatch(pause -> pause.isInForce(now)
                                && pause.holds(specification, command().type()));
    }

    /** The command that the phase runs. */
    public EncodedCommand command() {
        if (phase == Phase.FAILURE && specification.failureCommand().orElse(null) instanceof EncodedCommand failure) {
            return failure;
        }
        return (EncodedCommand) specification.triggerCommand();
    }

    /** The id string that goes with {@link #command()}. */
    public String commandIdentifier() {
        String trigger = specification.triggerIdentifier();
        return phase == Phase.FAILURE ? specification.failureIdentifier().orElse(trigger) : trigger;
    }

    /**
     * The span to which a run of it is linked (rule S9): that of the request for a manual run, else that in which the job was
     * stored; absent if there is none.
     */
    public @Nullable String traceParent(@Nullable Instant asked) {
        return asked != null
                ? requests.traceOf(asked)
                : specification.traceParent().orElse(null);
    }

    /** A copy with the changes of the edit. */
    public StoredJob with(java.util.function.Consumer<StoredJobEdit> edit) {
        StoredJobEdit values = new StoredJobEdit(this);
        edit.accept(values);
        return values.toJob();
    }
}
