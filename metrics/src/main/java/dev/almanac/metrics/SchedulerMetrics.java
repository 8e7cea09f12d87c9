package dev.almanac.metrics;

import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Feeds a Micrometer registry from a scheduler's events, {@code builder.listener(metrics)}, and from its state,
 * {@code metrics.watch(scheduler)}. All names begin with {@code almanac.}; docs/metrics.md lists them. Of a job only the
 * name of its command type becomes a tag, of at most 100 types. Thread-safe.
 */
public final class SchedulerMetrics implements SchedulerListener, AutoCloseable {
    private final Meters meters;
    private final Executor executor;
    private final RunMeters runs;
    private final StoreMeters store;
    private final JobMeters jobs;
    private final Queue<BacklogWatch<?>> watches = new ConcurrentLinkedQueue<>();
    private volatile boolean claiming;

    /** @param registry where the meters are registered, at once but for those with tags of jobs */
    public SchedulerMetrics(MeterRegistry registry) {
        this(registry, Tags.empty());
    }

    /**
     * @param registry where the meters are registered
     * @param tags of every meter; distinguish several schedulers in one registry
     */
    public SchedulerMetrics(MeterRegistry registry, Tags tags) {
        this(registry, tags, SchedulerMetrics::onThread);
    }

    /** @param executor runs the counting of the backlog */
    SchedulerMetrics(MeterRegistry registry, Tags tags, Executor executor) {
        this.meters = new Meters(registry, tags);
        this.executor = executor;
        this.runs = new RunMeters(meters);
        this.store = new StoreMeters(meters);
        this.jobs = new JobMeters(meters);
        long began = meters.nanos();
        meters.gauge(
                "almanac.uptime",
                "seconds",
                "How long ago the counters began at zero",
                () -> (meters.nanos() - began) / 1e9);
    }

    /**
     * Adds gauges of the scheduler's state: slots, health, live and overdue jobs. Reading a gauge never waits; the
     * store is queried on threads of their own, four questions each 15 seconds at most, only while gauges are read, and only
     * from the moment on at which the scheduler begins to claim. Unknown values are NaN.
     *
     * <p>After {@link #close} it adds none.
     *
     * @param scheduler the one whose events are listened to; it need not be started yet
     */
    public void watch(Scheduler scheduler) {
        if (meters.isClosed()) {
            return;
        }
        NodeGauges.node(meters, scheduler);
        NodeGauges.live(meters, counted(scheduler::countLiveJobs));
        NodeGauges.failures(meters, counted(scheduler::countOpenFailures));
        NodeGauges.overdue(meters, counted(scheduler::backlog));
        NodeGauges.unserved(meters, counted(scheduler::unserved));
    }

    /** Each by itself: a question that the store does not answer, or answers late, hides no other number. */
    private <T> BacklogWatch<T> counted(Supplier<T> question) {
        BacklogWatch<T> watch = new BacklogWatch<>(question, meters::nanos, executor);
        watches.add(watch);
        if (claiming) {
            watch.begin();
        }
        return watch;
    }

    @Override
    public void on(SchedulerEvent event) {
        if (meters.isClosed()) {
            return;
        }
        if (event instanceof SchedulerEvent.JobEvent job) {
            onJob(job);
        } else if (event instanceof SchedulerEvent.BatchClaimed claim) {
            store.claimed(claim);
        } else if (event instanceof SchedulerEvent.BatchWritten write) {
            store.written(write);
        } else if (event instanceof SchedulerEvent.LeasesRenewed renewal) {
            store.renewed(renewal);
        } else if (event instanceof SchedulerEvent.ClockMeasured clock) {
            store.measured(clock);
        } else if (event instanceof SchedulerEvent.StoreUnreachable) {
            store.unreachable();
        } else if (event instanceof SchedulerEvent.Rehydrated) {
            jobs.rehydrated();
        } else if (event instanceof SchedulerEvent.KernelRestarted) {
            jobs.restarted();
        } else if (event instanceof SchedulerEvent.NodeStarted) {
            claiming = true;
            watches.forEach(BacklogWatch::begin);
        } else if (event instanceof SchedulerEvent.NodeStopped) {
            claiming = false;
            watches.forEach(BacklogWatch::end);
        }
    }

    private void onJob(SchedulerEvent.JobEvent event) {
        if (event instanceof SchedulerEvent.RunStarted run) {
            runs.started(run);
        } else if (event instanceof SchedulerEvent.RunEnded run) {
            runs.ended(run);
        } else if (event instanceof SchedulerEvent.RunRecorded run) {
            runs.recorded(run);
        } else if (event instanceof SchedulerEvent.RunRecovered) {
            runs.recovered();
        } else if (event instanceof SchedulerEvent.FiresMissed fires) {
            runs.missed(fires.missed());
        } else if (event instanceof SchedulerEvent.LeaseLost) {
            store.lost();
        } else if (event instanceof SchedulerEvent.ClaimReleased) {
            store.released();
        } else {
            jobs.changed(event);
        }
    }

    /** Removes all meters and stops counting: events that come later have no effect. Idempotent. */
    @Override
    public void close() {
        meters.removeAll();
        watches.forEach(BacklogWatch::end);
    }

    private static void onThread(Runnable question) {
        Thread thread = new Thread(question, "almanac-metrics");
        thread.setDaemon(true);
        thread.start();
    }
}
