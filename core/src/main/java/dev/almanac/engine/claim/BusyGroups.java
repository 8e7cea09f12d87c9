package dev.almanac.engine.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive groups that were found busy, and when to try them again (rule P9): at once if this node's own run gave the
 * group free, else after pauses that grow while another node's run goes on. Not thread-safe; {@link ClaimDuty} guards
 * it.
 */
final class BusyGroups {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(800);

    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    private final Map<String, Busy> busy = new HashMap<>();

    private record Busy(Instant until, Duration pause) {}

    /** A claim of one of its jobs begins: others of it wait for its end. */
    void claiming(String group, Instant now) {
        Busy before = busy.get(group);
        busy.put(group, new Busy(now.plus(LONGEST_PAUSE), before == null ? Duration.ZERO : before.pause()));
    }

    /**
     * All that may be in it are running, or its rate is used up.
     *
     * @param open when the rate lets another one in; absent = it is not the rate
     */
    void found(String group, @Nullable Instant open, Instant now) {
        Busy before = busy.get(group);
        Duration pause = before == null ? FIRST_PAUSE : before.pause().multipliedBy(2);
        Duration least = pause.isZero() ? FIRST_PAUSE : pause;
        Duration most = least.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : least;
        Instant end = now.plus(open == null ? most : LONGEST_PAUSE);
        // an edit of the group holds within a second, so that no pause is longer, however slow the rate is
        busy.put(group, new Busy(open != null && open.isBefore(end) ? open : end, open == null ? most : FIRST_PAUSE));
    }

    /** This node's own run is in it; if that is all that may be, {@link #free} follows when it is over. */
    void taken(String group, int size, Instant now) {
        busy.put(group, size == 1 ? new Busy(now.plus(LONGEST_PAUSE), LONGEST_PAUSE) : new Busy(now, Duration.ZERO));
    }

    /** Users have edited groups: what was found may be so no more. */
    void forget() {
        busy.clear();
    }

    /** Whether some are not to be tried for a while. */
    boolean holdAny(Instant now) {
        return busy.values().stream().anyMatch(known -> known.until().isAfter(now));
    }

    /** The group was given free. */
    void free(@Nullable String group) {
        busy.remove(group);
    }

    /** Whether it was found busy and not free since: it is to be tried with a job that is known, not looked for. */
    boolean knows(String group) {
        return busy.containsKey(group);
    }

    /** Not to be tried before then; absent = may be tried. */
    @Nullable
    Instant busyUntil(@Nullable String group) {
        Busy known = group == null ? null : busy.get(group);
        return known == null ? null : known.until();
    }

    boolean isBusy(@Nullable String group, Instant now) {
        Instant until = busyUntil(group);
        return until != null && until.isAfter(now);
    }

    /** Those that are not to be tried for a while: a look need not show their jobs. */
    Set<String> names(Instant now) {
        Set<String> names = new HashSet<>();
        // what nobody has met for a while may be free, or gone for ever
        busy.values().removeIf(known -> known.until().plus(REMEMBERED).isBefore(now));
        busy.forEach((group, known) -> {
            if (known.until().isAfter(now)) {
                names.add(group);
            }
        });
        return names;
    }
}
