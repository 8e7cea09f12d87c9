package dev.almanac.engine.kernel;

import dev.almanac.engine.rules.GrowingPause;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive groups that were found busy, and when to try them again (rule P9): at once if a run of this node has freed
 * the group, else after pauses that grow while another node's run goes on. Not thread-safe; {@link ClaimDuty} guards
 * it.
 */
final class BusyGroups {
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(800);
    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofMillis(50), LONGEST_PAUSE);

    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    private final Map<String, Busy> busy = new HashMap<>();

    private record Busy(Instant until, Duration pause) {}

    /** A claim of a job of the group begins; its other jobs wait for the end of that claim. */
    void claiming(String group, Instant now) {
        Busy before = busy.get(group);
        busy.put(group, new Busy(now.plus(LONGEST_PAUSE), before == null ? Duration.ZERO : before.pause()));
    }

    /**
     * All slots of the group are taken, or its rate is used up.
     *
     * @param open when the rate allows the next claim; absent = the rate is not the cause
     */
    void found(String group, @Nullable Instant open, Instant now) {
        Busy before = busy.get(group);
        Duration pause = PAUSE.longer(before == null ? Duration.ZERO : before.pause());
        Instant end = now.plus(open == null ? pause : LONGEST_PAUSE);
        // an edit of the group holds within a second, so that no pause is longer, however slow the rate is
        busy.put(
                group, new Busy(open != null && open.isBefore(end) ? open : end, open == null ? pause : PAUSE.first()));
    }

    /**
     * A run of this node has taken a slot of the group; if that was the last one, {@link #free} follows when the run is
     * over.
     */
    void taken(String group, int size, Instant now) {
        busy.put(group, size == 1 ? new Busy(now.plus(LONGEST_PAUSE), LONGEST_PAUSE) : new Busy(now, Duration.ZERO));
    }

    /** Groups were edited: findings about them may be outdated. */
    void forget() {
        busy.clear();
    }

    /** Whether any group is not to be tried for a while. */
    boolean holdAny(Instant now) {
        return busy.values().stream().anyMatch(known -> known.until().isAfter(now));
    }

    /** A slot of the group has become free. */
    void free(@Nullable String group) {
        busy.remove(group);
    }

    /**
     * Whether the group was found busy and has not become free since: it is tried with a known job, and not looked for.
     */
    boolean knows(String group) {
        return busy.containsKey(group);
    }

    /** When the group may be tried again; absent = now. */
    @Nullable
    Instant busyUntil(@Nullable String group) {
        Busy known = group == null ? null : busy.get(group);
        return known == null ? null : known.until();
    }

    boolean isBusy(@Nullable String group, Instant now) {
        Instant until = busyUntil(group);
        return until != null && until.isAfter(now);
    }

    /** The groups that are not to be tried for a while; looks leave their jobs out. */
    Set<String> names(Instant now) {
        Set<String> names = new HashSet<>();
        // a group that was not tried for a while may be free, or no longer exist
        busy.values().removeIf(known -> known.until().plus(REMEMBERED).isBefore(now));
        busy.forEach((group, known) -> {
            if (known.until().isAfter(now)) {
                names.add(group);
            }
        });
        return names;
    }
}
