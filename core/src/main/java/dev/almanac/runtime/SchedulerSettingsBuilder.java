package dev.almanac.runtime;

import java.time.Duration;

/** Collects {@link SchedulerSettings}, from the defaults. Not thread-safe. */
public final class SchedulerSettingsBuilder {
    private Duration pollInterval = Duration.ofSeconds(1);
    private Duration lookAhead = Duration.ofSeconds(5);
    private Duration lead = Duration.ofMillis(250);
    private Duration leaseLength = Duration.ofSeconds(20);
    private Duration skewAllowance = Duration.ofMillis(1750);
    private int maxConcurrentRuns = 64;
    private int claimBatch = 500;
    private int claimsInFlight = 2;
    private int completionBatch = 500;
    private int completionsInFlight = 2;
    private Duration stealAfter = Duration.ofMillis(100);
    private Duration heartbeatInterval = Duration.ofSeconds(5);
    private Duration nodeTimeout = Duration.ofSeconds(15);
    private Duration clockInterval = Duration.ofMinutes(1);
    private Duration clockWarning = Duration.ofMillis(500);
    private Duration purgeInterval = Duration.ofSeconds(30);
    private Duration replanInterval = Duration.ofHours(1);
    private int abandonedLimit = 5;
    private int postponeLimit = 100;
    private Duration pastAcceptanceWindow = Duration.ofMinutes(1);
    private Duration defaultStartDeadline = Duration.ofMinutes(1);
    private int minPriority = 0;
    private int maxPriority = 7;
    private boolean autoRehydrate = true;
    private boolean watchForNewJobs = false;
    private Duration requestRetention = Duration.ofDays(30);
    private double retentionSpread = 0.1;

    SchedulerSettingsBuilder() {}

    /** How often an idle node looks for due jobs; 10 ms or more; default 1 s. */
    public SchedulerSettingsBuilder pollInterval(Duration pollInterval) {
        this.pollInterval = pollInterval;
        return this;
    }

    /** How far ahead due jobs are read into memory; more than 0; default 5 s. */
    public SchedulerSettingsBuilder lookAhead(Duration lookAhead) {
        this.lookAhead = lookAhead;
        return this;
    }

    /** How early a job may be claimed; 0 s to 250 ms; default 250 ms. A run never starts early. */
    public SchedulerSettingsBuilder lead(Duration lead) {
        this.lead = lead;
        return this;
    }

    /**
     * How long a lease lasts without renewal; 1 s or more, and more than three times skewAllowance + lead; default 20 s.
     * Six tenths of it, less {@code skewAllowance} and {@code lead}, must be longer than an election of the server.
     */
    public SchedulerSettingsBuilder leaseLength(Duration leaseLength) {
        this.leaseLength = leaseLength;
        return this;
    }

    /** The maximum difference between the nodes' estimates of the server's time; 0 s or more; default 1750 ms. */
    public SchedulerSettingsBuilder skewAllowance(Duration skewAllowance) {
        this.skewAllowance = skewAllowance;
        return this;
    }

    /** The maximum number of claims that a node holds at a time, running or about to run; 1 to 100000; default 64. */
    public SchedulerSettingsBuilder maxConcurrentRuns(int maxConcurrentRuns) {
        this.maxConcurrentRuns = maxConcurrentRuns;
        return this;
    }

    /** The maximum number of jobs in one claim; 1 to 5000; default 500. */
    public SchedulerSettingsBuilder claimBatch(int claimBatch) {
        this.claimBatch = claimBatch;
        return this;
    }

    /** The maximum number of claim calls in flight; 1 to 16; default 2. */
    public SchedulerSettingsBuilder claimsInFlight(int claimsInFlight) {
        this.claimsInFlight = claimsInFlight;
        return this;
    }

    /** The maximum number of completions in one write; 1 to 5000; default 500. */
    public SchedulerSettingsBuilder completionBatch(int completionBatch) {
        this.completionBatch = completionBatch;
        return this;
    }

    /** The maximum number of completion writes in flight; 1 to 16; default 2. */
    public SchedulerSettingsBuilder completionsInFlight(int completionsInFlight) {
        this.completionsInFlight = completionsInFlight;
        return this;
    }

    /**
     * How late a job must be before a node that does not prefer its partition claims it; 0 s or more; default
     * 100 ms.
     */
    public SchedulerSettingsBuilder stealAfter(Duration stealAfter) {
        this.stealAfter = stealAfter;
        return this;
    }

    /** How often a node writes its report; 10 ms or more; default 5 s. */
    public SchedulerSettingsBuilder heartbeatInterval(Duration heartbeatInterval) {
        this.heartbeatInterval = heartbeatInterval;
        return this;
    }

