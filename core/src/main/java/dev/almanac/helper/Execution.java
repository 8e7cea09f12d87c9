package dev.almanac.helper;

import dev.almanac.model.Actor;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.MissedFires;
import dev.almanac.model.ProcessingContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One run, as its helper sees it. Thread-safe; usable until the run's stage has ended. */
public interface Execution {
    /** The key of the job. */
    String jobSpecificationKey();

    /** The job's {@code triggerIdentifier}, or its {@code failureIdentifier} if this runs the failure command. */
    String identifier();

    /** The name of the command's type, as the database has it. */
    String commandType();

    /** The planned instant of this fire; of a manual run when it was requested. */
    Instant fireTime();

    /** The planned instant before a calendar has moved it; empty if none has, and for a manual run. */
    Optional<Instant> nominalFireTime();

    /**
     * The planned fire that follows this run, as far as it is known by now; empty if none is left, or if it is counted from
     * the end of this run. A retry may come before it.
     */
    Optional<Instant> nextFireTime();

    /** 1 for the first attempt, 2 for the first retry. */
    int attempt();

    /**
     * How many claims of this fire were abandoned, as by a node that died or was shut down; 0 = none. Then part of its work
     * may be done already. Asks the store, if needed, as {@link #missedBefore} and {@link #manual} do, which throws a
     * {@link dev.almanac.store.StoreException} if it does not answer.
     */
    int recovering();

    /**
     * The fires that have passed without a run since the one before this: the first and the last of them, and how many; empty
     * if there were none, and for a manual run. The reason is that of the newest. Fires that a calendar excludes are no
     * missed fires.
     */
    Optional<MissedFires> missedBefore();

    /** Who has requested this run, and why; empty if it was planned. */
    Optional<Actor> manual();

    /** Whether this runs a past fire once more, as part of a backfill. */
    boolean backfill();

    /** Planned instant of the job's last fire that succeeded. */
    Optional<Instant> previousGoodRun();

    /** Whether the run was handed to {@code lateExecute}. */
    boolean late();

    /** By how much the first start of this fire exceeded its time plus {@code lateExecutionThreshold}; empty if it is not late. */
    Optional<Duration> overThreshold();

    /**
     * Rises with each claim of one job. A key that is scheduled again after its job has ended begins at 1 again: there compare
     * {@link #fireTime} first. After a restore of the database from a backup the number goes back. A resource that remembers
     * the highest number of a job and refuses lower ones is safe from a run whose node was cut off and has not noticed yet that
     * its lease is lost.
     */
    long fencingNumber();

    /**
     * How long the lease is certain to hold without a further renewal; zero if it is lost or the run has ended, and also
     * from the moment at which the wall clock was set, or the machine was suspended, until the server's time is measured
     * again, about a second later. Does not wait for the server.
     */
    Duration remainingLease();

    /**
     * Returns if the run has not ended and this node still holds the lease. If the wall clock was set, or the machine was
     * suspended, and the server's time was not measured since, this asks the server for it; without an answer the lease
     * counts as lost. A machine whose wall clock and monotonic clock stood still together cannot know that: see
     * {@link #fencingNumber}.
     *
     * @throws LeaseLostException otherwise: stop, another node may be running the job
     */
    void assertOwned();

    /** Why the fire failed for good, if this runs its failure command; empty for every other run. */
    default Optional<ErrorSummary> failure() {
        return Optional.empty();
    }

    /**
     * The span in which the job was stored or changed last, or this run was requested, as a {@code traceparent} of W3C Trace
     * Context (rule S9); empty if that happened in none, or the service does not tell it: see {@code SchedulerBuilder.traceParent}.
     */
    default Optional<String> traceParent() {
        return Optional.empty();
    }

    /**
     * The scheduler of this node, for requests of this run: their author is {@code job KEY}. They take effect at once and stay,
     * however the run ends; a key that is made of the fire keeps a run that is repeated from scheduling a second job.
     */
    JobRequests scheduler();

    /** The job's business context. */
    Optional<ProcessingContext> processingContext();

    /**
     * Extends the run until a stage is completed, normally or not. Until then the lease is held, and neither a retry,
     * nor the next fire, nor another job in the same slot of its exclusive group is started. Needed for work that
     * continues after the run's own stage is completed or cancelled, as {@code CompletableFuture.supplyAsync} does;
     * that stage is not cancelled.
     *
     * @throws IllegalStateException if the run has ended already
     */
    void holdUntil(CompletionStage<?> stage);

    /**
     * The state that the last run or attempt of the job has saved, or that {@link #setState} has set in this run; empty
     * if none. Unmodifiable; made of text, {@code Integer}, {@code Long}, {@code Double}, {@code BigDecimal}, booleans,
     * lists, maps and null. Each job has a state of its own: the jobs of a backfill begin without one.
     */
    Map<String, Object> state();

    /**
     * Sets the state for the next run, replacing the one before. It is saved with the end of this run, however it ends,
     * in the same guarded write: a run whose node dies, or that has lost its lease, saves nothing. An empty map removes
     * it.
     *
     * @param state text, numbers, booleans, lists, maps with texts as keys, which have no dot and do not begin with a
     *     dollar sign, and null; copied at once; at most 16 kB when stored
     * @throws IllegalArgumentException if it contains another type, cannot be stored, or is too large; the message
     *     names the place
     * @throws IllegalStateException if the run has ended already
     */
    void setState(Map<String, ?> state);

    /**
     * Reports the progress of the run, for people who look at the job. It is saved by renewals of the lease, at most
     * every 2 s, so it may be called as often as needed. The last message stays on the row of the run, as its note.
     *
     * @param done how much is done, 0 or more
     * @param total how much there is in all; 0 = not known
     * @param message a sentence, cut to 200 characters; may be empty
     * @throws IllegalArgumentException if a number is negative
     */
    void progress(long done, long total, String message);

    /** As {@link #progress(long, long, String)}, without a count. */
    default void progress(String message) {
        progress(0, 0, message);
    }

    /**
     * Adds a line to the log of this run, for people who look at it later. The newest 50 lines are written with the row of
     * its end; a run whose node dies or that loses its lease leaves none. May be called from any thread; a line after the
     * end is dropped.
     *
     * @param text a sentence, cut to 500 characters
     */
    void log(String text);
}
