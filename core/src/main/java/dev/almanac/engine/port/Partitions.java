package dev.almanac.engine.port;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which claim partitions a node prefers. Each goes to the live node with the highest hash for it (rendezvous hashing)
 * that does not have its share yet, so that no node has more work than the others. It is a preference only: any node
 * may take jobs that are late.
 */
public final class Partitions {
    private Partitions() {}

    public static Set<Integer> all(int count) {
        Set<Integer> all = new LinkedHashSet<>();
        for (int p = 0; p < count; p++) {
            all.add(p);
        }
        return all;
    }

    /** @param liveNodes including this one */
    public static Set<Integer> preferred(String node, Collection<String> liveNodes, int count) {
        int share = (count + liveNodes.size() - 1) / liveNodes.size();
        Map<String, Set<Integer>> owned = new TreeMap<>();
        liveNodes.forEach(live -> owned.put(live, new LinkedHashSet<>()));
        for (int p = 0; p < count; p++) {
            int partition = p;
            owned.entrySet().stream()
                    .filter(live -> live.getValue().size() < share)
                    .max(Comparator.comparingLong(live -> draw(live.getKey(), partition)))
                    .ifPresent(live -> live.getValue().add(partition));
        }
        return owned.getOrDefault(node, Set.of());
    }

    /** The finalizer of SplitMix64 over the node's hash and the partition. */
    private static long draw(String node, int partition) {
        long z = node.hashCode() * 0x9E3779B97F4A7C15L + (partition + 1) * 0xD1B54A32D192ED03L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
