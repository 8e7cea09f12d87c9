package dev.almanac.engine.run;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The claims that this node holds, by document. The number of entries is the number of slots in use. Thread-safe. */
public final class LeaseBook {
    private final Map<String, HeldJob> held = new ConcurrentHashMap<>();
    private final Map<String, Integer> byType = new ConcurrentHashMap<>();
    private final int slots;
    private final LongSupplier nanos;
    private @Nullable Long fullSince;

    /**
     * @param slots how many claims may be held at a time
     * @param nanos the monotonic clock
     */
    public LeaseBook(int slots, LongSupplier nanos) {
        this.slots = slots;
        this.nanos = nanos;
    }

    void add(HeldJob job) {
        held.put(job.id(), job);
        byType.merge(job.type(), 1, Integer::sum);
        noteFull();
    }

    /** Takes the claim out; whether it was there. */
    boolean remove(HeldJob job) {
        if (!held.remove(job.id(), job)) {
            return false;
        }
        byType.merge(job.type(), -1, Integer::sum);
        noteFull();
        return true;
    }

    private synchronized void noteFull() {
        if (held.size() < slots) {
            fullSince = null;
        } else if (fullSince == null) {
            fullSince = nanos.getAsLong();
        }
    }

    /** For how long no slot has been free; zero if one is. */
    public synchronized Duration fullFor() {
        return fullSince == null ? Duration.ZERO : Duration.ofNanos(nanos.getAsLong() - fullSince);
    }

    public int size() {
        return held.size();
    }

    public int ofType(String type) {
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
