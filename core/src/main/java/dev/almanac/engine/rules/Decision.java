package dev.almanac.engine.rules;

import dev.almanac.store.JobChange;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is to be done with a claimed job, decided from its document alone. */
public sealed interface Decision {
    /** For how long a node does not try again a job that it cannot run, so that other nodes get it first (rule X6). */
    Duration LEFT_TO_OTHERS = Duration.ofSeconds(30);

    /**
     * Run it.
     *
     * @param at not before this instant
     * @param manual whether a user requested the run, and not the plan
     */
    record Start(Instant at, boolean manual) implements Decision {}

    /** Write this change, which keeps the lease, then decide again on the resulting document. */
    record Prepare(JobChange change) implements Decision {
        /** Whether it writes that a run begins under this claim (rule R7), so that the start comes next. */
        public boolean isMark() {
            long before = change.before().sequences().startedSeq();
            long after = change.after().sequences().startedSeq();
            return after > before && after == change.after().sequences().claimSeq();
        }
    }

    /** Write this change, which ends the claim without a run. */
    record Settle(JobChange change) implements Decision {}

    /** Store the follow-ups of the run that has ended, then complete the job; nothing is run. */
    record Follow() implements Decision {}

    /**
     * Release the claim and leave the job alone for a while: this node lacks something that others may have.
     *
     * @param reason what this node lacks
     * @param pause how long this node does not try again
     * @param failure what code of the service has thrown, such as a calendar; absent = nothing
     */
    record Release(String reason, Duration pause, @Nullable RuntimeException failure) implements Decision {
        Release(String reason, Duration pause) {
            this(reason, pause, null);
        }
    }
}
