package dev.almanac.store;

import dev.almanac.model.ErrorSummary;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The fire that is planned or in progress.
 *
 * @param nextFireTime its planned instant, the stored one that lateness is judged by (rule R3); absent = none is left
 * @param nominalFireTime its instant before a calendar shifted it; absent if it was not shifted
 * @param basis what it was computed from; absent if there is no planned fire
 * @param attempts how many attempts of this fire have ended; 0 = none yet
 * @param retryTime when the next attempt is planned; absent unless one failed, or a failure command is still to be run
 * @param overThreshold the lateness verdict of the first attempt, kept for its retries; absent = not late
 * @param firesEnded how many fires of the recurrence have ended, for {@code maxFires}
 * @param previousGoodRun planned instant of the last fire that succeeded
 * @param postponed how often the helper has postponed this fire
 * @param failuresInARow how many fires have failed for good since the last successful one, or since a user resumed the
 *     job
 * @param rerun whether a run of this fire was abandoned: it runs again before missed fires are judged (rule R4)
 * @param failure why the fire failed for good, while its failure command is still to be run; absent otherwise
 * @param carried the moment of the change that carried this fire over from an earlier schedule, or that asked for one at
 *     once: the fire is a plain instant then, which no later planning moves, and the schedule goes on from that moment
 *     (rule S2); absent = the fire is one of the schedule
 */
public record FirePlan(
        @Nullable Instant nextFireTime,
        @Nullable Instant nominalFireTime,
        @Nullable PlanBasis basis,
        int attempts,
        @Nullable Instant retryTime,
        @Nullable Duration overThreshold,
        long firesEnded,
        @Nullable Instant previousGoodRun,
        int postponed,
        int failuresInARow,
        boolean rerun,
        @Nullable ErrorSummary failure,
        @Nullable Instant carried) {

    /** The first plan of a job. */
    public static FirePlan first(@Nullable Instant fireTime, @Nullable Instant nominal, @Nullable PlanBasis basis) {
        return new FirePlan(fireTime, nominal, basis, 0, null, null, 0, null, 0, 0, false, null, null);
    }

    /** When the next attempt is to start: the retry, or the planned instant. */
    public @Nullable Instant startTime() {
        return retryTime != null ? retryTime : nextFireTime;
    }

    /** Whether a helper has been called for this fire, which then was retried or postponed. */
    public boolean isBegun() {
        return attempts > 0 || postponed > 0;
    }

    /** Another fire is planned; attempts and verdict start again. */
    public FirePlan moveTo(@Nullable Instant fireTime, @Nullable Instant nominal, @Nullable PlanBasis newBasis) {
        return new FirePlan(
                fireTime,
                nominal,
                newBasis,
                0,
                null,
                null,
                firesEnded,
                previousGoodRun,
                0,
                failuresInARow,
                false,
                null,
                null);
    }

    /** The same fire, from that basis. */
    public FirePlan on(PlanBasis newBasis) {
        return on(newBasis, carried);
    }

    /** The newest fire that passed before a change of the schedule is planned; attempts and verdict start again. */
    public FirePlan carry(Instant fireTime, @Nullable Instant nominal, Instant changed) {
        return moveTo(fireTime, nominal, null).on(null, changed);
    }

    private FirePlan on(@Nullable PlanBasis newBasis, @Nullable Instant changed) {
        return new FirePlan(
                nextFireTime,
                nominalFireTime,
                newBasis,
                attempts,
                retryTime,
                overThreshold,
                firesEnded,
                previousGoodRun,
                postponed,
                failuresInARow,
                rerun,
                failure,
                changed);
    }

    /** So many more fires have ended; {@code good} = the planned instant of the last one if it succeeded. */
    public FirePlan firesEnded(long fires, @Nullable Instant good) {
        return good == null
                ? ended(firesEnded + fires, previousGoodRun, failuresInARow, rerun, failure)
                : ended(firesEnded + fires, good, 0, rerun, failure);
    }

    /** One more attempt has ended, and the next one is planned. */
    public FirePlan retryAt(Instant retry, @Nullable Duration verdict) {
        return at(attempts + 1, retry, verdict, postponed);
    }

    /** The same fire, to start later; neither an attempt nor a postponement by its helper. */
    public FirePlan startingAt(Instant start) {
        return at(attempts, start, overThreshold, postponed);
    }

    /** The fire is postponed, which uses no attempt. */
    public FirePlan postponedTo(Instant until, @Nullable Duration verdict) {
        return at(attempts, until, verdict, postponed + 1);
    }

    private FirePlan at(int tries, Instant start, @Nullable Duration verdict, int putOff) {
        return new FirePlan(
                nextFireTime,
                nominalFireTime,
                basis,
                tries,
                start,
                verdict,
                firesEnded,
                previousGoodRun,
                putOff,
                failuresInARow,
                rerun,
                failure,
                carried);
    }

    /** A run of the fire was abandoned, and it runs again. */
    public FirePlan withRerun() {
        return ended(firesEnded, previousGoodRun, failuresInARow, true, failure);
    }

    /** So many fires have failed for good in a row. */
    public FirePlan failedInARow(int fires) {
        return fires == failuresInARow ? this : ended(firesEnded, previousGoodRun, fires, rerun, failure);
    }

    /** The fire has failed for good, and its failure command is to be delivered; attempts start again. */
    public FirePlan deliverAt(Instant due, ErrorSummary reason) {
        return ended(firesEnded, previousGoodRun, failuresInARow + 1, false, reason)
                .at(0, due, null, 0);
    }

    private FirePlan ended(
            long fires, @Nullable Instant good, int failures, boolean marked, @Nullable ErrorSummary reason) {
        return new FirePlan(
                nextFireTime,
                nominalFireTime,
                basis,
                attempts,
                retryTime,
                overThreshold,
                fires,
                good,
                postponed,
                failures,
                marked,
                reason,
                carried);
    }
}
