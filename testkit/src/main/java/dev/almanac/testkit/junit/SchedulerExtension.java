package dev.almanac.testkit.junit;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A JUnit extension that owns a node for each test: started before it, closed after it, on a store in memory, with a
 * clock that moves only when the test advances it. Helpers are called one at a time, exactly at their fire times, so
 * that each run of a test is the same. To be registered by {@code @RegisterExtension} in a field that is not static.
 * Not thread-safe: one test at a time.
 */
public final class SchedulerExtension implements BeforeEachCallback, AfterEachCallback {
    /** Jobs fire at their moments all the same: what is due soon is known ahead. */
    private static final SchedulerSettings UNHURRIED = SchedulerSettings.builder()
            .pollInterval(Duration.ofSeconds(30))
            .lookAhead(Duration.ofMinutes(2))
            .heartbeatInterval(Duration.ofMinutes(5))
            .nodeTimeout(Duration.ofHours(1))
            .build();

    private final Instant start;
    private final UnaryOperator<SchedulerBuilder> parts;
    private @Nullable ManualTime time;
    private @Nullable ManualLanes lanes;
    private @Nullable Scheduler scheduler;

    private SchedulerExtension(Instant start, UnaryOperator<SchedulerBuilder> parts) {
        this.start = start;
        this.parts = parts;
    }

    /**
     * A node whose tests begin at a moment.
     *
     * @param start what the clock shows when a test begins
     * @param parts sets the service's commands, helpers, calendars and settings on the builder; called for each test.
     *     The zone of jobs that name none is UTC, and an idle node looks for jobs each 30 s, so that a long time passes
     *     fast, unless it says otherwise
     */
    public static SchedulerExtension startingAt(Instant start, UnaryOperator<SchedulerBuilder> parts) {
        return new SchedulerExtension(start, parts);
    }

    /** For JUnit. */
    @Override
    public void beforeEach(ExtensionContext context) {
        ManualTime clock = new ManualTime(start);
        ManualLanes steps = new ManualLanes(clock);
        ManualLanes.Node node = steps.node();
        time = clock;
        lanes = steps;
        scheduler = parts.apply(Scheduler.builder()
                        .store(new InMemoryJobStore(clock))
                        .time(clock)
                        .zone(ZoneOffset.UTC)
                        .random(new SplittableRandom(1))
                        .lanes(node)
                        .executor(node::execute)
                        .settings(UNHURRIED)
                        .label("test"))
                .build()
                .start();
        steps.advance(Duration.ZERO);
    }

    /** For JUnit. */
    @Override
    public void afterEach(ExtensionContext context) {
        if (scheduler != null) {
            scheduler.close();
        }
        if (lanes != null) {
            lanes.close();
        }
    }

    /** The node of this test; started. */
    public Scheduler scheduler() {
        return Objects.requireNonNull(scheduler, "the node is there from @BeforeEach on");
    }

    /** What the clock shows. */
    public Instant now() {
        return Objects.requireNonNull(time, "the clock is there from @BeforeEach on")
                .wall();
    }

    /**
     * Advances the time, and runs everything that becomes due, including what is due at the end. An exception of the
     * engine is thrown here.
     *
     * @param duration zero or more
     */
    public void pass(Duration duration) {
        Objects.requireNonNull(lanes, "the clock is there from @BeforeEach on").advance(duration);
    }

    /** As {@link #pass}, up to an instant, which must not lie before the current one. */
    public void passTo(Instant moment) {
        pass(Duration.between(now(), moment));
    }
}
