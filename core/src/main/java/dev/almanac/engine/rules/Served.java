package dev.almanac.engine.rules;

import dev.almanac.model.StandingPause;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.DueJob;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which command types nodes take, and of which priorities (rule S20). Pure.
 *
 * @param priorities those that are taken of each type that some node has and claims
 */
public record Served(Map<String, Set<Integer>> priorities) {
    private static final int LEAST_URGENT = 7;

    /**
     * Priorities next to each other of one command type.
     *
     * @param type registered name
     */
    public record Part(String type, int min, int max) {}

    /**
     * What these nodes take; one on standby, or that says that it claims nothing, takes nothing.
     *
     * @param pauses all that stand; here the standbys of nodes matter
     */
    public static Served by(Collection<NodeReport> nodes, Instant now, Collection<StandingPause> pauses) {
        Map<String, Set<Integer>> taken = new HashMap<>();
        for (NodeReport node : nodes) {
            if (node.claims(now, pauses)) {
                for (String type : node.types()) {
                    Set<Integer> some = taken.computeIfAbsent(type, key -> new TreeSet<>());
                    for (int priority = node.minPriority(); priority <= node.maxPriority(); priority++) {
                        some.add(priority);
                    }
                }
            }
        }
        return new Served(taken);
    }

    /** Whether some node claims jobs of this type and priority. */
    public boolean takes(String type, int priority) {
        return priorities.getOrDefault(type, Set.of()).contains(priority);
    }

    /** Whether every priority of the part is taken. */
    public boolean takes(UnservedJobs jobs) {
        for (int priority = jobs.minPriority(); priority <= jobs.maxPriority(); priority++) {
            if (!takes(jobs.commandType(), priority)) {
                return false;
            }
        }
        return true;
    }

    /** The types of which at least one priority is taken. */
    public Set<String> types() {
        return priorities.keySet();
    }

    /** Those of them of which some priority is not taken. */
    public Set<String> typesInPart() {
        return priorities.entrySet().stream()
                .filter(type -> type.getValue().size() <= LEAST_URGENT)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** The priorities around this one, which is not taken, that are not taken either. */
    public Part gap(String type, int priority) {
        int min = priority;
        while (min > 0 && !takes(type, min - 1)) {
            min--;
        }
        int max = priority;
        while (max < LEAST_URGENT && !takes(type, max + 1)) {
            max++;
        }
        return new Part(type, min, max);
    }

    /**
     * Those of these due jobs that no node takes, counted by type and priorities.
     *
     * @param more whether further jobs are due that are not among these
     */
    public List<UnservedJobs> unserved(List<DueJob> due, boolean more, Instant now) {
        Map<String, UnservedJobs> found = new TreeMap<>();
        for (DueJob job : due) {
            if (!takes(job.type(), job.priority())) {
                Part gap = gap(job.type(), job.priority());
                Duration age = Duration.between(job.due(), now);
                found.merge(
                        gap.min() + " " + gap.type(),
                        new UnservedJobs(gap.type(), gap.min(), gap.max(), 1, more, age),
                        Served::plus);
            }
        }
        return List.copyOf(found.values());
    }

    private static UnservedJobs plus(UnservedJobs one, UnservedJobs other) {
        Duration oldest = one.oldest().compareTo(other.oldest()) >= 0 ? one.oldest() : other.oldest();
        return new UnservedJobs(
                one.commandType(), one.minPriority(), one.maxPriority(), one.jobs() + other.jobs(), one.more(), oldest);
    }
}
