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
    private int minPriority = 0;
    private int maxPriority = 7;
    private boolean autoRehydrate = true;
    private boolean watchForNewJobs = false;
    private Duration requestRetention = Duration.ofDays(30);
    private double retentionSpread = 0.1;

    SchedulerSettingsBuilder() {}

    /** @see SchedulerSettings#pollInterval() */
    public SchedulerSettingsBuilder pollInterval(Duration pollInterval) {
        this.pollInterval = pollInterval;
        return this;
    }

    /** @see SchedulerSettings#lookAhead() */
    public SchedulerSettingsBuilder lookAhead(Duration lookAhead) {
        this.lookAhead = lookAhead;
        return this;
    }

    /** @see SchedulerSettings#lead() */
    public SchedulerSettingsBuilder lead(Duration lead) {
        this.lead = lead;
        return this;
    }

    /** @see SchedulerSettings#leaseLength() */
    public SchedulerSettingsBuilder leaseLength(Duration leaseLength) {
        this.leaseLength = leaseLength;
        return this;
    }

    /** @see SchedulerSettings#skewAllowance() */
    public SchedulerSettingsBuilder skewAllowance(Duration skewAllowance) {
        this.skewAllowance = skewAllowance;
        return this;
    }

    /** @see SchedulerSettings#maxConcurrentRuns() */
    public SchedulerSettingsBuilder maxConcurrentRuns(int maxConcurrentRuns) {
        this.maxConcurrentRuns = maxConcurrentRuns;
        return this;
    }

    /** @see SchedulerSettings#claimBatch() */
    public SchedulerSettingsBuilder claimBatch(int claimBatch) {
        this.claimBatch = claimBatch;
        return this;
    }

    /** @see SchedulerSettings#claimsInFlight() */
    public SchedulerSettingsBuilder claimsInFlight(int claimsInFlight) {
        this.claimsInFlight = claimsInFlight;
        return this;
    }

    /** @see SchedulerSettings#completionBatch() */
    public SchedulerSettingsBuilder completionBatch(int completionBatch) {
        this.completionBatch = completionBatch;
        return this;
    }

    /** @see SchedulerSettings#completionsInFlight() */
    public SchedulerSettingsBuilder completionsInFlight(int completionsInFlight) {
        this.completionsInFlight = completionsInFlight;
        return this;
    }

    /** @see SchedulerSettings#stealAfter() */
    public SchedulerSettingsBuilder stealAfter(Duration stealAfter) {
        this.stealAfter = stealAfter;
        return this;
    }

    /** @see SchedulerSettings#heartbeatInterval() */
    public SchedulerSettingsBuilder heartbeatInterval(Duration heartbeatInterval) {
        this.heartbeatInterval = heartbeatInterval;
        return this;
    }

    /** @see SchedulerSettings#nodeTimeout() */
    public SchedulerSettingsBuilder nodeTimeout(Duration nodeTimeout) {
        this.nodeTimeout = nodeTimeout;
        return this;
    }

    /** @see SchedulerSettings#clockInterval() */
    public SchedulerSettingsBuilder clockInterval(Duration clockInterval) {
        this.clockInterval = clockInterval;
        return this;
    }

    /** @see SchedulerSettings#clockWarning() */
    public SchedulerSettingsBuilder clockWarning(Duration clockWarning) {
        this.clockWarning = clockWarning;
        return this;
    }

    /** @see SchedulerSettings#replanInterval() */
    public SchedulerSettingsBuilder replanInterval(Duration replanInterval) {
        this.replanInterval = replanInterval;
        return this;
    }

    /** @see SchedulerSettings#purgeInterval() */
    public SchedulerSettingsBuilder purgeInterval(Duration purgeInterval) {
        this.purgeInterval = purgeInterval;
        return this;
    }

    /** @see SchedulerSettings#postponeLimit() */
    public SchedulerSettingsBuilder postponeLimit(int postponeLimit) {
        this.postponeLimit = postponeLimit;
        return this;
    }

    /** @see SchedulerSettings#abandonedLimit() */
    public SchedulerSettingsBuilder abandonedLimit(int abandonedLimit) {
        this.abandonedLimit = abandonedLimit;
        return this;
    }

    /** @see SchedulerSettings#pastAcceptanceWindow() */
    public SchedulerSettingsBuilder pastAcceptanceWindow(Duration pastAcceptanceWindow) {
        this.pastAcceptanceWindow = pastAcceptanceWindow;
        return this;
    }

    /** @see SchedulerSettings#minPriority() */
    public SchedulerSettingsBuilder minPriority(int minPriority) {
        this.minPriority = minPriority;
        return this;
    }

    /** @see SchedulerSettings#maxPriority() */
    public SchedulerSettingsBuilder maxPriority(int maxPriority) {
        this.maxPriority = maxPriority;
        return this;
    }

    /** @see SchedulerSettings#autoRehydrate() */
    public SchedulerSettingsBuilder autoRehydrate(boolean autoRehydrate) {
        this.autoRehydrate = autoRehydrate;
        return this;
    }

    /** @see SchedulerSettings#watchForNewJobs() */
    public SchedulerSettingsBuilder watchForNewJobs(boolean watchForNewJobs) {
        this.watchForNewJobs = watchForNewJobs;
        return this;
    }

    /** @see SchedulerSettings#requestRetention() */
    public SchedulerSettingsBuilder requestRetention(Duration requestRetention) {
        this.requestRetention = requestRetention;
        return this;
    }

    /** @see SchedulerSettings#retentionSpread() */
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
                minPriority,
                maxPriority,
                autoRehydrate,
                watchForNewJobs,
                requestRetention,
                retentionSpread);
    }
}
