package dev.almanac.engine.upkeep;

import dev.almanac.engine.port.JobPages;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.RateDecider;
import dev.almanac.model.JobQuery;
import dev.almanac.model.Rate;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.DueJob;
import dev.almanac.store.StoredGroup;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Exclusive groups whose due jobs wait for each other, which is what groups are for: members hold all slots, the rate is
 * used up, or the first of the jobs is another one than at the count before. In other groups no member keeps the first one
 * from its run. In a full group a job that no node can run looks like one that waits: nodes claim members out of order.
 * Not thread-safe.
 */
final class WaitingGroups {
    /** A lookup each; jobs of further groups count as waiting. */
    private static final int MOST_ASKED = 100;

    private final Node node;
    /** The first due job of each group at the count before, and at this one. */
    private Map<String, String> before = Map.of();

    private final Map<String, String> first = new HashMap<>();
    private final Set<String> waiting = new HashSet<>();
    private int asked;

    WaitingGroups(Node node) {
        this.node = node;
    }

    /** A new count begins. */
    void begin() {
        before = Map.copyOf(first);
        first.clear();
        waiting.clear();
        asked = 0;
    }

    /** Those that are known in this count. */
    Set<String> names() {
        return Set.copyOf(waiting);
    }

    /**
     * Judges the groups of these jobs that were not judged in this count yet.
     *
     * @param due the earliest first
     * @return whether some of them are waiting
     */
    boolean judge(List<DueJob> due, ClusterControl control, Instant now) {
        boolean found = false;
        for (DueJob job : due) {
            String group = job.group();
            if (group != null && first.putIfAbsent(group, job.id()) == null && isWaiting(group, job, control, now)) {
                waiting.add(group);
                found = true;
            }
        }
        return found;
    }

    private boolean isWaiting(String group, DueJob job, ClusterControl control, Instant now) {
        StoredGroup stored = control.group(group);
        return !job.id().equals(before.get(group))
                || isRateUsedUp(stored, now)
                || asked++ >= MOST_ASKED
                || stored.slots() > 0 && isFull(stored, now);
    }

    /** The slot of a dead member is free, though its document shows it until the next claim. */
    private boolean isFull(StoredGroup group, Instant now) {
        return JobPages.jobs(node.store(), JobQuery.ofRunningGroup(group.name()))
                        .filter(member -> group.isHeldBy(member)
                                && member.keepsSlotAt(now, node.settings().margin()))
                        .limit(group.slots())
                        .count()
                == group.slots();
    }

    private static boolean isRateUsedUp(StoredGroup group, Instant now) {
        Rate rate = group.limits().rate();
        return rate != null && RateDecider.count(rate, group.use(), now).until() != null;
    }
}
