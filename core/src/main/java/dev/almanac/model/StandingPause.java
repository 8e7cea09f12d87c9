package dev.almanac.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pause of all jobs of a kind, or of a node.
 *
 * @param scope which jobs; never a single job, whose pause is part of its own document
 * @param pause why, by whom, from when, until when
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

    /** Whether it has begun and has not ended by itself. */
    public boolean isInForce(Instant now) {
        return pause.isInForce(now);
    }

    /** From when it holds: its beginning if it was planned, else when it was asked for. */
    public Instant begins() {
        return pause.from() == null ? since : pause.from();
    }

    /** Whether it takes the place of a pause of this scope and beginning. */
    public boolean replaces(PauseScope other, @Nullable Instant from) {
        return scope.equals(other) && Objects.equals(pause.from(), from);
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
