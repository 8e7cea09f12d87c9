package dev.almanac.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The numeric settings of a scheduler. Immutable; {@link #defaults()} suits a service with a few
 * thousand jobs a minute.
 *
 * @param pollInterval how often an idle node looks for due jobs
 * @param lookAhead how far ahead due jobs are read into memory
 * @param lead how early a job may be claimed; it is never started early; at most 250 ms
 * @param leaseLength how long a lease lasts without renewal; two thirds of it must exceed an election of the server
 * @param skewAllowance by how much the nodes' estimates of the server's time may differ; with the lead it makes the
 *     margin of a lease
 * @param maxConcurrentRuns how many claimed runs a node may hold at a time
 * @param claimBatch how many jobs one claim may take at most
 * @param claimsInFlight how many claims a node may have in flight at a time
 * @param completionBatch how many completions one write may carry at most
 * @param completionsInFlight how many completion writes a node may have in flight at a time
 * @param stealAfter how late a job must be before a node that does not own its partition takes it
 * @param heartbeatInterval how often a node reports to the others
 * @param nodeTimeout how long a silent node counts as live; matters for preference only
 * @param clockInterval how often the offset to the server's clock is measured
 * @param clockWarning offset above which a node warns
 * @param purgeInterval how often expired documents are removed on a store that does not do so itself
 * @param replanInterval how often it is checked whether the rules of time zones have changed
 * @param abandonedLimit how many claims in a row may end without a recorded outcome before the fire fails for good, 1
 *     or more
 * @param postponeLimit how often a helper may postpone one fire; the next time counts as a failed attempt, 0 or more
 * @param pastAcceptanceWindow how far in the past a one-off may lie when it is scheduled
 * @param minPriority the most urgent priority that this node claims, 0 to 7
 * @param maxPriority the least urgent priority that this node claims, 0 to 7
 * @param autoRehydrate whether starting a node also rehydrates; otherwise it claims nothing until rehydrate() was called
 * @param watchForNewJobs whether a started node watches a change stream of the store for jobs that others store and that are
 *     due at once; needs a replica set or a sharded cluster, and one connection
 * @param requestRetention how long the rows of users' requests are kept, whatever is written after them
 * @param retentionSpread the fraction by which a retention may be lengthened at random, so that documents do not expire
 *     in bursts
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
        int minPriority,
        int maxPriority,
        boolean autoRehydrate,
        boolean watchForNewJobs,
        Duration requestRetention,
        double retentionSpread) {
    private static final Duration LONGEST_LEAD = Duration.ofMillis(250);

    /** @throws IllegalArgumentException naming every setting that is out of its range */
    public SchedulerSettings {
        List<String> wrong = new ArrayList<>();
        positive(wrong, "pollInterval", pollInterval);
        positive(wrong, "lookAhead", lookAhead);
        positive(wrong, "leaseLength", leaseLength);
        positive(wrong, "heartbeatInterval", heartbeatInterval);
        positive(wrong, "nodeTimeout", nodeTimeout);
        positive(wrong, "clockInterval", clockInterval);
        positive(wrong, "clockWarning", clockWarning);
        positive(wrong, "purgeInterval", purgeInterval);
        positive(wrong, "replanInterval", replanInterval);
        notNegative(wrong, "skewAllowance", skewAllowance);
        notNegative(wrong, "stealAfter", stealAfter);
        notNegative(wrong, "pastAcceptanceWindow", pastAcceptanceWindow);
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

    private static void positive(List<String> wrong, String name, Duration value) {
        check(wrong, !value.isNegative() && !value.isZero(), name + " " + value + " is not more than zero");
    }

    private static void notNegative(List<String> wrong, String name, Duration value) {
        check(wrong, !value.isNegative(), name + " " + value + " is negative");
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
