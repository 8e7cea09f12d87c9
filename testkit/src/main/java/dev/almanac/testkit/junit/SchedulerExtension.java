package dev.almanac.testkit.junit;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
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
    private final Instant start;
    private final UnaryOperator<SchedulerBuilder> parts;
    private @Nullable VirtualTime time;
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
     *     The zone of jobs that name none is UTC, and its settings are {@link VirtualTime#FAST}, unless it says otherwise.
     *     Clock, threads, executor and chance are those of the test, also if it sets others
     */
    public static SchedulerExtension startingAt(Instant start, UnaryOperator<SchedulerBuilder> parts) {
        return new SchedulerExtension(start, parts);
    }

    /** For JUnit. */
    @Override
    public void beforeEach(ExtensionContext context) {
        VirtualTime fresh = new VirtualTime(start);
        time = fresh;
        scheduler = fresh.applyTo(parts.apply(Scheduler.builder()
                        .store(new InMemoryJobStore(fresh.clock()))
                        .zone(ZoneOffset.UTC)
                        .settings(VirtualTime.FAST)
                        .label("test")))
                .build()
                .start();
        fresh.advance(Duration.ZERO);
    }

    /** For JUnit. */
    @Override
    public void afterEach(ExtensionContext context) {
        if (scheduler != null) {
            scheduler.close();
        }
        if (time != null) {
            time.close();
        }
    }

    /** The node of this test; started. */
    public Scheduler scheduler() {
        return Objects.requireNonNull(scheduler, "the node is there from @BeforeEach on");
    }

    private VirtualTime time() {
        return Objects.requireNonNull(time, "the clock is there from @BeforeEach on");
    }

    /** What the clock shows. */
    public Instant now() {
        return time().now();
    }

    /**
     * Advances the time, and runs everything that becomes due, including what is due at the end. An exception of the
     * engine is thrown here.
     *
     * @param by zero or more
     */
    public void advance(Duration by) {
        time().advance(by);
    }

    /** As {@link #advance}, up to an instant, which must not lie before the current one. */
    public void advanceTo(Instant moment) {
        time().advanceTo(moment);
    }
}
