package dev.almanac.engine.upkeep;

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
 * Exclusive groups whose due jobs wait for each other, which is what groups are for: a member runs, the rate is used up,
 * or the first of the jobs is another one than at the count before. In other groups nothing happens although jobs are
 * due. Not thread-safe.
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

    /** The slot of a dead member is free, though its document shows it until the next claim. */
    private boolean isWaiting(String group, DueJob job, ClusterControl control, Instant now) {
        return !job.id().equals(before.get(group))
                || isRateUsedUp(control.group(group), now)
                || asked++ >= MOST_ASKED
                || node.store().list(JobQuery.ofRunningGroup(group)).jobs().stream()
                        .anyMatch(member ->
                                member.keepsSlotAt(now, node.settings().margin()));
    }

    private static boolean isRateUsedUp(StoredGroup group, Instant now) {
        Rate rate = group.limits().rate();
        return rate != null && RateDecider.count(rate, group.use(), now).until() != null;
    }
}
