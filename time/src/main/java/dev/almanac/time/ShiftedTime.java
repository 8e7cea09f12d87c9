package dev.almanac.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The shifted fires of one wall time. */
final class ShiftedTime {
    private static final long NONE = LocalTimes.NONE;
    private static final int MOST_DATES = 20_000;

    private final LocalTimes times;
    private final ZoneRules rules;
    private final CalendarPolicy policy;
    private final BusinessDates dates;
    private final int time;
    private final Instant lastNominal;
    /** At most one too late: a clock that is set back over midnight shows an earlier date again. */
    private final int lastDay;

    private final boolean moves;
    private final boolean firstPassOnly;

    ShiftedTime(Recurrence recurrence, int time) {
        boolean fixed = recurrence.schedule().isFixedTime();
        DaylightSavingPolicy clock = recurrence.daylightSavingPolicy();
        this.times = recurrence.schedule().wallTimes(recurrence.zone());
        this.rules = recurrence.zone().getRules();
        this.policy = recurrence.calendarPolicy();
        this.dates = new BusinessDates(recurrence, time);
        this.time = time;
        this.lastNominal = recurrence.schedule().last();
        this.lastDay = lastNominal.equals(Instant.MAX) ? Civil.END_DAY : dates.dayOf(lastNominal) + 1;
        this.moves = clock == DaylightSavingPolicy.RUN_ONCE && fixed;
        this.firstPassOnly = moves || clock == DaylightSavingPolicy.WALL_ONCE;
    }

    /** The first fire after {@code after} and not after {@code until}, or null. */
    @Nullable
    PlannedFire next(Instant after, Instant until) {
        Targets targets = new Targets(after, until);
        for (int target = targets.next(); target != BusinessDates.NONE; target = targets.next()) {
            for (Instant at : arrivals(target)) {
                if (at.isAfter(after)) {
                    return at.isAfter(until) ? null : new PlannedFire(at, nominal(target));
                }
            }
        }
        return null;
    }

    /**
     * How many fires lie after {@code after} and not after {@code until}; counting ends soon after {@code most}.
     *
     * @param atChanges takes those, in place of the count, that another wall time may share, since a gap moves times there
     */
    long count(Instant after, Instant until, long most, Set<Instant> atChanges) {
        Targets targets = new Targets(after, until);
        long count = 0;
        for (int target = targets.next(); target != BusinessDates.NONE && count < most; target = targets.next()) {
            for (Instant at : arrivals(target)) {
                if (at.isAfter(after) && !at.isAfter(until)) {
                    if (moves && isChange(at)) {
                        atChanges.add(at);
                    } else {
                        count++;
                    }
                }
            }
        }
        return count;
    }

    private boolean isChange(Instant at) {
        ZoneOffsetTransition last = rules.previousTransition(at.plusSeconds(1));
        return last != null && last.getInstant().equals(at);
    }

    /** The days of a window to which nominal days move, in their order. */
    private final class Targets {
        private final int last;
        private long day;
        private int reached = BusinessDates.NONE;

        Targets(Instant after, Instant until) {
            // a day early: a clock change may show a wall time of the day before, or the same again
            this.last = dates.dayOf(until) + 1;
            this.day = firstNominal(dates.dayOf(after) - 1, last);
        }

        /** The next one, or {@link BusinessDates#NONE}. */
        int next() {
            for (int i = 0; i < MOST_DATES && day != NONE && earliestTarget((int) day) <= last; i++) {
                int target = dates.target((int) day, last);
                if (target > last) {
                    return BusinessDates.NONE;
                }
                boolean found = target > reached && isNominal(day);
                day = afterwards((int) day, target, last);
                if (found) {
                    reached = target;
                    return target;
                }
            }
            return BusinessDates.NONE;
        }
    }

    /** The last fire that is neither after {@code until} nor before {@code from}, or null. */
    @Nullable
    PlannedFire previous(Instant until, Instant from) {
        int day = dates.dayOf(until) + 1;
        int first = Math.max(dates.dayOf(from) - 1, day - BusinessDates.HORIZON);
        for (int i = 0; i < MOST_DATES && day >= first; i++) {
            long target = lastTarget(day, first);
            List<Instant> fires = target == NONE ? List.of() : arrivals((int) target);
            for (int pass = fires.size() - 1; pass >= 0; pass--) {
                Instant at = fires.get(pass);
                if (!at.isAfter(until)) {
                    return at.isBefore(from) ? null : new PlannedFire(at, nominal((int) target));
                }
            }
            if (target == NONE) {
                return null;
            }
            day = (int) target - 1;
        }
        return null;
    }

    /** The last day not after {@code day} to which a nominal day moves; days before {@code first} do not matter. */
    private long lastTarget(int day, int first) {
        return switch (policy) {
            case FOLLOWING -> lastFollowing(day, first);
            case PRECEDING -> lastPreceding(day, first);
            default -> lastInMonths(day, first);
        };
    }

    private long lastFollowing(int day, int first) {
        long nominal = lastNominal(day);
        if (nominal == NONE) {
            return NONE;
        }
        int target = dates.target((int) nominal, day);
        if (target != BusinessDates.NONE) {
            return target;
        }
        int earlier = dates.preceding((int) nominal - 1, first);
        long moved = earlier == BusinessDates.NONE ? NONE : lastNominal(earlier);
        return moved == NONE ? NONE : dates.target((int) moved, earlier);
    }

    private long lastPreceding(int day, int first) {
        int business = dates.preceding(day, first);
        if (business == BusinessDates.NONE) {
            return NONE;
        }
        long next = nextNominal(business);
        if (next != NONE && dates.target((int) next, Civil.END_DAY) == business) {
            return business;
        }
        long earlier = lastNominal(business - 1);
        int target = earlier == NONE ? BusinessDates.NONE : dates.preceding((int) earlier, first);
        return target == BusinessDates.NONE ? NONE : target;
    }

