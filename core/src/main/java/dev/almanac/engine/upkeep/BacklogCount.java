package dev.almanac.engine.upkeep;

import dev.almanac.engine.kernel.Pauses;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Partitions;
import dev.almanac.model.Backlog;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Counts overdue and unserved jobs by bounded queries. */
public final class BacklogCount {
    private final Node node;
    private final Set<String> types;
    private final int partitions;

    public BacklogCount(Node node, Set<String> types, int partitions) {
        this.node = node;
        this.types = types;
        this.partitions = partitions;
    }

    /** @param waiting groups whose jobs wait for each other, which are not overdue */
    public Backlog count(Set<String> waiting) {
        Instant now = node.clock().now();
        Bounds bounds = new Bounds(node.settings().pollInterval(), Backlog.COUNTED, waiting);
        ClusterControl control = node.store().cluster().control();
        List<DueJob> overdue = overdue(control, now, bounds);
        return new Backlog(overdue.size(), oldest(overdue, now));
    }

    /**
     * Which overdue jobs are read.
     *
     * @param age for how long they have been due, or longer
     * @param limit how many at most
     * @param exceptGroups jobs of these groups are not
     */
    record Bounds(Duration age, int limit, Set<String> exceptGroups) {}

    /** Due jobs that none of these nodes takes. */
    public List<UnservedJobs> unserved(List<NodeReport> live, ClusterControl control, Instant now) {
        return new UnservedCount(node, partitions).count(live, control, now);
    }

    /**
     * Jobs of the types and priorities of this node, not paused, and that no node holds, the earliest first: one query.
     * Also those with needs that it does not support: if no node does, nothing else shows that they stand still.
     */
    List<DueJob> overdue(ClusterControl control, Instant now, Bounds bounds) {
        Pauses pauses = Pauses.at(control.pauses(), now);
        return node.store()
                .due(new DueQuery(
                                pauses.open(types),
                                pauses.tags(),
                                bounds.exceptGroups(),
                                Partitions.all(partitions),
                                node.settings().minPriority(),
                                node.settings().maxPriority(),
                                now.minus(bounds.age()),
                                bounds.limit())
                        .withAnyNeeds());
    }

    static Duration oldest(List<DueJob> overdue, Instant now) {
        return overdue.stream()
                .map(DueJob::due)
                .min(Instant::compareTo)
                .map(due -> Duration.between(due, now))
                .orElse(Duration.ZERO);
    }
}
