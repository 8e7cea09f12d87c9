package dev.almanac.testkit.time;

import dev.almanac.SchedulerBuilder;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * The clock and the threads of a node, or of several, moved by the test only: a job runs when the test advances the time
 * to its moment, one at a time. Not thread-safe.
 */
public final class VirtualTime implements AutoCloseable {
    /**
     * Settings under which a long time passes fast: a node without work does little. Jobs fire at their moments all the
     * same, since what is due soon is known ahead. A lease is longer than by default, and looked after less often.
     */
    public static final SchedulerSettings FAST = SchedulerSettings.builder()
            .pollInterval(Duration.ofSeconds(30))
            .lookAhead(Duration.ofMinutes(2))
            .leaseLength(Duration.ofMinutes(10))
            .heartbeatInterval(Duration.ofMinutes(5))
            .nodeTimeout(Duration.ofHours(1))
            .purgeInterval(Duration.ofMinutes(10))
            .build();

    private final ManualTime clock;
    private final ManualLanes lanes;
    /** Each node draws numbers of its own: its identity, tokens of leases, and ids of jobs are made of them. */
    private final SplittableRandom chance = new SplittableRandom(1);

    /** @param start what the clock shows first */
    public VirtualTime(Instant start) {
        clock = new ManualTime(start);
        lanes = new ManualLanes(clock);
    }

    /**
     * Has a scheduler run in this time: clocks, threads, executor of helpers, and chance. Its settings stay as they are. It is
     * the last call before {@code build}: an executor that is set after it would run helpers outside of this time.
     */
    public SchedulerBuilder applyTo(SchedulerBuilder builder) {
        ManualLanes.Node node = lanes.node();
        return builder.time(clock).random(chance.split()).lanes(node).executor(node::execute);
    }

    /** The clock, such as for a store in memory. */
    public TimeSource clock() {
        return clock;
    }

    /** What the clock shows. */
    public Instant now() {
        return clock.wall();
    }

    /**
     * Advances the time, and runs everything that becomes due, including what is due at the end. An exception of the
     * engine is thrown here.
     *
     * @param by zero or more
     */
    public void advance(Duration by) {
        lanes.advance(by);
    }

    /**
     * As {@link #advance}, up to an instant.
     *
     * @throws IllegalArgumentException if it lies before the present one
     */
    public void advanceTo(Instant moment) {
        advance(Duration.between(now(), moment));
    }

    /** Ends the threads of steps that wait. */
    @Override
    public void close() {
        lanes.close();
    }
}
