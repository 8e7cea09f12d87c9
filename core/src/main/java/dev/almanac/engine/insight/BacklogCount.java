package dev.almanac.engine.insight;

import dev.almanac.engine.claim.Pauses;
import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Partitions;
import dev.almanac.model.Backlog;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Counts live and overdue jobs by bounded queries. */
public final class BacklogCount {
    private final Node node;
    private final Set<String> types;
    private final int partitions;

    public BacklogCount(Node node, Set<String> types, int partitions) {
        this.node = node;
        this.types = types;
        this.partitions = partitions;
    }

    /** Three queries. */
    public Backlog count() {
        Instant now = node.clock().now();
        Bounds bounds = new Bounds(node.settings().pollInterval(), Backlog.COUNTED, Set.of());
        List<DueJob> overdue = overdue(node.store().cluster().control(), now, bounds);
        return new Backlog(node.store().cluster().liveJobs(), overdue.size(), oldest(overdue, now));
    }

    /**
     * Which overdue jobs are read.
     *
     * @param age for how long they have been due, or longer
     * @param limit how many at most
     * @param exceptGroups jobs of these groups are not
     */
    record Bounds(Duration age, int limit, Set<String> exceptGroups) {}

    /** Jobs that are not paused, and that no node holds, the earliest first: one query. */
    List<DueJob> overdue(ClusterControl control, Instant now, Bounds bounds) {
        Pauses pauses = Pauses.at(control.pauses(), now);
        return node.store()
                .due(new DueQuery(
                        pauses.open(types),
                        pauses.tags(),
                        bounds.exceptGroups(),
                        Partitions.all(partitions),
                        0,
                        7,
                        now.minus(bounds.age()),
                        bounds.limit()));
    }

    static Duration oldest(List<DueJob> overdue, Instant now) {
        return overdue.stream()
                .map(DueJob::due)
                .min(Instant::compareTo)
                .map(due -> Duration.between(due, now))
                .orElse(Duration.ZERO);
    }
}
