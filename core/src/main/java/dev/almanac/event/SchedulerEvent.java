package dev.almanac.event;

import dev.almanac.model.Actor;
import dev.almanac.model.FieldChange;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event of this node. */
public sealed interface SchedulerEvent {
    /** An event of one job. */
    sealed interface JobEvent extends SchedulerEvent {
        /** The key of the job. */
        String key();
    }

    /** A job was stored. */
    record JobScheduled(String key, String type, Actor by) implements JobEvent {}

    /**
     * A stored job was changed; {@code changes} as its row has them. A {@code warning} says what an operator may miss: a
     * person's change that was replaced, or another command type; absent = nothing.
     */
    record JobUpdated(
            String key,
            long version,
            List<FieldChange> changes,
            Actor by,
            @Nullable String warning) implements JobEvent {}

    /** A job was cancelled, or its cancel was noted while it runs ({@code running}). */
    record JobCanceled(String key, boolean running, Actor by) implements JobEvent {}

    /** A job was paused or resumed. */
    record JobPaused(String key, boolean paused, Actor by) implements JobEvent {}

    /** The next fire was computed again, since zone rules or a calendar have changed; absent = none is left. */
    record JobReplanned(String key, @Nullable Instant nextFireTime, String why) implements JobEvent {}

    /** All jobs of a kind were paused or resumed; {@code scope} is the text of the scope. */
    record JobsPaused(
            String scope,
            boolean paused,
            Actor by,
            @Nullable String warning) implements SchedulerEvent {}

    /** Size or rate of an exclusive group were stored or removed. */
    record GroupChanged(String group, String what, Actor by) implements SchedulerEvent {}

    /** A stored calendar was edited or deleted. */
    record CalendarChanged(String calendar, String what, Actor by) implements SchedulerEvent {}

    /** The lease of a job was taken away from its node, by force. */
    record JobReleased(String key, Actor by) implements JobEvent {}

    /** A run now was requested. */
    record RunAsked(String key, Actor by) implements JobEvent {}

    /** So many open failures of a job were acknowledged, perhaps by a rerun that takes them over. */
    record FailuresAcknowledged(String key, int failures, Actor by) implements JobEvent {}

    /**
     * A helper is about to be called.
     *
     * @param lateness start minus the planned start of this attempt, or of the retry; zero or more; absent for a manual
     *     run, which no plan knows
     */
    record RunStarted(
            String key,
            String type,
            Instant fireTime,
            int attempt,
            @Nullable Duration lateness,
            boolean late) implements JobEvent {}

    /** A helper's run has ended; what it means for the job follows as {@link RunRecorded}. */
    record RunEnded(String key, String type, Instant fireTime, int attempt, Duration duration, boolean good)
            implements JobEvent {}

    /**
     * A status row of a claim, and the job that moved on with it, are durable: the end of a run, or what was found
     * instead of a run, such as an abandoned run, missed fires, a fire that a calendar excludes, or an {@code endAt}
     * that has passed.
     */
    record RunRecorded(String key, String type, JobExecutionStatus row) implements JobEvent {}

    /** The claim with that fencing number ended without its run being recorded here: the lease was lost. Another node recovers the job. */
    record LeaseLost(String key, Instant fireTime, long fencingNumber, boolean running, String reason)
            implements JobEvent {}

    /** An earlier claim of the job had ended without a recorded outcome; this node takes over. */
    record RunRecovered(String key, long abandonedClaims, Outcome outcome) implements JobEvent {}

    /** Planned fires passed without a run. */
    record FiresMissed(String key, MissedFires missed) implements JobEvent {}

    /** A claim was released without a run. */
    record ClaimReleased(String key, String reason) implements JobEvent {}

    /** A job cannot be run; a user must repair it. */
    record JobBlocked(String key, String reason) implements JobEvent {}

    /** A batch was claimed. */
    record BatchClaimed(int asked, int claimed, Duration took) implements SchedulerEvent {}

    /** A batch of changes was written. */
    record BatchWritten(int changes, int applied, Duration took) implements SchedulerEvent {}

    /** Leases were renewed. */
    record LeasesRenewed(int asked, int held, Duration took) implements SchedulerEvent {}

    /** The store did not answer a call, perhaps of one kind only; the node keeps trying. */
    record StoreUnreachable(String during, String message) implements SchedulerEvent {}

    /** The store answers all kinds of calls again. */
    record StoreReachable(Duration after) implements SchedulerEvent {}

    /** The offset to the server's clock was measured: server minus local, and by how much it may be wrong. */
    record ClockMeasured(Duration offset, Duration uncertainty) implements SchedulerEvent {}

    /** The node claims from now on. */
    record NodeStarted(String node) implements SchedulerEvent {}

    /** The node claims nothing any more; {@code interrupted} runs did not end in time. */
    record NodeStopped(String node, int interrupted) implements SchedulerEvent {}

    /**
     * What decides on this node has failed, and has begun again: runs, leases and writes go on. After three failures within
     * a minute they do not: the leases are lost, and the node goes on under another identity.
     *
     * @param node its identity from now on
     * @param error what was thrown, in words
     */
    record KernelRestarted(String node, String error, boolean otherIdentity) implements SchedulerEvent {}

    /** The rehydration at start (rule R12). */
    record Rehydrated(RehydrationSummary summary) implements SchedulerEvent {}
}
