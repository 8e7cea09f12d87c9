package dev.almanac.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The fire that is planned or in progress.
 *
 * @param nextFireTime its planned instant, the stored one that lateness is judged by (rule R3); absent = none is left
 * @param nominalFireTime its instant before a calendar shifted it; absent if it was not shifted
 * @param zoneRules the version of the time zone rules that it was computed with (rule T6)
 * @param attempts how many attempts of this fire have ended; 0 = none yet
 * @param overThreshold the lateness verdict of the first attempt, kept for its retries; absent = not late
 * @param firesEnded how many fires of the recurrence have ended, for {@code maxFires}
 * @param previousGoodRun planned instant of the last fire that went well
 */
public record FirePlan(
        @Nullable Instant nextFireTime,
        @Nullable Instant nominalFireTime,
        @Nullable String zoneRules,
        int attempts,
        @Nullable Duration overThreshold,
        long firesEnded,
        @Nullable Instant previousGoodRun) {

    /** The first plan of a job. */
    public static FirePlan first(@Nullable Instant fireTime, @Nullable Instant nominal, @Nullable String zoneRules) {
        return new FirePlan(fireTime, nominal, zoneRules, 0, null, 0, null);
    }

    /** Another fire is planned; attempts and verdict start anew. */
    public FirePlan moveTo(@Nullable Instant fireTime, @Nullable Instant nominal, @Nullable String rules) {
        return new FirePlan(fireTime, nominal, rules, 0, null, firesEnded, previousGoodRun);
    }

    /** One more fire has ended; {@code good} = its planned instant if it went well. */
    public FirePlan fireEnded(@Nullable Instant good) {
        return new FirePlan(
                nextFireTime,
                nominalFireTime,
                zoneRules,
                attempts,
                overThreshold,
                firesEnded + 1,
                good == null ? previousGoodRun : good);
    }

    /** One more attempt of the same fire has ended. */
    public FirePlan attemptEnded(@Nullable Duration verdict) {
        return new FirePlan(
                nextFireTime, nominalFireTime, zoneRules, attempts + 1, verdict, firesEnded, previousGoodRun);
    }
}
