package dev.almanac.testkit.memory;

import dev.almanac.store.GroupSlots;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which document holds which slot of an exclusive group; each has one holder, and each document one slot. */
final class InMemorySlots {
    private final Map<String, String> holders = new HashMap<>();
    private final Map<String, String> slots = new HashMap<>();

    @Nullable
    String of(String id) {
        return slots.get(id);
    }

    boolean isIn(@Nullable String group, String id) {
        return group == null || GroupSlots.isOf(group, slots.get(id));
    }

    /**
     * Takes the first free slot, or the first one whose holder's lease is over.
     *
     * @param isHeld whether the lease of a holder is not over
     * @param loses is notified of a holder that loses its slot
     * @return absent if there is none
     */
    @Nullable
    String take(String id, List<String> names, Predicate<String> isHeld, Consumer<String> loses) {
        String taken = names.stream()
                .filter(slot -> holders.getOrDefault(slot, id).equals(id))
                .findFirst()
                .orElseGet(() -> names.stream()
                        .filter(slot -> !isHeld.test(holders.get(slot)))
                        .findFirst()
                        .orElse(null));
        if (taken != null) {
            String loser = holders.get(taken);
            if (loser != null && !loser.equals(id)) {
                free(loser);
                loses.accept(loser);
            }
            free(id);
            holders.put(taken, id);
            slots.put(id, taken);
        }
        return taken;
    }

    void free(String id) {
        String slot = slots.remove(id);
        if (slot != null) {
            holders.remove(slot);
        }
    }
}
