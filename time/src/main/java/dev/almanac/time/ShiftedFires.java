package dev.almanac.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Excluded fires move to another date and keep their wall time. Dates and times of an expression are independent, and
 * for one wall time the move never changes the order of dates; so each wall time is searched by itself, from the last
 * date that can still arrive after the given instant, and the earliest result counts.
 */
final class ShiftedFires implements Fires {
    /** Most fires are near: a time of day that no day has is not searched for further than the first of the others. */
    private static final long FEW_DAYS = 4;

    private static final long WIDER = 20;

    private final Recurrence recurrence;

    ShiftedFires(Recurrence recurrence) {
        this.recurrence = recurrence;
    }

    @Override
    public Optional<PlannedFire> next(Instant after, Instant until) {
        TimesOfDay times = timesOfDay();
        int likely = firstSearched(times, after, until);
        if (likely < 0) {
            return Optional.empty();
        }
        PlannedFire best = null;
        Instant last = upToEnd(until);
        Instant limit = after;
        for (long days = FEW_DAYS; best == null && limit.isBefore(last); days *= WIDER) {
            Instant end = Moments.plus(after, days * Civil.DAY);
            limit = end.isBefore(last) ? end : last;
            best = first(times, likely, after, limit);
        }
        return Optional.ofNullable(best);
    }

    private @Nullable PlannedFire first(TimesOfDay times, int likely, Instant after, Instant until) {
        PlannedFire best = search(likely, after, until);
        for (int time = times.first(); time >= 0; time = after(times, time)) {
            Instant limit = best == null ? until : best.fireTime();
            PlannedFire found = time == likely ? null : search(time, after, limit);
            if (found != null && found.fireTime().isBefore(best == null ? Instant.MAX : best.fireTime())) {
                best = found;
            }
        }
        return best;
    }

    @Override
    public Optional<PlannedFire> previous(Instant until, Instant from) {
        Instant last = upToEnd(until);
        Instant horizon = Moments.plus(last, -CalendarChain.HORIZON_SECONDS);
        Instant first = from.isAfter(horizon) ? from : horizon;
        int likely = recurrence.schedule().canFire() ? orMoved(likelyTimeBefore(last, first)) : -1;
        if (likely < 0) {
            return Optional.empty();
        }
        PlannedFire best;
        Instant limit;
        long days = FEW_DAYS;
        do {
            Instant begin = Moments.plus(last, -days * Civil.DAY);
            limit = begin.isAfter(first) ? begin : first;
            best = last(likely, last, limit);
            days *= WIDER;
        } while (best == null && limit.isAfter(first));
        return Optional.ofNullable(best);
    }

    private static Instant upToEnd(Instant until) {
        Instant end = Instant.ofEpochSecond(LocalPattern.END + Civil.DAY);
        return until.isAfter(end) ? end : until;
    }

    private @Nullable PlannedFire last(int likely, Instant until, Instant from) {
        TimesOfDay times = timesOfDay();
        PlannedFire best = new ShiftedTime(recurrence, likely).previous(until, from);
        for (int time = times.last(); time >= 0; time = time == 0 ? -1 : times.previous(time - 1)) {
            Instant limit = best == null ? from : best.fireTime();
            PlannedFire found = time == likely ? null : new ShiftedTime(recurrence, time).previous(until, limit);
            if (found != null && found.fireTime().isAfter(best == null ? Instant.MIN : best.fireTime())) {
                best = found;
            }
        }
        return best;
    }

    /**
     * Walks the days of each wall time by itself, so that the work grows with the days and the times. Only at a clock change
     * do two wall times share an instant.
     */
    @Override
    public long count(Instant after, Instant until, long most) {
        TimesOfDay times = timesOfDay();
        boolean none = firstSearched(times, after, until) < 0;
        Set<Instant> atChanges = new HashSet<>();
        long count = 0;
        for (int time = none ? -1 : times.first();
                time >= 0 && count + atChanges.size() < most;
                time = after(times, time)) {
            count += new ShiftedTime(recurrence, time).count(after, until, most - count, atChanges);
        }
        return Math.min(most, count + atChanges.size());
    }

    private static int after(TimesOfDay times, int time) {
        return time == Civil.DAY - 1 ? -1 : times.next(time + 1);
    }

    private TimesOfDay timesOfDay() {
        return recurrence.schedule().wallTimes(recurrence.zone()).timesOfDay();
    }

    /** The wall time to search first; -1 if there is no fire. */
    private int firstSearched(TimesOfDay times, Instant after, Instant until) {
        if (!recurrence.schedule().canFire() || after.getEpochSecond() > LocalPattern.END + Civil.DAY) {
            return -1;
        }
        return times.count() == 1 ? times.first() : orMoved(likelyTime(after, until));
    }

    /** A wall time that every day excludes may be included all the same where a gap moves it to another. */
    private int orMoved(int likely) {
        boolean moves = recurrence.schedule().isFixedTime()
                && recurrence.daylightSavingPolicy() == DaylightSavingPolicy.RUN_ONCE;
        return likely < 0 && moves ? timesOfDay().first() : likely;
    }

    private int likelyTimeBefore(Instant last, Instant first) {
        int likely = -1;
        for (long days = 3; likely < 0 && days < 20 * BusinessDates.HORIZON; days *= 20) {
            Instant start = Moments.plus(last, -days * Civil.DAY);
            likely = likelyTime(start.isAfter(first) ? start : Moments.plus(first, -Civil.DAY), last);
        }
        return likely;
    }

    private @Nullable PlannedFire search(int time, Instant after, Instant until) {
        return new ShiftedTime(recurrence, time).next(after, until);
    }

    /** A wall time that some day includes, so that the search of all others soon has a limit; -1 if none is ever. */
    private int likelyTime(Instant after, Instant until) {
        ZoneId zone = recurrence.zone();
        WallSearch everyDay = new WallSearch(LocalPattern.everyDay(timesOfDay()), zone.getRules(), 0, false);
        long second = Math.max(after.getEpochSecond(), -Civil.DAY) + 1;
        long end = Math.min(until.getEpochSecond(), second + CalendarChain.HORIZON_SECONDS);
        ExclusionCalendar calendar = recurrence.calendar();
        for (int i = 0; i < Recurrence.MOST_EXCLUDED; i++) {
            second = everyDay.next(second);
            if (second == WallSearch.NONE || second > end) {
                return -1;
            }
            Instant at = Instant.ofEpochSecond(second);
            Optional<Instant> included = calendar.nextIncluded(at, zone);
            if (included.isEmpty()) {
                return -1;
            }
            if (included.get().equals(at)) {
                return Math.floorMod(second + zone.getRules().getOffset(at).getTotalSeconds(), Civil.DAY);
            }
            second = CalendarChain.notBefore(included.get(), at, calendar)
                    .plusNanos(999_999_999)
                    .getEpochSecond();
        }
        return -1;
    }
}
