package dev.almanac.engine.kernel;

import dev.almanac.engine.rules.StuckDecider;
import dev.almanac.model.OpenRun;
import dev.almanac.model.StuckRun;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The runs that were handed to the executor and have not ended. A run whose lease is lost stays here while a thread is
 * inside its helper: it holds no slot any more, but uses a thread. Thread-safe.
 */
public final class OpenCalls {
    private static final Comparator<OpenRun> OLDEST_FIRST =
            Comparator.comparing(OpenRun::handedOver).thenComparing(OpenRun::jobSpecificationKey);

    private final Set<JobRun> open = ConcurrentHashMap.newKeySet();
    /** Those of them whose lease has expired. */
    private final Set<JobRun> lost = ConcurrentHashMap.newKeySet();

    void add(JobRun run) {
        open.add(run);
    }

    void remove(JobRun run) {
        open.remove(run);
        lost.remove(run);
    }

    /** The lease of the run has expired, and its code goes on, unless it has just ended. */
    void lose(JobRun run) {
        lost.add(run);
        if (!open.contains(run)) {
            lost.remove(run);
        }
    }

    /** The jobs whose code goes on although their lease has expired, as they were then. */
    public List<StoredJob> lost() {
        return lost.isEmpty()
                ? List.of()
                : lost.stream().map(run -> run.held().job()).toList();
    }

    /** Those whose lease is lost, as those that were released by force. */
    List<JobRun> lostRuns() {
        return open.stream()
                .filter(run -> run.held().state() == HeldJob.State.OVER)
                .toList();
    }

    /** All of them at this moment. */
    List<JobRun> runs() {
        return List.copyOf(open);
    }

    /** All of them, without stacks, oldest first. */
    public List<OpenRun> all() {
        return open.stream().map(run -> run.view(false)).sorted(OLDEST_FIRST).toList();
    }

    /**
     * Those that are stuck, with the stacks of their threads, oldest first; and the claims that are held without a call
     * for too long, such as for a calendar that does not return.
     */
    public List<StuckRun> stuck(HeldJobs held, Instant now, Duration patience) {
        Stream<StuckRun> calls = open.stream()
                .filter(run ->
                        StuckDecider.stuck(run.view(false), now, patience).isPresent())
                .map(run -> StuckDecider.stuck(run.view(true), now, patience))
                .flatMap(Optional::stream);
        Set<HeldJob> called = open.stream().map(JobRun::held).collect(Collectors.toSet());
        Stream<StuckRun> others = held.all().stream()
                .filter(job -> !called.contains(job))
                .map(HeldJob::withoutCall)
                .flatMap(Optional::stream)
                .map(run -> StuckDecider.stuck(run, now, patience))
                .flatMap(Optional::stream);
        return Stream.concat(calls, others)
                .sorted(Comparator.comparing(StuckRun::run, OLDEST_FIRST))
                .toList();
    }
}
