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
    /** So many days back a frequent schedule has a nominal day, which spares questions to the calendars. */
    private static final int NEAR = 7;
    /** By so much the next span is wider. */
    private static final int WIDER = 20;

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
        private final int lastNominal;
        private long day;
        private int reached = BusinessDates.NONE;

        Targets(Instant after, Instant until) {
            // a day early: a clock change may show a wall time of the day before, or the same again
            int from = dates.dayOf(after) - 1;
            this.last = dates.dayOf(until) + 1;
            int first = firstNominal(from, last);
            this.lastNominal = first == BusinessDates.NONE ? first : latestNominal(last);
            this.day = dayFrom(first, lastNominal);
        }

        /** The next one, or {@link BusinessDates#NONE}. */
        int next() {
            for (int i = 0; i < MOST_DATES && day != NONE; i++) {
                int target = dates.target((int) day, last);
                if (target > last) {
                    return BusinessDates.NONE;
                }
                boolean found = target > reached && isNominal(day);
                day = dayFrom(afterwards((int) day, target, last), lastNominal);
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
        long nominal = lastNominal(day, first);
        if (nominal == NONE) {
            int target = dates.following(first, day);
            return target == BusinessDates.NONE || lastNominal(first - 1, firstFollowing(first)) == NONE
                    ? NONE
                    : target;
        }
        int target = dates.target((int) nominal, day);
        if (target != BusinessDates.NONE) {
            return target;
        }
        int earlier = dates.preceding((int) nominal - 1, first);
        return earlier == BusinessDates.NONE ? NONE : lastFollowing(earlier, first);
    }

    /** The first day that follows to {@code from} or later: the one behind the last business day before. */
    private int firstFollowing(int from) {
        int business = dates.preceding(from - 1, from - BusinessDates.HORIZON);
        return business == BusinessDates.NONE ? from - BusinessDates.HORIZON : business + 1;
    }

    /** The last day that precedes to {@code day} or earlier: the one before the next business day. */
    private int lastPrecedingTo(int day) {
        int business = dates.following(day + 1, Civil.END_DAY);
        return business == BusinessDates.NONE ? day + BusinessDates.HORIZON : business - 1;
    }

    private long lastPreceding(int day, int first) {
        int business = dates.preceding(day, first);
        if (business == BusinessDates.NONE || nextNominal(business, lastPrecedingTo(business)) != NONE) {
            return business == BusinessDates.NONE ? NONE : business;
        }
        long earlier = lastNominal(business - 1, first);
        int target = earlier == NONE ? BusinessDates.NONE : dates.preceding((int) earlier, first);
        return target == BusinessDates.NONE ? NONE : target;
    }

    private long lastInMonths(int day, int first) {
        int firstOfMonth = Civil.monthStart(Math.max(first, 0));
        long nominal = lastNominal(monthEnd(day), firstOfMonth);
        while (nominal != NONE) {
            int target = dates.target((int) nominal, Civil.END_DAY);
            if (target != BusinessDates.NONE && target <= day) {
                return target;
            }
            int from = (int) nominal - 1;
            if (target == BusinessDates.NONE) {
                int business = dates.preceding(Civil.monthStart((int) nominal) - 1, first);
                from = business == BusinessDates.NONE ? BusinessDates.NONE : monthEnd(business);
            }
            nominal = lastNominal(from, firstOfMonth);
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

    /** A day before which no nominal one arrives at {@code from} or later. */
    private int firstNominal(int from, int last) {
        return switch (policy) {
            case FOLLOWING -> {
                boolean isShut = dates.following(from, last) == BusinessDates.NONE;
                yield isShut ? BusinessDates.NONE : nearestFollowing(from);
            }
            case PRECEDING -> dates.following(Math.max(from, 0), last);
            default -> Civil.monthStart(Math.max(from, 0));
        };
    }

    /**
     * The nearest nominal day that follows to {@code from} or later, as all behind the last business day do; that day if there is
     * none. Looks back in wider and wider spans, for a nominal and for a business day together: of one of them there may be none.
     */
    private int nearestFollowing(int from) {
        for (int span = NEAR; ; span = Math.min(WIDER * span, BusinessDates.HORIZON)) {
            int business = dates.preceding(from - 1, from - span);
            long nearest = lastNominal(from, business == BusinessDates.NONE ? from - span : business + 1);
            if (nearest != NONE) {
                return (int) nearest;
            }
            if (business != BusinessDates.NONE || span == BusinessDates.HORIZON) {
                return from;
            }
        }
    }

    /** A day after which no nominal one arrives at {@code last} or earlier. */
    private int latestNominal(int last) {
        return switch (policy) {
            case FOLLOWING -> last;
            case PRECEDING -> lastPrecedingTo(last);
            default -> monthEnd(last);
        };
    }

    /** The first day that the schedule names, up to a last one and to its last fire; none from {@link BusinessDates#NONE} on. */
    private long dayFrom(int from, int last) {
        return from == BusinessDates.NONE ? NONE : times.nextDay(from, time, Math.min(last, lastDay));
    }

    private long nextNominal(int from, int last) {
        long day = dayFrom(from, last);
        while (day != NONE && !isNominal(day)) {
            day = dayFrom((int) day + 1, last);
        }
        return day;
    }

    private long lastNominal(int from, int first) {
        long day = times.previousDay(Math.min(from, lastDay), time, first);
        while (day != NONE && !isNominal(day)) {
            day = times.previousDay((int) day - 1, time, first);
        }
        return day;
    }

    /**
     * Where to look for the next nominal day; {@link BusinessDates#NONE} if there is none. A month that has no business day at
     * all is left at once, and so are the days that move to one business day.
     */
    private int afterwards(int day, int target, int last) {
        boolean moved = target != day && isNominal(day);
        if (moved && target > day) {
            return target + 1;
        }
        if (moved && policy == CalendarPolicy.PRECEDING) {
            return dates.following(day, last);
        }
        if (moved && target != BusinessDates.NONE) {
            int business = dates.following(day, monthEnd(day));
            return business == BusinessDates.NONE ? monthEnd(day) + 1 : business;
        }
        if (target != BusinessDates.NONE) {
            return day + 1;
        }
        int following = policy == CalendarPolicy.FOLLOWING ? BusinessDates.NONE : dates.following(day, last);
        return following == BusinessDates.NONE ? following : Math.max(day + 1, Civil.monthStart(following));
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
        long earlier = switch (policy) {
            case FOLLOWING -> lastNominal(target, target - BusinessDates.HORIZON);
            case PRECEDING -> NONE;
            default -> lastNominal(target, Civil.monthStart(target));
        };
        if (earlier != NONE && dates.target((int) earlier, target) == target) {
            return instants((int) earlier).get(0);
        }
        long later = nextNominal(
                target, policy == CalendarPolicy.PRECEDING ? target + BusinessDates.HORIZON : monthEnd(target));
        return later == NONE ? null : instants((int) later).get(0);
    }
}
