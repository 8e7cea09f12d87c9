package dev.almanac.engine.run;

import dev.almanac.engine.rules.StuckDecider;
import dev.almanac.model.OpenRun;
import dev.almanac.model.StuckRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The runs that were handed to the executor and have not ended. A run whose lease is lost stays here while a thread is
 * inside its helper: it holds no slot any more, but uses a thread. Thread-safe.
 */
public final class OpenCalls {
    private static final Comparator<OpenRun> OLDEST_FIRST =
            Comparator.comparing(OpenRun::handedOver).thenComparing(OpenRun::jobSpecificationKey);

    private final Set<JobRun> open = ConcurrentHashMap.newKeySet();

    void add(JobRun run) {
        open.add(run);
    }

    void remove(JobRun run) {
        open.remove(run);
    }

    /** All of them, without stacks, oldest first. */
    public List<OpenRun> all() {
        return open.stream().map(run -> run.view(false)).sorted(OLDEST_FIRST).toList();
    }

    /** Those that are stuck, with the stacks of their threads, oldest first. */
    public List<StuckRun> stuck(Instant now, Duration patience) {
        return open.stream()
                .filter(run ->
                        StuckDecider.stuck(run.view(false), now, patience).isPresent())
                .map(run -> StuckDecider.stuck(run.view(true), now, patience))
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(StuckRun::run, OLDEST_FIRST))
                .toList();
    }
}
