package dev.almanac.time;

import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * Finds the instants at which the wall clock of a zone shows a matching time. Between two clock changes the offset is
 * constant, so inside such a stretch the search is one in local time; only at its ends is there something to decide.
 * Seconds count from the epoch. Immutable.
 */
final class WallSearch {
    static final long NONE = LocalTimes.NONE;
    /** A gap this long is a lost part of the calendar and no longer a clock change. */
    static final int LONG_GAP = 3 * 3600;

    private static final long DAY = Civil.DAY;
    private static final long EARLIEST = -DAY;
    private static final long LATEST = LocalPattern.END + DAY;

    private final LocalTimes pattern;
    private final ZoneRules rules;
    private final int movableGap;
    private final boolean firstPassOnly;

    /**
     * @param movableGap gaps shorter than this many seconds move the times in them to their end; 0 = none does
     * @param firstPassOnly a time shown twice counts once
     */
    WallSearch(LocalTimes pattern, ZoneRules rules, int movableGap, boolean firstPassOnly) {
        this.pattern = pattern;
        this.rules = rules;
        this.movableGap = movableGap;
        this.firstPassOnly = firstPassOnly;
    }

    static WallSearch of(LocalTimes pattern, boolean fixed, ZoneRules rules, DaylightSavingPolicy policy) {
        return switch (policy) {
            case RUN_ONCE -> new WallSearch(pattern, rules, fixed ? LONG_GAP : 0, fixed);
            case SKIP -> new WallSearch(pattern, rules, 0, false);
            case WALL_ONCE -> new WallSearch(pattern, rules, 0, true);
        };
    }

    /** The first fire at or after a second, or {@link #NONE}. */
    long next(long from) {
        long at = Math.max(from, EARLIEST);
        if (at <= LATEST && offset(at - 1) != offset(at) && endsGapWithFire(at)) {
            return at;
        }
        while (at <= LATEST) {
            int offset = offset(at);
            long local = pattern.next(at + offset);
            long reached = (local == NONE ? LATEST + DAY : local) - offset;
            ZoneOffsetTransition change = changeUpTo(reached);
            if (change != null && change.toEpochSecond() > at) {
                ZoneOffsetTransition first = rules.nextTransition(Instant.ofEpochSecond(at));
                if (movesInto(first, reached + offset)) {
                    return first.toEpochSecond();
                }
                at = beyond(first, at + offset, reached + offset);
            } else if (local == NONE) {
                return NONE;
            } else if (isSecondPass(change, local)) {
                at = change.toEpochSecond() - change.getDuration().getSeconds();
            } else {
                return reached;
            }
        }
        return NONE;
    }

    /** The last fire at or before a second, or {@link #NONE}. */
    long previous(long from) {
        long at = Math.min(from, LATEST);
        while (at >= EARLIEST) {
            int offset = offset(at);
            long local = pattern.previous(at + offset);
            ZoneOffsetTransition change = changeUpTo(at);
            if (change == null) {
                return local == NONE ? NONE : local - offset;
            }
            if (local != NONE && local >= shownBy(change)) {
                return local - offset;
            }
            if (isMovable(change) && local != NONE && local >= before(change)) {
                return change.toEpochSecond();
            }
            at = shortOf(change, at + offset, local);
        }
        return NONE;
    }

    /**
     * How many fires lie from a second to another, both included. Only what lies shortly after a clock change is visited: as
     * long as the change itself, since there the clock shows times again, or times that it left out are made up for.
     * At least {@code most} if there are more.
     */
    long count(long from, long to, long most) {
        long count = 0;
        long at = Math.max(from, EARLIEST);
        long last = Math.min(to, LATEST);
        while (at <= last && count < most) {
            ZoneOffsetTransition change = changeUpTo(at);
            long plain = change == null
                    ? at
                    : change.toEpochSecond() + Math.abs(change.getDuration().getSeconds());
            if (at < plain) {
                long fire = next(at);
                boolean inside = fire != NONE && fire < plain && fire <= last;
                count += inside ? 1 : 0;
                at = inside ? fire + 1 : plain;
            } else {
                ZoneOffsetTransition next = rules.nextTransition(Instant.ofEpochSecond(at));
                long end = next == null ? last : Math.min(last, next.toEpochSecond() - 1);
                int offset = offset(at);
                count += pattern.count(at + offset, end + offset, most - count);
                at = end + 1;
            }
        }
        return count;
    }

    /** The first second at or after the given one whose wall time does not match, or {@link #NONE} up to a limit. */
    static long nextUnmatched(LocalPattern pattern, ZoneRules rules, long from, long limit) {
        long at = from;
        while (at <= limit) {
            int offset = offset(rules, at);
            long local = pattern.nextUnmatched(at + offset, limit + offset);
            ZoneOffsetTransition change = rules.nextTransition(Instant.ofEpochSecond(at));
            if (change == null || local != NONE && local - offset < change.toEpochSecond()) {
                return local == NONE ? NONE : local - offset;
            }
            at = change.toEpochSecond();
        }
        return NONE;
    }

    private boolean endsGapWithFire(long at) {
        ZoneOffsetTransition change = changeUpTo(at);
        return change != null
                && change.toEpochSecond() == at
                && isMovable(change)
                && movesInto(change, pattern.next(before(change)));
    }

    private boolean movesInto(ZoneOffsetTransition change, long local) {
        return isMovable(change) && local != NONE && local < after(change);
    }

    private boolean isMovable(ZoneOffsetTransition change) {
        return change.isGap() && change.getDuration().getSeconds() < movableGap;
    }

    private boolean isSecondPass(@Nullable ZoneOffsetTransition change, long local) {
        return firstPassOnly && change != null && change.isOverlap() && local < before(change);
    }

    /** From where to go on: the change, or, if the clock does not go back behind what was searched, near the match. */
    private static long beyond(ZoneOffsetTransition change, long searchedFrom, long local) {
        long at = change.toEpochSecond();
        return change.isOverlap() && after(change) < searchedFrom ? at : Math.max(at, local - 2 * DAY);
    }

    private static long shortOf(ZoneOffsetTransition change, long searchedFrom, long local) {
        long at = change.toEpochSecond() - 1;
        if (change.isOverlap() && before(change) - 1 > searchedFrom) {
            return at;
        }
        return local == NONE ? EARLIEST - 1 : Math.min(at, local + 2 * DAY);
    }

    /** The first local second of the stretch that begins with a change, without a second pass that does not count. */
    private long shownBy(ZoneOffsetTransition change) {
        return firstPassOnly ? Math.max(before(change), after(change)) : after(change);
    }

    private int offset(long at) {
        return offset(rules, at);
    }

    private static int offset(ZoneRules rules, long at) {
        return rules.getOffset(Instant.ofEpochSecond(at)).getTotalSeconds();
    }

    private @Nullable ZoneOffsetTransition changeUpTo(long at) {
        return rules.previousTransition(Instant.ofEpochSecond(at + 1));
    }

    /** What the clock would show at the change if it did not change. */
    private static long before(ZoneOffsetTransition change) {
        return change.toEpochSecond() + change.getOffsetBefore().getTotalSeconds();
    }

    /** What the clock shows at the change. */
    private static long after(ZoneOffsetTransition change) {
        return change.toEpochSecond() + change.getOffsetAfter().getTotalSeconds();
    }
}
