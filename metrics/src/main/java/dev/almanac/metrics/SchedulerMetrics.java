package dev.almanac.metrics;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Feeds a Micrometer registry from a scheduler's events: {@code builder.listener(new SchedulerMetrics(registry))}. All
 * names begin with {@code almanac.}; durations are timers. Thread-safe.
 */
public final class SchedulerMetrics implements SchedulerListener {
    private final MeterRegistry registry;
    private final AtomicLong clockOffsetMillis;

    /** @param registry where the meters are registered */
    public SchedulerMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.clockOffsetMillis = registry.gauge("almanac.clock.offset.ms", new AtomicLong());
    }

    @Override
    public void on(SchedulerEvent event) {
        if (event instanceof SchedulerEvent.JobEvent job) {
            onJob(job);
        } else if (event instanceof SchedulerEvent.BatchClaimed claimed) {
            batch("almanac.claim", claimed.took(), claimed.claimed());
        } else if (event instanceof SchedulerEvent.BatchWritten written) {
            batch("almanac.completion", written.took(), written.changes());
        } else if (event instanceof SchedulerEvent.LeasesRenewed renewed) {
            batch("almanac.renewal", renewed.took(), renewed.held());
        } else if (event instanceof SchedulerEvent.ClockMeasured clock) {
            clockOffsetMillis.set(clock.offset().toMillis());
        } else if (event instanceof SchedulerEvent.StoreUnreachable) {
            count("almanac.store.unreachable");
        }
    }

    private void onJob(SchedulerEvent.JobEvent event) {
        if (event instanceof SchedulerEvent.RunStarted run) {
            Timer.builder("almanac.lateness")
                    .publishPercentileHistogram()
                    .register(registry)
                    .record(run.lateness());
        } else if (event instanceof SchedulerEvent.RunEnded run) {
            registry.timer("almanac.run", "type", run.type(), "good", String.valueOf(run.good()))
                    .record(run.duration());
        } else if (event instanceof SchedulerEvent.RunRecorded run) {
            count(
                    "almanac.outcome",
                    "type",
                    run.type(),
                    "outcome",
                    run.row().outcome().name());
        } else if (event instanceof SchedulerEvent.FiresMissed missed) {
            registry.counter("almanac.fires.missed").increment(missed.missed().count());
        } else {
            changed(event);
        }
    }

    private void changed(SchedulerEvent.JobEvent event) {
        if (event instanceof SchedulerEvent.JobScheduled) {
            count("almanac.jobs.scheduled");
        } else if (event instanceof SchedulerEvent.JobUpdated) {
            count("almanac.jobs.updated");
        } else if (event instanceof SchedulerEvent.JobCanceled) {
            count("almanac.jobs.canceled");
        } else if (event instanceof SchedulerEvent.LeaseLost) {
            count("almanac.leases.lost");
        } else if (event instanceof SchedulerEvent.RunRecovered) {
            count("almanac.runs.recovered");
        } else if (event instanceof SchedulerEvent.HandedBack) {
            count("almanac.claims.handed.back");
        } else if (event instanceof SchedulerEvent.JobSetAside) {
            count("almanac.jobs.set.aside");
        }
    }

    private void batch(String name, Duration took, int size) {
        registry.timer(name).record(took);
        DistributionSummary.builder(name + ".batch").register(registry).record(size);
    }

    private void count(String name, String... tags) {
        registry.counter(name, tags).increment();
    }
}
