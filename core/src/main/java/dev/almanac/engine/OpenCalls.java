package dev.almanac.engine;

import dev.almanac.model.OpenRun;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The runs that were handed to the executor and have not come to their end. A run whose time is over stays here while
 * a thread is inside its helper: it holds no slot any more, but its thread is not free. Thread-safe.
 */
final class OpenCalls {
    private final Set<JobRun> open = ConcurrentHashMap.newKeySet();

    void add(JobRun run) {
        open.add(run);
    }

    void remove(JobRun run) {
        open.remove(run);
    }

    /** Where each is now, the longest handed over first. */
    List<OpenRun> all() {
        return open.stream()
                .map(JobRun::view)
                .sorted(Comparator.comparing(OpenRun::handedOver).thenComparing(OpenRun::jobSpecificationKey))
                .toList();
    }
}
