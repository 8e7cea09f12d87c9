package dev.almanac.helper;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ProcessingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One run, as its helper sees it. Thread-safe; of use until the run's stage has ended. */
public interface Execution {
    /** The key of the job. */
    String jobSpecificationKey();

    /** The job's {@code triggerIdentifier}, or its {@code failureIdentifier} if this runs the failure command. */
    String identifier();

    /** The planned instant of this fire. */
    Instant fireTime();

    /** 1 for the first attempt, 2 for the first retry. */
    int attempt();

    /** Planned instant of the job's last fire that went well. */
    Optional<Instant> previousGoodRun();

    /** Whether the run was handed to {@code lateExecute}. */
    boolean late();

    /**
     * Rises with each claim of the job. A resource that keeps the highest number it has seen, and refuses lower ones,
     * is safe from a run whose node was cut off and does not know yet that it lost its lease.
     */
    long fencingToken();

    /** How long the lease is certain to hold without a further renewal; zero if it is lost. */
    Duration remainingLease();

    /**
     * Returns if this node still holds the lease.
     *
     * @throws LeaseLostException otherwise: stop, another node may be running the job
     */
    void assertOwned();

    /** Why the fire failed for good, if this runs its failure command; empty for every other run. */
    default Optional<ErrorSummary> failure() {
        return Optional.empty();
    }

    /** The job's business context. */
    Optional<ProcessingContext> processingContext();

    /**
     * Says that work of this run goes on until a stage is completed, however it is. The lease is held until then, and
     * nothing of the job or its exclusive group is started: neither a retry nor the next fire. Needed for work that goes
     * on after the run's own stage is completed or cancelled, as {@code CompletableFuture.supplyAsync} does; that stage
     * is not cancelled.
     *
     * @throws IllegalStateException if the run has ended already
     */
    void holdUntil(CompletionStage<?> stage);

    /** Notes how far the run is, for people who look at it; kept in memory and shown with the running job. */
    void progress(String note);
}
