package dev.almanac.bench;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.metrics.SchedulerMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a service attaches to see its node: the metrics, all of them read once a second, and a listener of its own,
 * which counts the events and times what the metrics do with them.
 */
final class Watch implements SchedulerListener {
    private static final LongAdder EVENTS = new LongAdder();
    private static final LongAdder NANOS = new LongAdder();

    private final SchedulerMetrics metrics;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private Watch(SchedulerMetrics metrics) {
        this.metrics = metrics;
    }

    /** The node, watched until it stops. */
    static Scheduler built(SchedulerBuilder builder) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        SchedulerMetrics metrics = new SchedulerMetrics(registry);
        Watch watch = new Watch(metrics);
        Scheduler scheduler = builder.listener(watch).build();
        metrics.watch(scheduler);
        Thread reader = new Thread(() -> watch.read(registry), "bench-reader");
        reader.setDaemon(true);
        reader.start();
        return scheduler;
    }

    /** Counts from zero again. */
    static void forget() {
        EVENTS.reset();
        NANOS.reset();
    }

    /** How many events the listeners received. */
    static long events() {
        return EVENTS.sum();
    }

    /** How long the metrics took for them, including the time that they waited for a processor. */
    static long nanos() {
        return NANOS.sum();
    }

    @Override
    public void on(SchedulerEvent event) {
        long start = System.nanoTime();
        metrics.on(event);
        NANOS.add(System.nanoTime() - start);
        EVENTS.increment();
        if (event instanceof SchedulerEvent.NodeStopped) {
            stopped.countDown();
        }
    }

    private void read(SimpleMeterRegistry registry) {
        try {
            while (!stopped.await(1, TimeUnit.SECONDS)) {
                registry.getMeters().forEach(meter -> meter.measure().forEach(value -> value.getValue()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            metrics.close();
        }
    }
}
