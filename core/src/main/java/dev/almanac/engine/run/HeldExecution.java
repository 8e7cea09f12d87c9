package dev.almanac.engine.run;

import dev.almanac.helper.Execution;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ProcessingContext;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run as its helper sees it: the document at the start, and the lease as it stands. */
final class HeldExecution implements Execution {
    private final HeldJob held;
    private final StoredJob job;
    private final boolean late;
    private final Instant fireTime;

    /** @param asked when a user asked for the run; absent = it was planned */
    HeldExecution(HeldJob held, @Nullable Instant asked, boolean late) {
        this.held = held;
        this.job = held.job();
        this.late = late;
        Instant planned = job.plan().nextFireTime();
        Instant known = planned == null ? job.lastStatus().updatedTime() : planned;
        this.fireTime = asked == null ? known : asked;
    }

    @Override
    public String jobSpecificationKey() {
        return job.key();
    }

    @Override
    public String identifier() {
        return job.commandIdentifier();
    }

    @Override
    public Instant fireTime() {
        return fireTime;
    }

    @Override
    public int attempt() {
        return job.plan().attempts() + 1;
    }

    @Override
    public Optional<Instant> previousGoodRun() {
        return Optional.ofNullable(job.plan().previousGoodRun());
    }

    @Override
    public boolean late() {
        return late;
    }

    @Override
    public long fencingToken() {
        return job.sequences().claimSeq();
    }

    @Override
    public Duration remainingLease() {
        return held.remaining();
    }

    @Override
    public void assertOwned() {
        held.assertOwned();
    }

    @Override
    public Optional<ProcessingContext> processingContext() {
        return Optional.ofNullable(job.specification().processingContext());
    }

    @Override
    public Optional<ErrorSummary> failure() {
        return Optional.ofNullable(job.plan().failure());
    }

    @Override
    public void progress(String note) {
        held.progress(note);
    }
}
