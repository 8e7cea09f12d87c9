package dev.almanac.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The claims that this node holds, by document. The number of entries is the number of slots in use. Thread-safe. */
final class LeaseBook {
    private final Map<String, HeldJob> held = new ConcurrentHashMap<>();
    private final Map<String, Integer> byType = new ConcurrentHashMap<>();

    void add(HeldJob job) {
        held.put(job.id(), job);
        byType.merge(job.type(), 1, Integer::sum);
    }

    /** Takes the claim out; whether it was there. */
    boolean remove(HeldJob job) {
        if (!held.remove(job.id(), job)) {
            return false;
        }
        byType.merge(job.type(), -1, Integer::sum);
        return true;
    }

    int size() {
        return held.size();
    }

    int ofType(String type) {
        return byType.getOrDefault(type, 0);
    }

    @Nullable
    HeldJob get(String id) {
        return held.get(id);
    }

    Collection<HeldJob> all() {
        return List.copyOf(held.values());
    }
}
