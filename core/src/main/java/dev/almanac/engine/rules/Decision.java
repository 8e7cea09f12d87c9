package dev.almanac.engine.rules;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is to be done with a claimed job, decided from its document alone. */
public sealed interface Decision {
    /**
     * Run it.
     *
     * @param at not before this instant
     * @param manual because a user asked for a run now, not because of the plan
     */
    record Start(Instant at, boolean manual) implements Decision {}

    /** Write this, which keeps the lease, then decide again on the document that results. */
    record Prepare(JobChange change) implements Decision {}

    /** Write this, which ends the claim without a run. */
    record Settle(JobChange change) implements Decision {}

    /**
     * Store the follow-ups of the run that has ended, then write what follows; nothing is run.
     *
     * @param word the row in which an abandoned claim told that end; absent = none is known
     */
    record Follow(@Nullable JobExecutionStatus word) implements Decision {}

    /**
     * Give the claim back untouched and leave the job alone for a while: others may know what this node does not.
     *
     * @param reason what is lacking here
     * @param pause how long this node does not try again
     */
    record HandBack(String reason, Duration pause) implements Decision {}
}
