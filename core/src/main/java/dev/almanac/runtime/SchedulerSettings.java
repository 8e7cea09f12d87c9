package dev.almanac.runtime;

import dev.almanac.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The numeric settings of a scheduler. Immutable; {@link #defaults()} suits a service with a few
 * thousand jobs a minute. Durations are at most 36 525 days.
 *
 * @param pollInterval how often an idle node looks for due jobs; 10 ms or more; default 1 s
 * @param lookAhead how far ahead due jobs are read into memory; more than 0; default 5 s
 * @param lead how early a job may be claimed; 0 s to 250 ms; default 250 ms. A run never starts early.
 * @param leaseLength how long a lease lasts without renewal; 1 s or more, and more than three times skewAllowance + lead;
 *     default 20 s. Six tenths of it, less {@code skewAllowance} and {@code lead}, must be longer than an election of the
 *     server.
 * @param skewAllowance the maximum difference between the nodes' estimates of the server's time; 0 s or more; default
 *     1750 ms
 * @param maxConcurrentRuns the maximum number of claims that a node holds at a time, running or about to run; 1 to
 *     100000; default 64
 * @param claimBatch the maximum number of jobs in one claim; 1 to 5000; default 500
 * @param claimsInFlight the maximum number of claim calls in flight; 1 to 16; default 2
 * @param completionBatch the maximum number of completions in one write; 1 to 5000; default 500
 * @param completionsInFlight the maximum number of completion writes in flight; 1 to 16; default 2
 * @param stealAfter how late a job must be before a node that does not prefer its partition claims it; 0 s or more;
 *     default 100 ms
 * @param heartbeatInterval how often a node writes its report; 10 ms or more; default 5 s
 * @param nodeTimeout how long a node without reports counts as live; twice heartbeatInterval or more; default 15 s; for the
 *     partitions that nodes prefer and for what nodes, consoles and the command line say of it, not for leases
 * @param clockInterval how often the offset to the server's clock is measured; 10 ms or more; default 1 m
 * @param clockWarning the offset to the server's clock above which a node is DEGRADED; more than 0; default 500 ms
 * @param purgeInterval how often expired documents are removed on a server that does not do so itself; 10 ms or
 *     more; default 30 s
 * @param replanInterval how often a node checks whether the time zone rules have changed; 10 ms or more; default 1 h
 * @param abandonedLimit how many claims in a row may end without a recorded outcome before the fire fails for good; 1
 *     to 1000; default 5
 * @param postponeLimit how often a helper may postpone one fire by a PostponeException; the next time counts as a
 *     failed attempt; 0 to 10000; default 100
 * @param pastAcceptanceWindow how far in the past the instant of a one-off may be when it is scheduled; 0 s or more;
 *     default 1 m
 * @param defaultStartDeadline the {@code startDeadline} of recurring jobs with missedFirePolicy SKIP that have none; their
 *     {@code missedFireGrace} if that is longer; more than 0; default 1 m
 * @param minPriority the most urgent priority that this node claims; 0 to 7; default 0
 * @param maxPriority the least urgent priority that this node claims; 0 to 7; default 7
 * @param autoRehydrate whether a started node begins to claim; true or false; default true. Off: it claims nothing
 *     until rehydrate() is called.
 * @param watchForNewJobs whether a node watches a change stream for jobs that others store and that are due at once;
 *     true or false; default false. Needs a replica set or a sharded cluster, and one connection.
 * @param requestRetention how long the rows of users' requests (author, reason, changes) are kept; 0 s or more;
 *     default 30 d. Later rows do not shorten this.
 * @param retentionSpread the fraction by which each retention is lengthened at random, so that documents do not
 *     expire in bursts; 0 to 1; default 0.1
 */
public record SchedulerSettings(
        Duration pollInterval,
        Duration lookAhead,
        Duration lead,
        Duration leaseLength,
        Duration skewAllowance,
        int maxConcurrentRuns,
        int claimBatch,
        int claimsInFlight,
        int completionBatch,
        int completionsInFlight,
        Duration stealAfter,
        Duration heartbeatInterval,
        Duration nodeTimeout,
        Duration clockInterval,
        Duration clockWarning,
        Duration purgeInterval,
        Duration replanInterval,
        int abandonedLimit,
        int postponeLimit,
        Duration pastAcceptanceWindow,
        Duration defaultStartDeadline,
        int minPriority,
        int maxPriority,
        boolean autoRehydrate,
        boolean watchForNewJobs,
        Duration requestRetention,
        double retentionSpread) {
    /** What comes at an interval takes some milliseconds of calls itself; a shorter one would be a loop. */
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

    /** Calls have a sixth of it. */
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    private static final Duration LONGEST_LEAD = Duration.ofMillis(250);

    /** @throws IllegalArgumentException naming every setting that is out of its range */
    public SchedulerSettings {
        List<String> wrong = new ArrayList<>();
        atLeast(wrong, "pollInterval", pollInterval, SHORTEST_INTERVAL);
        positive(wrong, "lookAhead", lookAhead);
        atLeast(wrong, "leaseLength", leaseLength, SHORTEST_LEASE);
        atLeast(wrong, "heartbeatInterval", heartbeatInterval, SHORTEST_INTERVAL);
        notTooLong(wrong, "nodeTimeout", nodeTimeout);
        check(
                wrong,
                nodeTimeout.dividedBy(2).compareTo(heartbeatInterval) >= 0,
                "nodeTimeout " + nodeTimeout + " is too short: it must be at least twice heartbeatInterval, which is "
                        + heartbeatInterval);
        atLeast(wrong, "clockInterval", clockInterval, SHORTEST_INTERVAL);
        positive(wrong, "clockWarning", clockWarning);
        atLeast(wrong, "purgeInterval", purgeInterval, SHORTEST_INTERVAL);
        atLeast(wrong, "replanInterval", replanInterval, SHORTEST_INTERVAL);
        notNegative(wrong, "skewAllowance", skewAllowance);
        notNegative(wrong, "stealAfter", stealAfter);
        notNegative(wrong, "pastAcceptanceWindow", pastAcceptanceWindow);
        positive(wrong, "defaultStartDeadline", defaultStartDeadline);
        notNegative(wrong, "lead", lead);
        notNegative(wrong, "requestRetention", requestRetention);
        check(wrong, lead.compareTo(LONGEST_LEAD) <= 0, "lead " + lead + " is more than " + LONGEST_LEAD);
        check(
                wrong,
                leaseLength.dividedBy(3).compareTo(skewAllowance.plus(lead)) > 0,
                "leaseLength " + leaseLength + " is too short: a third of it must exceed skewAllowance + lead");
        within(wrong, "maxConcurrentRuns", maxConcurrentRuns, 1, 100_000);
        within(wrong, "claimBatch", claimBatch, 1, 5_000);
        within(wrong, "claimsInFlight", claimsInFlight, 1, 16);
        within(wrong, "completionBatch", completionBatch, 1, 5_000);
        within(wrong, "completionsInFlight", completionsInFlight, 1, 16);
        within(wrong, "abandonedLimit", abandonedLimit, 1, 1_000);
        within(wrong, "postponeLimit", postponeLimit, 0, 10_000);
        within(wrong, "minPriority", minPriority, 0, 7);
        within(wrong, "maxPriority", maxPriority, minPriority, 7);
        check(
                wrong,
                retentionSpread >= 0 && retentionSpread <= 1,
                "retentionSpread " + retentionSpread + " is not within 0 to 1");
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("settings out of range: " + String.join("; ", wrong));
        }
    }

    /** The defaults. */
    public static SchedulerSettings defaults() {
        return builder().build();
    }

    /** A builder with the defaults. */
    public static SchedulerSettingsBuilder builder() {
        return new SchedulerSettingsBuilder();
    }

    /**
     * The safety margin of a lease: its holder stops trusting it this long before its end, and its successor waits this
     * long after it.
     */
    public Duration margin() {
        return skewAllowance.plus(lead);
    }

    /** Whether a node with these settings claims jobs of a priority. */
    public boolean claims(int priority) {
        return priority >= minPriority && priority <= maxPriority;
    }

    private static void atLeast(List<String> wrong, String name, Duration value, Duration least) {
        check(wrong, value.compareTo(least) >= 0, name + " " + value + " is less than " + least);
        notTooLong(wrong, name, value);
    }

    private static void positive(List<String> wrong, String name, Duration value) {
        check(wrong, !value.isZero(), name + " " + value + " is not more than zero");
        notNegative(wrong, name, value);
    }

    private static void notNegative(List<String> wrong, String name, Duration value) {
        check(wrong, !value.isNegative(), name + " " + value + " is negative");
        notTooLong(wrong, name, value);
    }

    private static void notTooLong(List<String> wrong, String name, Duration value) {
        check(
                wrong,
                value.compareTo(RetryPolicy.LONGEST) <= 0,
                name + " " + value + " is more than " + RetryPolicy.LONGEST.toDays() + " days");
    }

    private static void within(List<String> wrong, String name, int value, int least, int most) {
        check(wrong, value >= least && value <= most, name + " " + value + " is not within " + least + " to " + most);
    }

    private static void check(List<String> wrong, boolean holds, String otherwise) {
        if (!holds) {
            wrong.add(otherwise);
        }
    }
}
