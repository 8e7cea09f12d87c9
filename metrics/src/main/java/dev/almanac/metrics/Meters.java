package dev.almanac.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Registers meters, all with the tags of this scheduler, and takes them away again. After that none comes back: the registry
 * may belong to another scheduler by then. Thread-safe.
 */
final class Meters {
    private static final Duration[] STEPS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofMinutes(5),
        Duration.ofHours(1)
    };

    private final MeterRegistry registry;
    private final Tags tags;
    /** Where meters are registered after the end. It has no registry below it, so they count nothing. */
    private final MeterRegistry nowhere = new CompositeMeterRegistry();

    /** Guarded by this. */
    private final List<Meter> registered = new ArrayList<>();

    private volatile boolean closed;

    Meters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
    }

    Counter counter(String name, String description, String... more) {
        return kept(Counter.builder(name).description(description).tags(tags.and(more))::register);
    }

    Timer timer(String name, String description, String... more) {
        return kept(Timer.builder(name).description(description).tags(tags.and(more))::register);
    }

    /** With a fixed number of buckets, from a millisecond to an hour. */
    Timer distribution(String name, String description) {
        return kept(Timer.builder(name).description(description).tags(tags).serviceLevelObjectives(STEPS)::register);
    }

    DistributionSummary summary(String name, String description) {
        return kept(DistributionSummary.builder(name).description(description).tags(tags)::register);
    }

    void gauge(String name, @Nullable String unit, String description, Supplier<Number> value) {
        kept(Gauge.builder(name, value).baseUnit(unit).description(description).tags(tags)::register);
    }

    long nanos() {
        return registry.config().clock().monotonicTime();
    }

    /** Whether the meters are taken away. */
    boolean isClosed() {
        return closed;
    }

    synchronized void removeAll() {
        closed = true;
        registered.forEach(registry::remove);
        registered.clear();
    }

    private synchronized <M extends Meter> M kept(Function<MeterRegistry, M> register) {
        if (closed) {
            return register.apply(nowhere);
        }
        M meter = register.apply(registry);
        registered.add(meter);
        return meter;
    }
}
