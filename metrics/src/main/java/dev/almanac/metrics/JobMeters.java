package dev.almanac.metrics;

import dev.almanac.event.SchedulerEvent;
import io.micrometer.core.instrument.Counter;

/** What users do with jobs on this node, and what the node does with them beside running. */
final class JobMeters {
    private final Counter registered;
    private final Counter updated;
    private final Counter canceled;
    private final Counter blocked;
    private final Counter rehydrations;
    private final Counter restarts;

    JobMeters(Meters meters) {
        this.registered = meters.counter("almanac.jobs.registered", "Jobs stored by this node");
        this.updated = meters.counter("almanac.jobs.updated", "Jobs changed by this node");
        this.canceled = meters.counter("almanac.jobs.canceled", "Jobs cancelled by this node");
        this.blocked = meters.counter("almanac.jobs.blocked", "Jobs that cannot be run as they are");
        this.rehydrations = meters.counter("almanac.rehydrations", "Times at which this node was rehydrated");
        this.restarts = meters.counter(
                "almanac.kernel.restarts", "Failures of this node's own, after which it began again (ALM-062)");
    }

    void changed(SchedulerEvent.JobEvent event) {
        if (event instanceof SchedulerEvent.JobScheduled) {
            registered.increment();
        } else if (event instanceof SchedulerEvent.JobUpdated) {
            updated.increment();
        } else if (event instanceof SchedulerEvent.JobCanceled) {
            canceled.increment();
        } else if (event instanceof SchedulerEvent.JobBlocked) {
            blocked.increment();
        }
    }

    void restarted() {
        restarts.increment();
    }

    void rehydrated() {
        rehydrations.increment();
    }
}
