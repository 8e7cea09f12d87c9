package dev.almanac.store;

import dev.almanac.model.ErrorSummary;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The fire that is planned or in progress.
 *
 * @param fire its moment, and what that was computed from
 * @param tries what has become of it so far
 * @param totals of all fires of the job
 */
public record FirePlan(Fire fire, Tries tries, Totals totals) {
    /**
     * @param time its planned instant, the stored one that lateness is judged by (rule R3); absent = none is left
     * @param nominal its instant before a calendar shifted it; absent if it was not shifted
     * @param basis what it was computed from; absent if there is no planned fire
     * @param carried the moment of the change that carried this fire over from an earlier schedule, or that asked for one
     *     at once: the fire is a plain instant then, which no later planning moves, and the schedule goes on from that
     *     moment (rule S2); absent = the fire is one of the schedule
     */
    public record Fire(
            @Nullable Instant time,
            @Nullable Instant nominal,
            @Nullable PlanBasis basis,
            @Nullable Instant carried) {}

    /**
     * @param attempts how many attempts of this fire have ended; 0 = none yet
     * @param retryTime when the next attempt is planned; absent unless one failed, or a failure command is still to be run
     * @param overThreshold the lateness verdict of the first attempt, kept for its retries; absent = not late
     * @param postponed how often the helper has postponed this fire
     * @param rerun whether the last run of this fire was abandoned: it runs again before missed fires are judged (rule R4)
     * @param failure why the fire failed for good, while its failure command is still to be run; absent otherwise
     */
    public record Tries(
            int attempts,
            @Nullable Instant retryTime,
            @Nullable Duration overThreshold,
            int postponed,
            boolean rerun,
            @Nullable ErrorSummary failure) {
        /** Nothing was run of the fire. */
        public static final Tries NONE = new Tries(0, null, null, 0, false, null);

        private Tries at(Instant start) {
            return new Tries(attempts, start, overThreshold, postponed, rerun, failure);
        }
    }

    /**
     * @param firesEnded how many fires of the recurrence have ended, for {@code maxFires}
     * @param previousGoodRun planned instant of the last fire that succeeded
     * @param failuresInARow how many fires have failed for good since the last successful one, or since a user resumed the
     *     job
     */
    public record Totals(long firesEnded, @Nullable Instant previousGoodRun, int failuresInARow) {
        /** No fire has ended. */
        public static final Totals NONE = new Totals(0, null, 0);

        private Totals failed(int inARow) {
            return inARow == failuresInARow ? this : new Totals(firesEnded, previousGoodRun, inARow);
        }
    }

    /** The first plan of a job. */
    public static FirePlan first(@Nullable Instant fireTime, @Nullable Instant nominal, @Nullable PlanBasis basis) {
        return new FirePlan(new Fire(fireTime, nominal, basis, null), Tries.NONE, Totals.NONE);
    }

    /** When the next attempt is to start: the retry, or the planned instant. */
    public @Nullable Instant startTime() {
        return tries.retryTime != null ? tries.retryTime : fire.time;
    }

    /** Whether a helper has been called for this fire, which then was retried or postponed. */
    public boolean isBegun() {
        return tries.attempts > 0 || tries.postponed > 0;
    }

    /** Another fire is planned; attempts and verdict start again. */
    public FirePlan moveTo(@Nullable Instant fireTime, @Nullable Instant nominal, @Nullable PlanBasis basis) {
        return new FirePlan(new Fire(fireTime, nominal, basis, null), Tries.NONE, totals);
    }

    /** The newest fire that passed before a change of the schedule is planned; attempts and verdict start again. */
    public FirePlan carry(Instant fireTime, @Nullable Instant nominal, Instant changed) {
        return new FirePlan(new Fire(fireTime, nominal, null, changed), Tries.NONE, totals);
    }

    /** The same fire, from that basis. */
    public FirePlan on(PlanBasis basis) {
        return new FirePlan(new Fire(fire.time, fire.nominal, basis, fire.carried), tries, totals);
    }

