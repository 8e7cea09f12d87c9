package dev.almanac.time;

import dev.almanac.time.FirePreview.Reason;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The moment of a one-off, and its fire under calendars (rule C4): the moment itself if all of them include it, else
 * where the policy moves it. It has no regular fire after it, so NEXT_INCLUDED looks as far as 20 years ahead. Immutable
 * and safe for use by many threads.
 *
 * @param moment when it would fire without calendars
 * @param wanted the wall time that is meant by it; it is kept where a convention moves the date
 * @param zone the zone of that wall time
 * @param calendars exclude moments; the order has no effect
 */
public record SingleMoment(
        Instant moment, LocalDateTime wanted, ZoneId zone, List<ExclusionCalendar> calendars, CalendarPolicy policy) {

    /** Checks that what is required is there; copies the list. */
    public SingleMoment {
        Objects.requireNonNull(moment, "moment");
        Objects.requireNonNull(wanted, "wanted");
        Objects.requireNonNull(zone, "zone");
        Objects.requireNonNull(policy, "policy");
        calendars = List.copyOf(calendars);
    }

    /** The fire; empty if the calendars exclude the moment, and the policy names no other. */
    public Optional<PlannedFire> fire() {
        ExclusionCalendar all = ExclusionCalendar.allOf(calendars);
        if (all.isIncluded(moment, zone)) {
            return Optional.of(new PlannedFire(moment, null));
        }
        Optional<Instant> moved = switch (policy) {
            case DROP -> Optional.empty();
            // in whole milliseconds, as it is stored: else it would never be found to be planned already
            case NEXT_INCLUDED -> all.nextIncluded(moment, zone).map(Moments::roundedUp);
            case FOLLOWING, PRECEDING, MODIFIED_FOLLOWING, MODIFIED_PRECEDING -> onBusinessDay(all);
        };
        return moved.map(at -> new PlannedFire(at, moment));
    }

    private Optional<Instant> onBusinessDay(ExclusionCalendar all) {
        long day = wanted.toLocalDate().toEpochDay();
        if (day < 0 || day >= Civil.END_DAY) {
            return Optional.empty();
        }
        int target = new BusinessDates(all, zone, policy, wanted.toLocalTime()).target((int) day, Civil.END_DAY);
        return target == BusinessDates.NONE
                ? Optional.empty()
                : Optional.of(LocalMoments.resolve(LocalDate.ofEpochDay(target).atTime(wanted.toLocalTime()), zone));
    }

    /** What becomes of the moment, and why. */
    public FirePreview preview() {
        Optional<PlannedFire> fire = fire();
        if (fire.isPresent() && fire.get().nominalFireTime() == null) {
            boolean shown = wanted.equals(LocalDateTime.ofInstant(moment, zone));
            return new FirePreview(wanted, moment, moment, shown ? Reason.REGULAR : Reason.MOVED_BY_GAP, -1, "");
        }
        int calendar = 0;
        while (calendars.get(calendar).isIncluded(moment, zone)) {
            calendar++;
        }
        return new FirePreview(
                wanted,
                moment,
                fire.map(PlannedFire::fireTime).orElse(null),
                fire.isPresent() ? Reason.SHIFTED_BY_CALENDAR : Reason.EXCLUDED,
                calendar,
                calendars.get(calendar).description());
    }
}