    /**
     * How long a node without reports counts as live; twice heartbeatInterval or more; default 15 s. It is for the
     * partitions that nodes prefer and for what nodes, consoles and the command line say of it, not for leases.
     */
    public SchedulerSettingsBuilder nodeTimeout(Duration nodeTimeout) {
        this.nodeTimeout = nodeTimeout;
        return this;
    }

    /** How often the offset to the server's clock is measured; 10 ms or more; default 1 m. */
    public SchedulerSettingsBuilder clockInterval(Duration clockInterval) {
        this.clockInterval = clockInterval;
        return this;
    }

    /** The offset to the server's clock above which a node is DEGRADED; more than 0; default 500 ms. */
    public SchedulerSettingsBuilder clockWarning(Duration clockWarning) {
        this.clockWarning = clockWarning;
        return this;
    }

    /** How often a node checks whether the time zone rules have changed; 10 ms or more; default 1 h. */
    public SchedulerSettingsBuilder replanInterval(Duration replanInterval) {
        this.replanInterval = replanInterval;
        return this;
    }

    /** How often expired documents are removed on a server that does not do so itself; 10 ms or more; default 30 s. */
    public SchedulerSettingsBuilder purgeInterval(Duration purgeInterval) {
        this.purgeInterval = purgeInterval;
        return this;
    }

    /**
     * How often a helper may postpone one fire by a PostponeException; the next time counts as a failed attempt;
     * 0 to 10000; default 100.
     */
    public SchedulerSettingsBuilder postponeLimit(int postponeLimit) {
        this.postponeLimit = postponeLimit;
        return this;
    }

    /**
     * How many claims in a row may end without a recorded outcome before the fire fails for good; 1 to 1000;
     * default 5.
     */
    public SchedulerSettingsBuilder abandonedLimit(int abandonedLimit) {
        this.abandonedLimit = abandonedLimit;
        return this;
    }

    /** How far in the past the instant of a one-off may be when it is scheduled; 0 s or more; default 1 m. */
    public SchedulerSettingsBuilder pastAcceptanceWindow(Duration pastAcceptanceWindow) {
        this.pastAcceptanceWindow = pastAcceptanceWindow;
        return this;
    }

    /**
     * The {@code startDeadline} of recurring jobs with missedFirePolicy SKIP that have none; their {@code
     * missedFireGrace} if that is longer; more than 0; default 1 m.
     */
    public SchedulerSettingsBuilder defaultStartDeadline(Duration defaultStartDeadline) {
        this.defaultStartDeadline = defaultStartDeadline;
        return this;
    }

    /** The most urgent priority that this node claims; 0 to 7; default 0. */
    public SchedulerSettingsBuilder minPriority(int minPriority) {
        this.minPriority = minPriority;
        return this;
    }

    /** The least urgent priority that this node claims; 0 to 7; default 7. */
    public SchedulerSettingsBuilder maxPriority(int maxPriority) {
        this.maxPriority = maxPriority;
        return this;
    }

    /**
     * Whether a started node begins to claim; true or false; default true. Off: it claims nothing until
     * rehydrate() is called.
     */
    public SchedulerSettingsBuilder autoRehydrate(boolean autoRehydrate) {
        this.autoRehydrate = autoRehydrate;
        return this;
    }

    /**
     * Whether a node watches a change stream for jobs that others store and that are due at once; true or false;
     * default false. Needs a replica set or a sharded cluster, and one connection.
     */
    public SchedulerSettingsBuilder watchForNewJobs(boolean watchForNewJobs) {
        this.watchForNewJobs = watchForNewJobs;
        return this;
    }

    /**
     * How long the rows of users' requests (author, reason, changes) are kept; 0 s or more; default 30 d. Later
     * rows do not shorten this.
     */
    public SchedulerSettingsBuilder requestRetention(Duration requestRetention) {
        this.requestRetention = requestRetention;
        return this;
    }

    /**
     * The fraction by which each retention is lengthened at random, so that documents do not expire in bursts; 0
     * to 1; default 0.1.
     */
    public SchedulerSettingsBuilder retentionSpread(double retentionSpread) {
        this.retentionSpread = retentionSpread;
        return this;
    }

    /** The settings.
     *
     * @throws IllegalArgumentException naming every setting that is out of its range
     */
    public SchedulerSettings build() {
        return new SchedulerSettings(
                pollInterval,
                lookAhead,
                lead,
                leaseLength,
                skewAllowance,
                maxConcurrentRuns,
                claimBatch,
                claimsInFlight,
                completionBatch,
                completionsInFlight,
                stealAfter,
                heartbeatInterval,
                nodeTimeout,
                clockInterval,
                clockWarning,
                purgeInterval,
                replanInterval,
                abandonedLimit,
                postponeLimit,
                pastAcceptanceWindow,
                defaultStartDeadline,
                minPriority,
                maxPriority,
                autoRehydrate,
                watchForNewJobs,
                requestRetention,
                retentionSpread);
    }
}
