package dev.almanac.engine.upkeep;

import dev.almanac.engine.kernel.Pauses;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Partitions;
import dev.almanac.engine.rules.Served;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.NodeReport;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Counts due jobs that no live node takes (rule S20): one query for the command types that no node has, and one for the
 * jobs if there are such types, or types of which some priority is not taken. Of those the 2 000 jobs that have been due
 * for the longest are read, so a job that nobody takes is seen once it is among them.
 */
final class UnservedCount {
    private final Node node;
    private final int partitions;

    UnservedCount(Node node, int partitions) {
        this.node = node;
        this.partitions = partitions;
    }

    /** @param live the live nodes */
    List<UnservedJobs> count(List<NodeReport> live, ClusterControl control, Instant now) {
        Served served = Served.by(live, now, control.pauses());
        Set<String> types = new HashSet<>(served.typesInPart());
        types.addAll(node.store().otherDueTypes(served.types(), now));
        Pauses pauses = Pauses.at(control.pauses(), now);
        Set<String> open = pauses.open(types);
        if (open.isEmpty()) {
            return List.of();
        }
        List<DueJob> due = node.store()
                .due(new DueQuery(open, pauses.tags(), Partitions.all(partitions), 0, 7, now, BacklogDuty.COUNTED)
                        .withAnyNeeds());
        return served.unserved(due, due.size() >= BacklogDuty.COUNTED, now);
    }
}
