package dev.almanac.engine.claim;

import dev.almanac.engine.run.HeldJobs;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What this node has room for, in all and of each command type (rules R8, R9): what it holds counts, what it is about
 * to claim, and what it may have claimed without knowing. Not thread-safe; {@link ClaimDuty} guards it.
 */
public final class Slots {
    private final Set<String> types;
    private final Map<String, Integer> typeLimits;
    private final int most;
    private final HeldJobs held;
    private final Map<String, Integer> reservedOfType = new HashMap<>();
    private int reserved;

    /**
     * @param types the command types that this node can run
     * @param typeLimits how many runs of a type it holds at most, for types that have a limit
     * @param most how many runs it holds at most
     * @param held what it holds
     */
    public Slots(Set<String> types, Map<String, Integer> typeLimits, int most, HeldJobs held) {
        this.types = types;
        this.typeLimits = typeLimits;
        this.most = most;
        this.held = held;
    }

    /** The command types that this node can run. */
    Set<String> types() {
        return types;
    }

    /** Whether this node holds the claim of a job. */
    boolean holds(String id) {
        return held.holds(id);
    }

    /** The slots of exclusive groups that its claims hold. */
    Set<String> groupSlots() {
        return held.groupSlots();
    }

    int free() {
        return most - held.size() - reserved;
    }

    /** Whether there is room for one more job of the type, of which nothing is reserved yet. */
    boolean hasRoom(String type) {
        Integer limit = typeLimits.get(type);
        return limit == null || held.ofType(type) + reservedOfType.getOrDefault(type, 0) < limit;
    }

    /** Those types of which there is room for one more job: the only ones worth looking for (rule X7). */
    Set<String> typesWithRoom() {
        Set<String> open = new HashSet<>(types);
        if (!typeLimits.isEmpty()) {
            open.removeIf(type -> !hasRoom(type));
        }
        return open;
    }

    /** Takes room for one job of the type that is about to be claimed, if there is. */
    boolean reserve(String type) {
        if (!hasRoom(type)) {
            return false;
        }
        reservedOfType.merge(type, 1, Integer::sum);
        reserved++;
        return true;
    }

    /** It is known what became of the claim of jobs of these types: what was won counts as held by now. */
    void release(List<String> freed) {
        for (String type : freed) {
            reservedOfType.merge(type, -1, Integer::sum);
            reserved--;
        }
    }
}
