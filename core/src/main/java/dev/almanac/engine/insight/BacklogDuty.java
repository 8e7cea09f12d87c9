package dev.almanac.engine.insight;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.PeriodicStep;
import dev.almanac.engine.node.Reachability;
import dev.almanac.runtime.Lane;
import dev.almanac.store.DueJob;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts overdue jobs every half minute, so that {@code health()} can report them without a call of the store. Two
 * queries on the index of the looks; at most 2 000 jobs are read.
 */
public final class BacklogDuty {
    /** Jobs that are due for less are being claimed, or belong to a burst that is over soon. */
    static final Duration OVERDUE = Duration.ofSeconds(10);

    /** The largest number of overdue jobs that is read and reported. */
    static final int COUNTED = 2_000;

    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final Node node;
    private final BacklogCount backlog;
    private final Reachability reachability;
    private final PeriodicStep step;
    private volatile OverdueTrend trend = OverdueTrend.NONE;
    private @Nullable Instant last;

    /** @param lane where it asks */
    public BacklogDuty(Node node, BacklogCount backlog, Reachability reachability, Lane lane) {
        this.node = node;
        this.backlog = backlog;
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
            // members of a group wait for each other; that is what groups are for
            List<DueJob> alone = backlog.overdue(now, OVERDUE, COUNTED).stream()
                    .filter(job -> job.group() == null)
                    .toList();
            Duration apart = last == null ? Duration.ZERO : Duration.between(last, now);
            trend = trend.next(alone.size(), BacklogCount.oldest(alone, now), apart);
            last = now;
        } catch (StoreException e) {
            reachability.failed("counting overdue jobs", e);
        }
    }
}