    private long lastInMonths(int day, int first) {
        long nominal = lastNominal(monthEnd(day));
        while (nominal != NONE && nominal >= Civil.monthStart(Math.max(first, 0))) {
            int target = dates.target((int) nominal, Civil.END_DAY);
            if (target != BusinessDates.NONE && target <= day) {
                return target;
            }
            int from = (int) nominal - 1;
            if (target == BusinessDates.NONE) {
                int business = dates.preceding(Civil.monthStart((int) nominal) - 1, first);
                from = business == BusinessDates.NONE ? BusinessDates.NONE : monthEnd(business);
            }
            nominal = lastNominal(from);
        }
        return NONE;
    }

    private static int monthEnd(int day) {
        return Civil.monthStart(Civil.monthStart(Math.max(day, 0)) + 31) - 1;
    }

    /** When the nominal fire of a day fires, or null if its policy leaves it out or a nearer one stands for it. */
    @Nullable
    Instant arrival(int day) {
        int target = dates.target(day, Civil.END_DAY);
        List<Instant> at = target == BusinessDates.NONE ? List.of() : instants(target);
        return at.isEmpty() || !instants(day).get(0).equals(nominal(target)) ? null : at.get(0);
    }

    /** The first nominal day that may arrive at {@code from} or later. */
    private long firstNominal(int from, int last) {
        int first = switch (policy) {
            case FOLLOWING -> (int) Math.max(lastNominal(from), from - BusinessDates.HORIZON);
            case PRECEDING -> dates.following(Math.max(from, 0), last);
            default -> Civil.monthStart(Math.max(from, 0));
        };
        return first == BusinessDates.NONE || first > last ? NONE : dayFrom(first);
    }

    /** The first day that the schedule names, up to its last fire. */
    private long dayFrom(int from) {
        long day = times.nextDay(from, time);
        return day > lastDay ? NONE : day;
    }

    private long nextNominal(int from) {
        long day = dayFrom(from);
        while (day != NONE && !isNominal(day)) {
            day = dayFrom((int) day + 1);
        }
        return day;
    }

    private long lastNominal(int from) {
        long day = times.previousDay(Math.min(from, lastDay), time);
        while (day != NONE && !isNominal(day)) {
            day = times.previousDay((int) day - 1, time);
        }
        return day;
    }

    /** A bound below which the target of a nominal day cannot lie, rising with the day. */
    private int earliestTarget(int day) {
        return switch (policy) {
            case FOLLOWING -> day;
            case PRECEDING -> day - BusinessDates.HORIZON;
            default -> Civil.monthStart(day);
        };
    }

    /**
     * The nominal day to look at next. A month that has no business day at all is left at once, and so are the days that
     * move to one business day.
     */
    private long afterwards(int day, int target, int last) {
        boolean moved = target != day && isNominal(day);
        if (moved && target > day) {
            return dayFrom(target + 1);
        }
        if (moved && policy == CalendarPolicy.PRECEDING) {
            int business = dates.following(day, last);
            return business == BusinessDates.NONE ? NONE : dayFrom(business);
        }
        if (moved && target != BusinessDates.NONE) {
            int business = dates.following(day, monthEnd(day));
            return dayFrom(business == BusinessDates.NONE ? monthEnd(day) + 1 : business);
        }
        if (target != BusinessDates.NONE) {
            return dayFrom(day + 1);
        }
        int following = policy == CalendarPolicy.FOLLOWING ? BusinessDates.NONE : dates.following(day, last);
        return following == BusinessDates.NONE ? NONE : dayFrom(Math.max(day + 1, Civil.monthStart(following)));
    }

    private boolean isNominal(long day) {
        return !nominals((int) day).isEmpty();
    }

    /** When a day that the schedule names would fire if nothing moved it: the end of the schedule bounds this, not the target. */
    private List<Instant> nominals(int day) {
        List<Instant> all = instants(day);
        return lastDay >= Civil.END_DAY
                ? all
                : all.stream().filter(at -> !at.isAfter(lastNominal)).toList();
    }

    /** When the fires of the days that move to a target arrive, its own among them. */
    private List<Instant> arrivals(int target) {
        List<Instant> own = times.matches(target, time) ? nominals(target) : List.of();
        return own.isEmpty() ? instants(target) : own;
    }

    /** The instants at which the wall time of a day fires, by the rule of docs/time.md. */
    private List<Instant> instants(int day) {
        LocalDateTime local = BusinessDates.local(day, time);
        ZoneOffsetTransition change = rules.getTransition(local);
        if (change == null) {
            return List.of(local.toInstant(rules.getOffset(local)));
        }
        if (change.isGap()) {
            boolean moved = moves && change.getDuration().getSeconds() < WallSearch.LONG_GAP;
            return moved ? List.of(change.getInstant()) : List.of();
        }
        Instant first = local.toInstant(change.getOffsetBefore());
        return firstPassOnly ? List.of(first) : List.of(first, local.toInstant(change.getOffsetAfter()));
    }

    /** The nearest nominal fire that moves to a day, or null if the day has one of its own. */
    private @Nullable Instant nominal(int target) {
        if (times.matches(target, time) && isNominal(target)) {
            return null;
        }
        long earlier = lastNominal(target);
        if (earlier != NONE && dates.target((int) earlier, target) == target) {
            return instants((int) earlier).get(0);
        }
        long later = nextNominal(target);
        return later == NONE ? null : instants((int) later).get(0);
    }
}
