package dev.almanac.model;

import java.time.Duration;
import java.time.Instant;

/**
 * A pause of all jobs of a kind, or of a node.
 *
 * @param scope which jobs; never a single job, whose pause is part of its own document
 * @param pause why, by whom, until when
 * @param since when it was asked for, by the server's clock
 */
public record StandingPause(PauseScope scope, Pause pause, Instant since) {
    /** How long one is stored after it has ended by itself. */
    public static final Duration KEPT = Duration.ofDays(1);

    /** @throws IllegalArgumentException if the scope is a single job */
    public StandingPause {
        if (scope instanceof PauseScope.Job) {
            throw new IllegalArgumentException("the pause of a single job is part of its document, not of its kind");
        }
    }

    /** Whether it has not ended by itself. */
    public boolean isInForce(Instant now) {
        return pause.isInForce(now);
    }

    /** Whether it is a standby of nodes, which pauses no job: other nodes run it. */
    public boolean isOfNode() {
        return scope instanceof PauseScope.Node;
    }

    /** Whether it applies to this job, as long as it is in force. */
    public boolean holds(JobSpecification job, String presentType) {
        if (scope instanceof PauseScope.Tag tag) {
            return job.tags().contains(tag.tag());
        }
        return scope instanceof PauseScope.Everything
                || scope instanceof PauseScope.CommandType type && type.type().equals(presentType);
    }
}
