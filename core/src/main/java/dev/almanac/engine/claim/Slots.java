package dev.almanac.engine.claim;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * For how many more runs this node has room, in all and of each command type (rules R8, R9): what it holds counts, and
 * what it is about to claim. Not thread-safe; {@link ClaimDuty} guards it.
 */
final class Slots {
    private final int most;
    private final Intake intake;
    private final Map<String, Integer> reservedOfType = new HashMap<>();
    private int reserved;

    Slots(int most, Intake intake) {
        this.most = most;
        this.intake = intake;
    }

    int free() {
        return most - intake.held().size() - reserved;
    }

    /** Room for jobs that are about to be claimed; each is reserved as it is taken. */
    LookAhead.Rooms rooms() {
        return this::reserve;
    }

    private boolean reserve(String type) {
        Integer limit = intake.typeLimits().get(type);
        int ofType = reservedOfType.getOrDefault(type, 0);
        if (limit != null && intake.held().ofType(type) + ofType >= limit) {
            return false;
        }
        reservedOfType.put(type, ofType + 1);
        reserved++;
        return true;
    }

    /** The claim of jobs of these types is over: what was won counts as held by now. */
    void release(List<String> types) {
        for (String type : types) {
            reservedOfType.merge(type, -1, Integer::sum);
            reserved--;
        }
    }
}
