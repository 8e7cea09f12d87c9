package dev.almanac.metrics;

import dev.almanac.event.SchedulerEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** Conversations with the store: how long they take, and how much each carries. */
final class StoreMeters {
    private record Batches(Timer took, DistributionSummary size) {
        void record(Duration duration, int jobs) {
            took.record(duration);
            size.record(jobs);
        }
    }

    private final Batches claims;
    private final Batches completions;
    private final Batches renewals;
    private final Counter unreachable;
    private final Counter lost;
    private final Counter released;
    private volatile double offsetSeconds = Double.NaN;

    StoreMeters(Meters meters) {
        this.claims = new Batches(
                meters.distribution("almanac.claim.duration", "How long a claim takes"),
                meters.summary("almanac.claim.batch", "Jobs that one claim has won"));
        this.completions = new Batches(
                meters.distribution("almanac.completion.duration", "How long a write of completions takes"),
                meters.summary("almanac.completion.batch", "Completions in one write"));
        this.renewals = new Batches(
                meters.distribution("almanac.renewal.duration", "How long a renewal of leases takes"),
                meters.summary("almanac.renewal.batch", "Leases that one renewal has lengthened"));
        this.unreachable =
                meters.counter("almanac.store.unreachable", "Times at which the store ceased to answer this node");
        this.lost = meters.counter("almanac.leases.lost", "Leases lost before their run was recorded");
        this.released = meters.counter("almanac.claims.released", "Claims released without a start");
        meters.gauge(
                "almanac.clock.offset",
                "seconds",
                "Server's clock minus this node's, as last measured",
                () -> offsetSeconds);
    }

    void claimed(SchedulerEvent.BatchClaimed claim) {
        claims.record(claim.took(), claim.claimed());
    }

    void written(SchedulerEvent.BatchWritten write) {
        completions.record(write.took(), write.changes());
    }

    void renewed(SchedulerEvent.LeasesRenewed renewal) {
        renewals.record(renewal.took(), renewal.held());
    }

    void measured(SchedulerEvent.ClockMeasured clock) {
        offsetSeconds = clock.offset().toNanos() / 1e9;
    }

    void unreachable() {
        unreachable.increment();
    }

    void lost() {
        lost.increment();
    }

    void released() {
        released.increment();
    }
}
