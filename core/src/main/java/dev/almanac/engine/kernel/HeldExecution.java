package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.BackfillOrder;
import dev.almanac.engine.rules.FireHistory;
import dev.almanac.engine.rules.RunState;
import dev.almanac.helper.Execution;
import dev.almanac.helper.JobRequests;
import dev.almanac.model.Actor;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.LogLine;
import dev.almanac.model.MissedFires;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.Progress;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A run as its helper sees it: the document at the start, and the lease as it stands. */
final class HeldExecution implements Execution {
    private static final int MOST_ROWS = 1_000;

    private final Node node;
    private final HeldJob held;
    private final StoredJob job;
    private final JobRun run;
    private final Function<String, JobRequests> requests;
    private volatile @Nullable FireHistory history;

    HeldExecution(Node node, HeldJob held, JobRun run, Function<String, JobRequests> requests) {
        this.node = node;
        this.requests = requests;
        this.held = held;
        this.job = held.job();
        this.run = run;
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
    public String commandType() {
        return held.type();
    }

    @Override
    public Instant fireTime() {
        return run.fireTime();
    }

    @Override
    public Optional<Instant> nominalFireTime() {
        return Optional.ofNullable(run.manualFire() == null ? job.plan().nominalFireTime() : null);
    }

    @Override
    public Optional<Instant> nextFireTime() {
        return run.manualFire() == null
                ? FireHistory.next(job, node.planner())
                : FireHistory.awaited(job, node.planner());
    }

    @Override
    public int recovering() {
        return history().abandoned();
    }

    @Override
    public Optional<MissedFires> missedBefore() {
        return Optional.ofNullable(run.manualFire() == null ? history().missed() : null);
    }

    @Override
    public Optional<Actor> manual() {
        return Optional.ofNullable(run.manualFire() == null ? null : history().asked());
    }

    @Override
    public boolean backfill() {
        return BackfillOrder.isBackfill(job);
    }

    /** Read once, by the first call that needs it: most runs ask for none of it. */
    private FireHistory history() {
        FireHistory known = history;
        if (known == null) {
            List<JobExecutionStatus> rows = run.manualFire() == null && FireHistory.isEmpty(job)
                    ? List.of()
                    : node.rows(job, RowQuery.ofDocument(job.id(), MOST_ROWS));
            known = FireHistory.of(job, rows, run.manualFire());
            history = known;
        }
        return known;
    }

    @Override
    public JobRequests scheduler() {
        return requests.apply(job.key());
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
        return run.overThreshold() != null;
    }

    @Override
    public Optional<Duration> overThreshold() {
        return Optional.ofNullable(run.overThreshold());
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
        return job.specification().processingContext();
    }

    @Override
    public Optional<ErrorSummary> failure() {
        return Optional.ofNullable(job.plan().failure());
    }

    @Override
    public Optional<String> traceParent() {
        return Optional.ofNullable(job.traceParent(run.manualFire()));
    }

    @Override
    public void holdUntil(CompletionStage<?> stage) {
        run.holdUntil(Objects.requireNonNull(stage, "stage"));
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

    @Override
    public void log(String text) {
        held.notes().log(new LogLine(held.now().truncatedTo(ChronoUnit.MILLIS), text));
    }
}
