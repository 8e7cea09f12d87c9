package dev.almanac.time;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * Finds the instants of matching wall times. Time is cut at the zone's transitions; inside a stretch the offset is
 * constant, so the search is {@link LocalSearch} shifted by it. At each cut the policy says what the gap or overlap
 * adds or takes away (SPEC 4.2).
 */
final class ZoneWalk {
    /** A gap of this length or more is a lost day, not a clock change: its times do not fire. */
    private static final long LOST_DAY_SECONDS = 3 * 3_600;

    private final LocalSearch search;
    private final ZoneRules rules;
    private final boolean gapFires;
    private final boolean firstPassOnly;

    ZoneWalk(LocalSearch search, boolean fixed, ZoneRules rules, DaylightSavingPolicy policy) {
        this.search = search;
        this.rules = rules;
        this.gapFires = fixed && policy == DaylightSavingPolicy.RUN_ONCE;
        this.firstPassOnly =
                policy == DaylightSavingPolicy.WALL_ONCE || fixed && policy == DaylightSavingPolicy.RUN_ONCE;
    }

    /** The smallest fire, in epoch seconds, that is not before {@code from}; {@link LocalSearch#NONE} if none. */
    long atOrAfter(long from) {
        if (rules.isFixedOffset()) {
            return shifted(search, from, rules.getOffset(Instant.ofEpochSecond(from)));
        }
        long at = from;
        ZoneOffsetTransition cut = before(at);
        long searchedFrom = Long.MAX_VALUE;
        long local = LocalSearch.NONE;
        while (true) {
            ZoneOffset offset = rules.getOffset(Instant.ofEpochSecond(at));
            long start = Math.max(at + offset.getTotalSeconds(), firstWanted(cut));
            if (start < searchedFrom || start > local) {
                local = search.atOrAfter(start);
                searchedFrom = start;
            }
            ZoneOffsetTransition next = rules.nextTransition(Instant.ofEpochSecond(at));
            if (local == LocalSearch.NONE && (next == null || at - from > LOST_DAY_SECONDS)) {
                return LocalSearch.NONE;
            }
            long found = local == LocalSearch.NONE ? Long.MAX_VALUE : local - offset.getTotalSeconds();
            if (next == null || found < next.toEpochSecond()) {
                return found;
            }
            if (firesInGap(next)) {
                return next.toEpochSecond();
            }
            cut = next;
            at = next.toEpochSecond();
        }
    }

    private static long shifted(LocalSearch search, long from, ZoneOffset offset) {
        long local = search.atOrAfter(from + offset.getTotalSeconds());
        return local == LocalSearch.NONE ? local : local - offset.getTotalSeconds();
    }

    /** The largest fire that is not after {@code from}. */
    long atOrBefore(long from) {
        long at = from;
        while (true) {
            int offset = rules.getOffset(Instant.ofEpochSecond(at)).getTotalSeconds();
            ZoneOffsetTransition cut = before(at);
            long local = search.atOrBefore(at + offset);
            if (local == LocalSearch.NONE && (cut == null || from - at > LOST_DAY_SECONDS)) {
                return LocalSearch.NONE;
            }
            long found = local == LocalSearch.NONE ? LocalSearch.NONE : local - offset;
            boolean inside = cut == null || found >= cut.toEpochSecond();
            if (local != LocalSearch.NONE && inside && local >= firstWanted(cut)) {
                return found;
            }
            if (cut == null) {
                return LocalSearch.NONE;
            }
            if (firesInGap(cut)) {
                return cut.toEpochSecond();
            }
            at = cut.toEpochSecond() - 1;
        }
    }

    /** The cut at which the stretch of an instant begins. */
    private @Nullable ZoneOffsetTransition before(long at) {
        return rules.previousTransition(Instant.ofEpochSecond(at + 1));
    }

    /** The earliest wall time of a stretch that counts: where only first passes do, the second pass is left out. */
    private long firstWanted(@Nullable ZoneOffsetTransition cut) {
        return firstPassOnly && cut != null && cut.isOverlap()
                ? cut.getDateTimeBefore().toEpochSecond(ZoneOffset.UTC)
                : Long.MIN_VALUE;
    }

    private boolean firesInGap(ZoneOffsetTransition cut) {
        if (!gapFires || !cut.isGap() || cut.getDuration().toSeconds() >= LOST_DAY_SECONDS) {
            return false;
        }
        long first = cut.getDateTimeBefore().toEpochSecond(ZoneOffset.UTC);
        long end = cut.getDateTimeAfter().toEpochSecond(ZoneOffset.UTC);
        long wanted = search.atOrAfter(first);
        return wanted != LocalSearch.NONE && wanted < end;
    }
}
