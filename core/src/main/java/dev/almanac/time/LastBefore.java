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
                return found.map(this::last);
            }
        }
        return Optional.empty();
    }

    private PlannedFire last(PlannedFire found) {
        PlannedFire known = found;
        Instant empty = until;
        while (known.fireTime().isBefore(empty)) {
            Instant middle = middle(known.fireTime(), empty);
            Optional<PlannedFire> later = fires.next(middle, until);
            if (later.isPresent()) {
                known = later.get();
            } else {
                empty = middle;
            }
        }
        return known;
    }

    /** Between the two, nearer to the first; the first itself once they are a millisecond apart. */
    private static Instant middle(Instant first, Instant second) {
        long seconds = second.getEpochSecond() - first.getEpochSecond();
        return seconds > 2
                ? first.plusSeconds(seconds / 2)
                : first.plusNanos(Duration.between(first, second).toNanos() / 2);
    }
}
