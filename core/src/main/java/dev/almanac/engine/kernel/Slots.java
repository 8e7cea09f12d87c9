package dev.almanac.engine.kernel;

import dev.almanac.helper.CommandRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The free slots of this node, in all and of each command type (rules R8, R9). Claims that are held, under way, or of
 * unknown outcome use slots. The kernel's.
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
     * @param typeLimits how many runs of a type it holds at most, for types that have a limit; {@code *} = for each other one
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

    /** Whether this node holds the claim with that token. */
    boolean holds(String id, long token) {
        return held.holds(id, token);
    }

    /** The slots of exclusive groups that its claims hold. */
    Set<String> groupSlots() {
        return held.groupSlots();
    }

    int free() {
        return most - held.size() - reserved;
    }

    /** Whether there is a free slot for a job of the type. */
    boolean hasRoom(String type) {
        return held.ofType(type) + reservedOfType.getOrDefault(type, 0) < limit(type);
    }

    /** The types of which as many claims are held as their own limits allow. Any thread may ask. */
    public Set<String> full() {
        return held.all().stream()
                .collect(Collectors.groupingBy(HeldJob::type, Collectors.summingInt(job -> 1)))
                .entrySet()
                .stream()
                .filter(claims -> claims.getValue() >= limit(claims.getKey()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private int limit(String type) {
        return typeLimits.getOrDefault(type, typeLimits.getOrDefault(CommandRegistry.ALL, Integer.MAX_VALUE));
    }

    /** The types for which there is a free slot; only they are looked for (rule X7). */
    Set<String> typesWithRoom() {
        Set<String> open = new HashSet<>(types);
        if (!typeLimits.isEmpty()) {
            open.removeIf(type -> !hasRoom(type));
        }
        return open;
    }

    /** Reserves a slot for a job of the type that is about to be claimed; false if none is free. */
    boolean reserve(String type) {
        if (!hasRoom(type)) {
            return false;
        }
        reservedOfType.merge(type, 1, Integer::sum);
        reserved++;
        return true;
    }

    /** The kernel begins again: nothing is reserved but for these claims under way, of these types. */
    void beginAgain(List<String> underWay) {
        reservedOfType.clear();
        underWay.forEach(type -> reservedOfType.merge(type, 1, Integer::sum));
        reserved = underWay.size();
    }

    /** Releases reservations of claims whose result is known; claimed jobs count as held by now. */
    void release(List<String> freed) {
        for (String type : freed) {
            reservedOfType.merge(type, -1, Integer::sum);
            reserved--;
        }
    }
}
