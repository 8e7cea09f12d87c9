package dev.almanac.engine.insight;

import dev.almanac.engine.claim.Pauses;
import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Partitions;
import dev.almanac.model.Backlog;
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
        List<DueJob> overdue = overdue(now, node.settings().pollInterval(), Backlog.COUNTED);
        return new Backlog(node.store().cluster().liveJobs(), overdue.size(), oldest(overdue, now));
    }

    /**
     * Jobs that are not paused, that no node holds, and that have been due for longer than {@code age}: two queries.
     */
    List<DueJob> overdue(Instant now, Duration age, int limit) {
        Pauses pauses = Pauses.at(node.store().cluster().control().pauses(), now);
        return node.store()
                .due(new DueQuery(
                        pauses.open(types), pauses.tags(), Partitions.all(partitions), 0, 7, now.minus(age), limit));
    }

    static Duration oldest(List<DueJob> overdue, Instant now) {
        return overdue.stream()
                .map(DueJob::due)
                .min(Instant::compareTo)
                .map(due -> Duration.between(due, now))
                .orElse(Duration.ZERO);
    }
}
