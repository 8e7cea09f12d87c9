package dev.almanac.engine.node;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which claim partitions a node prefers: those for which its hash is the highest of all live nodes (rendezvous
 * hashing), so that a node that joins or leaves moves only its own partitions. It is a preference only: any node may
 * take jobs that are late.
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

    static Set<Integer> preferred(String node, Collection<String> liveNodes, int count) {
        Set<Integer> mine = new LinkedHashSet<>();
        for (int p = 0; p < count; p++) {
            if (wins(node, liveNodes, p)) {
                mine.add(p);
            }
        }
        return mine;
    }

    private static boolean wins(String node, Collection<String> liveNodes, int partition) {
        long own = draw(node, partition);
        for (String other : liveNodes) {
            long theirs = draw(other, partition);
            if (theirs > own || theirs == own && other.compareTo(node) > 0) {
                return false;
            }
        }
        return true;
    }

    /** The finalizer of SplitMix64 over the node's hash and the partition. */
    private static long draw(String node, int partition) {
        long z = node.hashCode() * 0x9E3779B97F4A7C15L + (partition + 1) * 0xD1B54A32D192ED03L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
