package dev.almanac.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The last fire of a window, found with {@code next} alone, so that both directions cannot disagree: widen the window
 * until it holds a fire, then halve what is left after the last fire found.
 */
final class LastBefore {
    private static final long[] WINDOWS = {3600, 86_400, 40L * 86_400, 400L * 86_400, CalendarChain.HORIZON_SECONDS};

    private final Fires fires;
    private final Instant until;
    private final Instant from;

    LastBefore(Fires fires, Instant until, Instant from) {
        this.fires = fires;
        this.until = until;
        this.from = from;
    }

    Optional<PlannedFire> find() {
        Instant end = Instant.ofEpochSecond(LocalPattern.END + Civil.DAY);
        Instant anchor = until.isAfter(end) ? end : until;
        for (long window : WINDOWS) {
            Instant start = Moments.plus(anchor, -window);
            boolean whole = !start.isAfter(from);
            Optional<PlannedFire> found = fires.next(whole ? Moments.justBefore(from) : start, until);
            if (found.isPresent() || whole) {
                return found.map(fire -> last(fire, anchor));
            }
        }
        return Optional.empty();
    }

    private PlannedFire last(PlannedFire found, Instant anchor) {
        PlannedFire known = found;
        Instant empty = anchor;
        while (true) {
            // most windows hold few fires: the one found is often the last
            Optional<PlannedFire> following = fires.next(known.fireTime(), until);
            if (following.isEmpty()) {
                return known;
            }
            known = following.get();
            Instant middle = middle(known.fireTime(), empty);
            Optional<PlannedFire> later = fires.next(middle, until);
            if (later.isPresent()) {
                known = later.get();
            } else {
                empty = middle;
            }
        }
    }

    /** Half way between the two, on a whole second as long as they are seconds apart. */
    private static Instant middle(Instant first, Instant second) {
        long seconds = second.getEpochSecond() - first.getEpochSecond();
        return seconds > 2
                ? first.plusSeconds(seconds / 2)
                : first.plusNanos(Duration.between(first, second).toNanos() / 2);
    }
}
