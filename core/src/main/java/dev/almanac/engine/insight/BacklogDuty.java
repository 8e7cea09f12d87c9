package dev.almanac.engine.insight;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.PeriodicStep;
import dev.almanac.engine.node.Reachability;
import dev.almanac.runtime.Lane;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.DueJob;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts overdue jobs every half minute, so that {@code health()} can report them without a call of the store. Jobs of
 * {@link WaitingGroups} are left out. Two queries, one on the index of the looks, and some more if there are jobs of
 * groups; each reads at most 2 000 jobs.
 */
public final class BacklogDuty {
    /** Jobs that are due for less are being claimed, or belong to a burst that is over soon. */
    static final Duration OVERDUE = Duration.ofSeconds(10);

    /** The largest number of overdue jobs that is read and reported. */
    static final int COUNTED = 2_000;

    private static final int MOST_QUERIES = 5;
    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final Node node;
    private final BacklogCount backlog;
    private final WaitingGroups groups;
    private final Reachability reachability;
    private final PeriodicStep step;
    private volatile OverdueTrend trend = OverdueTrend.NONE;
    private @Nullable Instant last;

    /** @param lane where it asks */
    public BacklogDuty(Node node, BacklogCount backlog, Reachability reachability, Lane lane) {
        this.node = node;
        this.backlog = backlog;
        this.groups = new WaitingGroups(node);
        this.reachability = reachability;
        this.step = new PeriodicStep(lane, INTERVAL, this::count);
    }

    public void start() {
        step.start();
    }

    public void stop() {
        step.stop();
    }

    /** As last counted. */
    public OverdueTrend trend() {
        return trend;
    }

    private void count() {
        Instant now = node.clock().now();
        try {
            List<DueJob> overdue = overdue(now);
            Duration apart = last == null ? Duration.ZERO : Duration.between(last, now);
            trend = trend.next(overdue.size(), BacklogCount.oldest(overdue, now), apart);
            last = now;
        } catch (StoreException e) {
            reachability.failed("counting overdue jobs", e);
        }
    }

    /** Without the jobs of waiting groups, which are left out of the next query if they have used up the limit. */
    private List<DueJob> overdue(Instant now) {
        ClusterControl control = node.store().cluster().control();
        groups.begin();
        List<DueJob> found = backlog.overdue(control, now, new BacklogCount.Bounds(OVERDUE, COUNTED, Set.of()));
        boolean waiting = groups.judge(found, control, now);
        for (int i = 1; i < MOST_QUERIES && waiting && found.size() >= COUNTED; i++) {
            found = backlog.overdue(control, now, new BacklogCount.Bounds(OVERDUE, COUNTED, groups.names()));
            waiting = groups.judge(found, control, now);
        }
        Set<String> names = groups.names();
        return found.stream()
                .filter(job -> job.group() == null || !names.contains(job.group()))
                .toList();
    }
}