    /** So many more fires have ended; {@code good} = the planned instant of the last one if it succeeded. */
    public FirePlan firesEnded(long fires, @Nullable Instant good) {
        long ended = totals.firesEnded + fires;
        return with(
                good == null
                        ? new Totals(ended, totals.previousGoodRun, totals.failuresInARow)
                        : new Totals(ended, good, 0));
    }

    /** One more attempt has ended, and the next one is planned. */
    public FirePlan retryAt(Instant retry, @Nullable Duration verdict) {
        return with(new Tries(tries.attempts + 1, retry, verdict, tries.postponed, false, tries.failure));
    }

    /** The same fire, to start later; neither an attempt nor a postponement by its helper. */
    public FirePlan startingAt(Instant start) {
        return with(tries.at(start));
    }

    /** The fire is postponed, which uses no attempt. */
    public FirePlan postponedTo(Instant until, @Nullable Duration verdict) {
        return with(new Tries(tries.attempts, until, verdict, tries.postponed + 1, false, tries.failure));
    }

    /** A run of the fire was abandoned, and it runs again. */
    public FirePlan withRerun() {
        return with(
                new Tries(tries.attempts, tries.retryTime, tries.overThreshold, tries.postponed, true, tries.failure));
    }

    /** So many fires have failed for good in a row. */
    public FirePlan failedInARow(int fires) {
        return with(totals.failed(fires));
    }

    /** The fire has failed for good, and its failure command is to be delivered; attempts start again. */
    public FirePlan deliverAt(Instant due, ErrorSummary reason) {
        return new FirePlan(fire, new Tries(0, due, null, 0, false, reason), totals.failed(totals.failuresInARow + 1));
    }

    private FirePlan with(Tries changed) {
        return new FirePlan(fire, changed, totals);
    }

    private FirePlan with(Totals changed) {
        return changed == totals ? this : new FirePlan(fire, tries, changed);
    }

    /** {@link Fire#time}. */
    public @Nullable Instant nextFireTime() {
        return fire.time;
    }

    /** {@link Fire#nominal}. */
    public @Nullable Instant nominalFireTime() {
        return fire.nominal;
    }

    /** {@link Fire#basis}. */
    public @Nullable PlanBasis basis() {
        return fire.basis;
    }

    /** The fire that has ended before this one; absent if the plan does not hold it. */
    public @Nullable Instant endedFire() {
        return fire.basis == null || fire.basis.afterLocal() == null ? null : fire.basis.after();
    }

    /** {@link PlanBasis#endedNominal}; absent if there is no basis. */
    public @Nullable Instant endedNominal() {
        return fire.basis == null ? null : fire.basis.endedNominal();
    }

    /** {@link Fire#carried}. */
    public @Nullable Instant carried() {
        return fire.carried;
    }

    /** {@link Tries#attempts}. */
    public int attempts() {
        return tries.attempts;
    }

    /** {@link Tries#retryTime}. */
    public @Nullable Instant retryTime() {
        return tries.retryTime;
    }

    /** {@link Tries#overThreshold}. */
    public @Nullable Duration overThreshold() {
        return tries.overThreshold;
    }

    /** {@link Tries#postponed}. */
    public int postponed() {
        return tries.postponed;
    }

    /** {@link Tries#rerun}. */
    public boolean rerun() {
        return tries.rerun;
    }

    /** {@link Tries#failure}. */
    public @Nullable ErrorSummary failure() {
        return tries.failure;
    }

    /** {@link Totals#firesEnded}. */
    public long firesEnded() {
        return totals.firesEnded;
    }

    /** {@link Totals#previousGoodRun}. */
    public @Nullable Instant previousGoodRun() {
        return totals.previousGoodRun;
    }

    /** {@link Totals#failuresInARow}. */
    public int failuresInARow() {
        return totals.failuresInARow;
    }
}
