package dev.almanac.calendars;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Excludes stretches of wall time, each from its start to the moment before its end.
 *
 * @param ends by starts; no two touch or overlap
 */
record RangeRule(NavigableMap<Long, Long> ends) implements LocalRule {
    static RangeRule of(Collection<DateTimeRange> ranges) {
        TreeMap<Long, Long> sorted = new TreeMap<>();
        ranges.forEach(range -> sorted.merge(millis(range.start()), millis(range.end()), Math::max));
        TreeMap<Long, Long> merged = new TreeMap<>();
        sorted.forEach((start, end) -> {
            Map.Entry<Long, Long> last = merged.lastEntry();
            if (last != null && start <= last.getValue()) {
                merged.put(last.getKey(), Math.max(end, last.getValue()));
            } else {
                merged.put(start, end);
            }
        });
        return new RangeRule(Collections.unmodifiableNavigableMap(merged));
    }

    /** Bounded where {@link RuleCalendar} asks no rule. */
    private static long millis(LocalDateTime at) {
        long seconds = at.toEpochSecond(ZoneOffset.UTC);
        return Math.abs(seconds) > RuleCalendar.BEYOND_SECONDS
                ? Long.signum(seconds) * RuleCalendar.BEYOND_SECONDS * 1_000
                : at.toInstant(ZoneOffset.UTC).toEpochMilli();
    }

    @Override
    public boolean includes(long local) {
        Map.Entry<Long, Long> last = ends.floorEntry(local);
        return last == null || local >= last.getValue();
    }

    @Override
    public long nextIncluded(long local) {
        return includes(local) ? local : ends.floorEntry(local).getValue();
    }
}
