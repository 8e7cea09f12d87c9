package dev.almanac.web.guard;

import java.util.HashMap;
import java.util.Map;

/** Limits the requests of one asker that are handled at the same time. Thread-safe. */
final class Turns {
    private final int most;
    private final Map<String, Integer> taken = new HashMap<>();

    Turns(int most) {
        this.most = most;
    }

    /** Takes one; false if this asker has all of its turns. */
    synchronized boolean take(String asker) {
        int before = taken.getOrDefault(asker, 0);
        if (before >= most) {
            return false;
        }
        taken.put(asker, before + 1);
        return true;
    }

    /** Gives one back. */
    synchronized void end(String asker) {
        taken.computeIfPresent(asker, (who, count) -> count == 1 ? null : count - 1);
    }
}
