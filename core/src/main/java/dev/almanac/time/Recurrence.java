package dev.almanac.time;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fires of a job: a cron expression in a zone, under a clock-change policy, exclusion calendars and bounds.
 * Immutable and thread-safe.
 *
 * <p>The fires are a set: each nominal fire of the expression is kept, dropped, or shifted as the calendar policy says
 * (rule C4), and {@link #next} answers the smallest element after an instant. Two nominal fires that are shifted to
 * one instant are one fire. A shift goes at most {@value #LONGEST_SHIFT_DAYS} days; a fire for which that is not
 * enough is dropped. {@code startAt} and {@code endAt} bound the instants at which fires take place, both included.
 */
public final class Recurrence {
    /** How far a calendar policy may shift a fire, in days: {@value}. */
    public static final int LONGEST_SHIFT_DAYS = 31;

    private static final Duration LONGEST_SHIFT = Duration.ofDays(LONGEST_SHIFT_DAYS);
    private static final Duration BOUND = Duration.ofDays(20 * 366L);
    private static final int MOST_ROUNDS = 50_000;
    private static final int MOST_SHIFTED = 5_000;

    private final CronExpression cron;
    private final ZoneId zone;
    private final DaylightSavingPolicy clockChanges;
    private final @Nullable ExclusionCalendar calendar;
    private final CalendarPolicy policy;
    private final @Nullable Instant startAt;
    private final @Nullable Instant endAt;

    /**
     * @param calendars exclude jointly; may be empty
     * @param startAt no fire lies before; absent = no bound
     * @param endAt no fire lies after; absent = no bound
     */
    public Recurrence(
            CronExpression cron,
            ZoneId zone,
            DaylightSavingPolicy clockChanges,
            List<? extends ExclusionCalendar> calendars,
            CalendarPolicy policy,
            @Nullable Instant startAt,
            @Nullable Instant endAt) {
        this.cron = cron;
        this.zone = zone;
        this.clockChanges = clockChanges;
        this.calendar = calendars.isEmpty() ? null : ExclusionCalendar.allOf(calendars);
        this.policy = policy;
        this.startAt = startAt;
        this.endAt = endAt;
    }

    /** The first fire strictly after an instant. */
    public Optional<PlannedFire> next(Instant after) {
        boolean early = startAt != null && after.isBefore(startAt);
        Instant from = early ? startAt.minusNanos(1) : after;
        return find(from).filter(fire -> endAt == null || !fire.fireTime().isAfter(endAt));
    }

    private Optional<PlannedFire> find(Instant after) {
        if (calendar == null) {
            return nominal(after).map(fire -> new PlannedFire(fire, null));
        }
        return policy == CalendarPolicy.DROP ? nextRegular(after) : nextShifted(after);
    }

    /** The last fire strictly before an instant. */
    public Optional<PlannedFire> previous(Instant before) {
        boolean late = endAt != null && before.isAfter(endAt);
        Instant until = late ? endAt.plusNanos(1) : before;
        Optional<PlannedFire> found =
                calendar == null || policy == CalendarPolicy.DROP ? previousRegular(until) : previousShifted(until);
        return found.filter(fire -> startAt == null || !fire.fireTime().isBefore(startAt));
    }

    private Optional<Instant> nominal(Instant after) {
        return cron.next(after, zone, clockChanges);
    }

    private boolean isIncluded(Instant fire) {
        return calendar == null || calendar.isIncluded(fire, zone);
    }

    /** The next nominal fire that is included; over an excluded stretch it jumps, it does not step. */
    private Optional<PlannedFire> nextRegular(Instant after) {
        Optional<Instant> fire = nominal(after);
        Optional<Instant> bound = fire.map(first -> first.plus(BOUND));
        for (int round = 0; round < MOST_ROUNDS && fire.isPresent(); round++) {
            if (fire.get().isAfter(bound.get())) {
                return Optional.empty();
            }
            if (isIncluded(fire.get())) {
                return Optional.of(new PlannedFire(fire.get(), null));
            }
            fire = nextIncluded(fire.get()).flatMap(included -> nominal(included.minusNanos(1)));
        }
        return Optional.empty();
    }

    private Optional<Instant> nextIncluded(Instant from) {
        return calendar == null ? Optional.of(from) : calendar.nextIncluded(from, zone);
    }

    private Optional<PlannedFire> previousRegular(Instant before) {
        Optional<Instant> fire = cron.previous(before, zone, clockChanges);
        for (int round = 0; round < MOST_ROUNDS && fire.isPresent(); round++) {
            if (isIncluded(fire.get())) {
                return Optional.of(new PlannedFire(fire.get(), null));
            }
            fire = cron.previous(fire.get(), zone, clockChanges);
        }
        return Optional.empty();
    }

    /** The smallest image after an instant. Images of earlier and of later nominal fires may lie there. */
    private Optional<PlannedFire> nextShifted(Instant after) {
        PlannedFire best = null;
        Optional<Instant> fire = firstThatMayReach(after);
        Optional<Instant> bound = fire.map(first -> first.plus(BOUND));
        for (int round = 0; round < MOST_ROUNDS && fire.isPresent(); round++) {
            Instant nominal = fire.get();
            boolean tooLate = best != null
                    && (round > MOST_SHIFTED || nominal.isAfter(best.fireTime().plus(LONGEST_SHIFT)));
            if (tooLate || nominal.isAfter(bound.get())) {
                break;
            }
            PlannedFire image = image(nominal);
            boolean better = image != null
                    && image.fireTime().isAfter(after)
                    && (best == null || image.fireTime().isBefore(best.fireTime()));
            best = better ? image : best;
            fire = nominal(nominal);
        }
        return Optional.ofNullable(best);
    }

    /** The earliest nominal fire whose image may lie after the instant. */
    private Optional<Instant> firstThatMayReach(Instant after) {
        Instant earliest = after.minus(LONGEST_SHIFT).minusNanos(1);
        Optional<Instant> fire = Optional.empty();
        Optional<Instant> at = cron.previous(after.plusNanos(1), zone, clockChanges);
        for (int round = 0; round < MOST_SHIFTED && at.isPresent() && at.get().isAfter(earliest); round++) {
            fire = at;
            at = cron.previous(at.get(), zone, clockChanges);
        }
        return fire.isPresent() ? fire : nominal(after);
    }

    private Optional<PlannedFire> previousShifted(Instant before) {
        for (Duration back = LONGEST_SHIFT; back.compareTo(BOUND) < 0; back = back.multipliedBy(4)) {
            PlannedFire last = null;
            Optional<PlannedFire> at = nextShifted(before.minus(back));
            for (int i = 0;
                    i < MOST_SHIFTED && at.isPresent() && at.get().fireTime().isBefore(before);
                    i++) {
                last = at.get();
                at = nextShifted(last.fireTime());
            }
            if (last != null) {
                return Optional.of(last);
            }
        }
        return Optional.empty();
    }

    /** Where a nominal fire takes place; absent if it does not. */
    private @Nullable PlannedFire image(Instant nominal) {
        if (isIncluded(nominal)) {
            return new PlannedFire(nominal, null);
        }
        Instant moved = policy == CalendarPolicy.NEXT_INCLUDED ? firstIncluded(nominal) : businessDay(nominal);
        return moved == null ? null : new PlannedFire(moved, nominal);
    }

    private @Nullable Instant firstIncluded(Instant nominal) {
        Instant included = nextIncluded(nominal).orElse(null);
        Instant next = nominal(nominal).orElse(null);
        return included != null && (next == null || included.isBefore(next)) ? included : null;
    }

    private @Nullable Instant businessDay(Instant nominal) {
        boolean forward = policy == CalendarPolicy.FOLLOWING || policy == CalendarPolicy.MODIFIED_FOLLOWING;
        boolean modified = policy == CalendarPolicy.MODIFIED_FOLLOWING || policy == CalendarPolicy.MODIFIED_PRECEDING;
        LocalDateTime local = LocalDateTime.ofInstant(nominal, zone);
        Instant found = businessDay(local, forward ? 1 : -1);
        boolean leftMonth = found != null && monthOf(found) != local.getMonthValue();
        return modified && (found == null || leftMonth) ? businessDay(local, forward ? -1 : 1) : found;
    }

    private int monthOf(Instant instant) {
        return LocalDate.ofInstant(instant, zone).getMonthValue();
    }

    private @Nullable Instant businessDay(LocalDateTime local, int step) {
        for (int days = 1; days <= LONGEST_SHIFT_DAYS; days++) {
            Instant candidate = LocalMoments.resolve(local.plusDays((long) step * days), zone, clockChanges);
            if (isIncluded(candidate)) {
                return candidate;
            }
        }
        return null;
    }
}
