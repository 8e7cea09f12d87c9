package dev.almanac.engine.rules;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.Retention;
import dev.almanac.runtime.SchedulerSettings;
import java.time.Duration;
import java.time.Instant;

/**
 * What a decision knows beside the document: when, where, and one random number.
 *
 * @param now the server's clock
 * @param node identity of this node
 * @param chance from 0 (inclusive) to 1 (exclusive)
 * @param settings the numbers of this scheduler
 * @param retention how long finished jobs are kept unless they say otherwise
 */
public record Moment(Instant now, String node, double chance, SchedulerSettings settings, Retention retention) {
    /** The same moment, or the given one if it is later. */
    public Moment notBefore(Instant earliest) {
        return now.isBefore(earliest) ? new Moment(earliest, node, chance, settings, retention) : this;
    }

    Instant goodUntil(JobSpecification job) {
        return until(of(job).good());
    }

    Instant failedUntil(JobSpecification job) {
        return until(of(job).failed());
    }

    Instant canceledUntil(JobSpecification job) {
        return until(of(job).canceled());
    }

    Instant supersededUntil(JobSpecification job) {
        return until(of(job).superseded());
    }

    private Retention of(JobSpecification job) {
        Retention own = job.retention();
        return own == null ? retention : own;
    }

    /** Spread, so that what was written together does not expire together (rule M8). */
    private Instant until(Duration kept) {
        return now.plusMillis(Math.round(kept.toMillis() * (1 + settings.retentionSpread() * chance)));
    }
}
