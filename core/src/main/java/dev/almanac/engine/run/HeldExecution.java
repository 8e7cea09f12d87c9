package dev.almanac.engine.run;

import dev.almanac.engine.rules.RunState;
import dev.almanac.helper.Execution;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.Progress;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A run as its helper sees it: the document at the start, and the lease as it stands. */
final class HeldExecution implements Execution {
    private final HeldJob held;
    private final StoredJob job;
    private final JobRun run;
    private final Instant fireTime;

    HeldExecution(HeldJob held, JobRun run) {
        this.held = held;
        this.job = held.job();
        this.run = run;
        Instant planned = job.plan().nextFireTime();
        Instant known = planned == null ? job.lastStatus().updatedTime() : planned;
        Instant asked = run.wished();
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
        return run.isLate();
    }

    @Override
    public long fencingNumber() {
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
    public void holdUntil(CompletionStage<?> stage) {
        run.holdUntil(stage);
    }

    @Override
    public Map<String, Object> state() {
        Map<String, Object> set = held.notes().state();
        return set == null ? job.state() : set;
    }

    @Override
    public void setState(Map<String, ?> state) {
        Map<String, Object> copy = RunState.copyOf(state);
        run.whileOpen(() -> held.notes().state(copy));
    }

    @Override
    public void progress(long done, long total, String message) {
        held.notes().progress(new Progress(done, total, message, held.now().truncatedTo(ChronoUnit.MILLIS)));
    }
}
