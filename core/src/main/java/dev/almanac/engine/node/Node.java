package dev.almanac.engine.node;

import dev.almanac.engine.rules.Moment;
import dev.almanac.event.SchedulerListener;
import dev.almanac.model.Retention;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobStore;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What every duty of this node shares.
 *
 * @param id identity of this process start
 * @param store remembers the jobs
 * @param clock estimates the server's time
 * @param random the source of chance; used by several threads
 * @param settings the numbers of this scheduler
 * @param retention how long finished jobs are kept unless they say otherwise
 * @param events where everything is told
 * @param calendars the calendars that this node knows
 */
public record Node(
        String id,
        JobStore store,
        ServerClock clock,
        RandomGenerator random,
        SchedulerSettings settings,
        Retention retention,
        EventStream events,
        CalendarBook calendars) {

    /** The same node, telling its events to one listener alone. */
    public Node telling(SchedulerListener listener) {
        return new Node(id, store, clock, random, settings, retention, events.to(listener), calendars);
    }

    /** What a decision made now may know. */
    public Moment moment() {
        return new Moment(clock.now(), id, random.nextDouble(), settings, retention);
    }

    /** For how long after sending an acknowledged claim or renewal the lease is certain to hold (rule P2). */
    public Duration trust() {
        return settings.leaseLength().minus(settings.margin());
    }
}
