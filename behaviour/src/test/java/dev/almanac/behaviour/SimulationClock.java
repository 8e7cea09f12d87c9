package dev.almanac.behaviour;

import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Set;

/**
 * Clocks that do not count the time which claims and renewals take. To a node that has them, the moment at which it
 * sent one of them is the moment of the reply. Both clocks alike: a node notices when they disagree.
 */
final class SimulationClock implements TimeSource {
    private final TimeSource clock;
    private long lag;

    SimulationClock(TimeSource clock) {
        this.clock = clock;
    }

    /** The store, as the node with this clock is to see it. */
    JobStore over(JobStore store) {
        return StoreHook.over(JobStore.class, store, (method, arguments, call) -> {
            long sent = clock.nanos();
            try {
                return call.proceed();
            } finally {
                lag += Set.of("claim", "renew").contains(method) ? clock.nanos() - sent : 0;
            }
        });
    }

    @Override
    public Instant wall() {
        return clock.wall().minusNanos(lag);
    }

    @Override
    public long nanos() {
        return clock.nanos() - lag;
    }

    @Override
    public ZoneId zone() {
        return clock.zone();
    }
}
