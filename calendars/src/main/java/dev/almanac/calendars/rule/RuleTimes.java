package dev.almanac.calendars.rule;

import dev.almanac.time.LocalTimes;
import dev.almanac.time.TimesOfDay;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The local times of a rule. A search goes from day to day inside the intervals that have fires, and skips what lies
 * between; it ends with the year 2199, or after {@value #MOST_STEPS} steps, which only rules reach that name seconds
 * their interval hardly ever or never meets.
 */
final class RuleTimes implements LocalTimes {
    private static final long DAY = RulePeriods.DAY;
    private static final int MOST_STEPS = 3_000_000;
    /** A million fires of most rules take fewer; about half a second of work. */
    private static final int MOST_COUNT_STEPS = 10_000_000;

    private static final long END = LocalDate.of(2200, 1, 1).toEpochDay() * DAY;

    private final RulePeriods periods;
    private final RuleDays days;
    private final TimesOfDay times;
    private final long first;
    private final List<Integer> positions;
    /** The chosen seconds of each period, where all periods have the same. */
    private final @Nullable BitSet chosen;

    private volatile @Nullable Ranked ranked;
    private long last;

    private RuleTimes(RuleParts parts) {
        this.first = parts.start.toEpochSecond(ZoneOffset.UTC);
        this.periods = new RulePeriods(parts, first);
        this.days = new RuleDays(parts);
        this.times = times(parts);
        this.positions = parts.positions;
        boolean same = !positions.isEmpty() && parts.frequency.compareTo(Frequency.DAILY) <= 0;
        this.chosen = same ? chosen(parts.frequency) : null;
        long until = parts.untilLocal == null ? END : parts.untilLocal.toEpochSecond(ZoneOffset.UTC);
        this.last = chosen != null && chosen.isEmpty() ? first - 1 : Math.min(until, END - 1);
    }

    /** @param refused makes the exception for a {@code COUNT} that it would take too long to find */
    static RuleTimes of(RuleParts parts, Function<String, RuntimeException> refused) {
        RuleTimes times = new RuleTimes(parts);
        if (parts.count > 0 && !times.end(parts.count)) {
            throw refused.apply("is not reached within " + MOST_COUNT_STEPS + " steps; write UNTIL instead");
        }
        return times;
    }

    /** Ends the rule with the fire of that number, before it is handed out; false if that is too far. */
    private boolean end(int count) {
        long at = first;
        int left = count;
        for (int i = 0; i < MOST_COUNT_STEPS && at <= last; i++) {
            long reached = notBefore(at);
            left -= reached == at ? 1 : 0;
            if (left == 0) {
                last = at;
            }
            at = Math.max(reached, at + 1);
        }
        return at > last;
    }

    private static TimesOfDay times(RuleParts parts) {
        Frequency frequency = parts.frequency;
        return new TimesOfDay(
                bits(parts.seconds, parts.start.getSecond(), frequency == Frequency.SECONDLY, 60),
                bits(parts.minutes, parts.start.getMinute(), frequency.compareTo(Frequency.MINUTELY) <= 0, 60),
                bits(parts.hours, parts.start.getHour(), frequency.isWithinDay(), 24));
    }

    /** The bits of a part: as written, else all, or that of the start. */
    private static long bits(List<Integer> written, int ofStart, boolean all, int count) {
        if (written.isEmpty()) {
            return all ? (1L << count) - 1 : 1L << ofStart;
        }
        return written.stream().mapToLong(value -> 1L << value).reduce(0, (one, other) -> one | other);
    }

    /** Counts within an hour, a minute or a day as in any other. */
    private BitSet chosen(Frequency frequency) {
        int start = times.first() - times.first() % frequency.seconds();
        int count = 0;
        for (int time = times.first(); time >= 0 && time < start + frequency.seconds(); count++) {
            time = time + 1 < DAY ? times.next(time + 1) : -1;
        }
        BitSet result = new BitSet();
        for (int position : positions) {
            int index = position > 0 ? position - 1 : count + position;
            if (index >= 0 && index < count) {
                result.set(times.at(index) - start);
            }
        }
        return result;
    }

    @Override
    public TimesOfDay timesOfDay() {
        return times;
    }

    @Override
    public long next(long from) {
        return search(Math.max(from, 0));
    }

    private long search(long from) {
        long at = Math.max(from, first);
        for (int i = 0; i < MOST_STEPS && at <= last; i++) {
            long reached = notBefore(at);
            if (reached == at) {
                return at;
            }
            at = reached;
        }
        return NONE;
    }

    @Override
    public long previous(long from) {
        long at = Math.min(from, last);
        for (int i = 0; i < MOST_STEPS && at >= Math.max(first, 0); i++) {
            long reached = notAfter(at);
            if (reached == at) {
                return at;
            }
            at = reached;
        }
        return NONE;
    }

    /** The time itself if it is a fire, else a later one that no fire comes before. */
    private long notBefore(long at) {
        long period = periods.at(at);
        long active = periods.from(period);
        if (active != period) {
            return periods.start(active);
        }
        if (isRanked()) {
            long found = ranked(period).from(at);
            return found == NONE ? periods.start(period + 1) : found;
        }
        long day = Math.floorDiv(at, DAY);
        long meant = days.from(day);
        if (meant != day) {
            return meant * DAY;
        }
        int time = times.next((int) (at - day * DAY));
        if (time < 0 || chosen == null || day * DAY + time > at) {
            return time < 0 ? (day + 1) * DAY : day * DAY + time;
        }
        int place = chosen.nextSetBit((int) (at - periods.start(period)));
        return place < 0 ? periods.start(period + 1) : periods.start(period) + place;
    }

    /** The time itself if it is a fire, else an earlier one that no fire comes after. */
    private long notAfter(long at) {
        long period = periods.at(at);
        long active = periods.upTo(period);
        if (active != period) {
            return periods.start(active + 1) - 1;
        }
        if (isRanked()) {
            long found = ranked(period).upTo(at);
            return found == NONE ? periods.start(period) - 1 : found;
        }
        long day = Math.floorDiv(at, DAY);
        long meant = days.upTo(day);
        if (meant != day) {
            return meant * DAY + DAY - 1;
        }
        int time = times.previous((int) (at - day * DAY));
        if (time < 0 || chosen == null || day * DAY + time < at) {
            return time < 0 ? day * DAY - 1 : day * DAY + time;
        }
        int place = chosen.previousSetBit((int) (at - periods.start(period)));
        return place < 0 ? periods.start(period) - 1 : periods.start(period) + place;
    }

    /** Whether positions choose among the times of weeks, months or years, which differ. */
    private boolean isRanked() {
        return chosen == null && !positions.isEmpty();
    }

    private Ranked ranked(long period) {
        Ranked known = ranked;
        if (known == null || known.period != period) {
            known = new Ranked(period, rank(period));
            ranked = known;
        }
        return known;
    }

    private long[] rank(long period) {
        long end = periods.start(period + 1) / DAY;
        List<Long> found = new ArrayList<>();
        for (long day = periods.start(period) / DAY; day < end; ) {
            long meant = days.from(day);
            if (meant == day) {
                found.add(day);
            }
            day = Math.max(meant, day + 1);
        }
        long count = (long) found.size() * times.count();
        return positions.stream()
                .mapToLong(position -> position > 0 ? position - 1 : count + position)
                .filter(index -> index >= 0 && index < count)
                .map(index -> found.get((int) (index / times.count())) * DAY + times.at((int) (index % times.count())))
                .sorted()
                .distinct()
                .toArray();
    }

    /** The chosen times of one period, in order. */
    private record Ranked(long period, long[] chosen) {
        long from(long at) {
            int place = Arrays.binarySearch(chosen, at);
            int index = place < 0 ? -place - 1 : place;
            return index < chosen.length ? chosen[index] : NONE;
        }

        long upTo(long at) {
            int place = Arrays.binarySearch(chosen, at);
            int index = place < 0 ? -place - 2 : place;
            return index >= 0 ? chosen[index] : NONE;
        }
    }
}
