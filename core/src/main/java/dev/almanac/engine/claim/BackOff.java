package dev.almanac.engine.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that this node leaves alone for a while, so that others may have them: those that it cannot run (rule X6), and
 * those whose claims got no answer (rule X3). The latter are claimed by commands of their own until one is answered,
 * since one document that does not answer keeps all of its command waiting. Not thread-safe; {@link ClaimDuty} guards
 * it.
 */
final class BackOff {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** The largest number of jobs that are remembered; beyond it the ones that may be tried again first are forgotten. */
    private static final int MOST = 10_000;

    private final Map<String, Instant> until = new HashMap<>();
    private final Map<String, Duration> suspected = new HashMap<>();

    /** Not to be tried again before that instant. */
    void add(String id, Instant end) {
        if (until.size() >= MOST && !until.containsKey(id)) {
            until.remove(Collections.min(until.entrySet(), Map.Entry.comparingByValue())
                    .getKey());
        }
        until.put(id, end);
    }

    /** A claim of all these jobs got no answer; any one of them may be the cause. */
    void suspect(Iterable<String> ids) {
        for (String id : ids) {
            if (suspected.size() < MOST) {
                suspected.putIfAbsent(id, Duration.ZERO);
            }
        }
    }

    /** A claim of this job alone got no answer. */
    void unanswered(String id, Instant now) {
        Duration before = suspected.getOrDefault(id, Duration.ZERO);
        Duration longer = before.isZero() ? FIRST_PAUSE : before.multipliedBy(2);
        Duration pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        suspected.put(id, pause);
        add(id, now.plus(pause));
    }

    /** A claim of this job was answered. */
    void answered(String id) {
        suspected.remove(id);
    }

    /** Whether it is to be claimed by a command of its own. */
    boolean isSuspected(String id) {
        return suspected.containsKey(id);
    }

    boolean isOn(String id, Instant now) {
        Instant end = until.get(id);
        return end != null && end.isAfter(now);
    }

    /** When the job may be tried again; absent = now. */
    @Nullable
    Instant until(String id) {
        return until.get(id);
    }

    /** How many jobs are left alone at that moment; looks still return them. */
    int count(Instant now) {
        until.values().removeIf(end -> !end.isAfter(now));
        return until.size();
    }
}
