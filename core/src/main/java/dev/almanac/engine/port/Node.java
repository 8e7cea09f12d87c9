package dev.almanac.engine.port;

import dev.almanac.engine.rules.DecisionContext;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.Rows;
import dev.almanac.event.SchedulerListener;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Retention;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What all duties of this node share.
 *
 * @param identity of this process start
 * @param store remembers the jobs
 * @param clock estimates the server's time
 * @param random the source of chance; used by several threads
 * @param settings the numbers of this scheduler
 * @param retention how long finished jobs are kept without a retention of their own
 * @param events delivers events to the listeners
 * @param calendars the calendars of this node
 * @param calendarCalls calls them, since they may never return
 * @param pipeline processes many items, a few at a time
 * @param history writes status rows
 */
public record Node(
        Identity identity,
        JobStore store,
        ServerClock clock,
        RandomGenerator random,
        SchedulerSettings settings,
        Retention retention,
        EventStream events,
        CalendarBook calendars,
        CalendarCalls calendarCalls,
        Pipeline pipeline,
        HistoryWriter history) {

    /** The identity at this moment. */
    public String id() {
        return identity.id();
    }

    /** The same node with one listener only. */
    public Node reportingTo(SchedulerListener listener) {
        return new Node(
                identity,
                store,
                clock,
                random,
                settings,
                retention,
                events.to(listener),
                calendars,
                calendarCalls,
                pipeline,
                history);
    }

    /**
     * The rows of a query of a job or of its key, newest first, with those that its document shows and that may still wait to be
     * stored (rule N2). The document was read before: what it hides meanwhile is stored by then.
     */
    public List<JobExecutionStatus> rows(StoredJob job, RowQuery query) {
        return Rows.withShown(store.rows(query), job, clock.now(), query);
    }

    /** Computes fires by the calendars of this node at present. */
    public FirePlanner planner() {
        return calendars.planner();
    }

    /** The input of a decision made now. */
    public DecisionContext context() {
        return new DecisionContext(
                clock.now(),
                id(),
                random.nextDouble(),
                settings,
                retention,
                planner().search());
    }

    /** For how long after sending an acknowledged claim or renewal the lease is certain to hold (rule P2). */
    public Duration trust() {
        return settings.leaseLength().minus(settings.margin());
    }
}
