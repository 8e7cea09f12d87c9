package dev.almanac.time;

import dev.almanac.time.FirePreview.Reason;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains the fires that are planned, and the nominal fires that come to nothing: the rows that fire are the fires of
 * {@link Recurrence#next}, in order. What a policy leaves out at a clock change shows when the same schedule is searched
 * under a more generous rule.
 */
final class Previewer {
    private final Recurrence recurrence;
    private final Schedule schedule;
    private final ZoneId zone;
    private final @Nullable WallSearch generous;

    Previewer(Recurrence recurrence) {
        this.recurrence = recurrence;
        this.schedule = recurrence.schedule();
        this.zone = recurrence.zone();
        LocalTimes times = schedule.times(zone);
        int anyGap = schedule.isFixedTime() ? Integer.MAX_VALUE : 0;
        this.generous = times == null ? null : new WallSearch(times, zone.getRules(), anyGap, false);
    }

    List<FirePreview> preview(Instant after, int rows) {
        List<FirePreview> result = new ArrayList<>();
        Optional<PlannedFire> fire = rows == 0 ? Optional.empty() : recurrence.next(after);
        Instant looked = after;
        while (result.size() < rows) {
            Instant limit = fire.map(PlannedFire::fireTime).orElse(end());
            looked = silent(looked, limit, rows, result);
            if (result.size() < rows && fire.isPresent()) {
                result.add(row(fire.get()));
                fire = result.size() < rows ? recurrence.next(fire.get().fireTime()) : fire;
            } else {
                break;
            }
        }
        return List.copyOf(result);
    }

    /** Preceding business days bring fires forward; so the end is passed only once all that follow must lie behind it. */
    private Instant end() {
        Instant end = recurrence.endAt();
        return end == null ? Instant.MAX : Moments.plus(end, 31L * Civil.DAY);
    }

    /** Adds the nominal fires up to a limit of which nothing comes, and answers up to where it has looked. */
    private Instant silent(Instant from, Instant limit, int rows, List<FirePreview> result) {
        Instant looked = from;
        while (result.size() < rows) {
            Optional<Instant> nominal = nominal(looked);
            if (nominal.isEmpty() || nominal.get().isAfter(limit)) {
                break;
            }
            looked = nominal.get();
            FirePreview row = silentRow(looked);
            if (row != null) {
                result.add(row);
            }
        }
        return looked;
    }

    private Optional<Instant> nominal(Instant after) {
        if (generous == null) {
            return schedule.next(after, zone, recurrence.daylightSavingPolicy());
        }
        boolean none = !schedule.canFire() || after.getEpochSecond() > LocalPattern.END + Civil.DAY;
        return none
                ? Optional.empty()
                : Schedule.instant(generous.next(after.getEpochSecond() + 1))
                        .filter(at -> !at.isAfter(schedule.last()));
    }

    /** The preview row of a nominal time that has no fire of its own; null if it has one. */
    private @Nullable FirePreview silentRow(Instant at) {
        ZoneOffsetTransition gap = gapBefore(at);
        LocalDateTime wanted = wanted(at, gap);
        if (!schedule.matches(at, zone, recurrence.daylightSavingPolicy())) {
            Reason reason = gap == null ? Reason.SECOND_PASS_DROPPED : Reason.LOST_IN_GAP;
            return new FirePreview(wanted, at, null, isInside(at) ? reason : Reason.OUT_OF_BOUNDS, -1, "");
        }
        int calendar = excluding(at);
        Instant fire = calendar < 0 ? at : target(at, wanted);
        if (fire != null && isInside(fire)) {
            return null;
        }
        String name = calendar < 0 ? "" : recurrence.calendars().get(calendar).description();
        Reason reason = fire == null && isInside(at) ? Reason.EXCLUDED : Reason.OUT_OF_BOUNDS;
        return new FirePreview(wanted, at, null, reason, calendar, name);
    }

    private FirePreview row(PlannedFire fire) {
        Instant at = fire.nominalFireTime();
        if (at == null) {
            ZoneOffsetTransition gap = gapBefore(fire.fireTime());
            Reason reason = gap == null ? Reason.REGULAR : Reason.MOVED_BY_GAP;
            return new FirePreview(wanted(fire.fireTime(), gap), fire.fireTime(), fire.fireTime(), reason, -1, "");
        }
        int calendar = excluding(at);
        String name = calendar < 0 ? "" : recurrence.calendars().get(calendar).description();
        return new FirePreview(
                wanted(at, gapBefore(at)), at, fire.fireTime(), Reason.SHIFTED_BY_CALENDAR, calendar, name);
    }

    private boolean isInside(Instant fire) {
        Instant start = recurrence.startAt();
        Instant end = recurrence.endAt();
        return (start == null || !fire.isBefore(start)) && (end == null || !fire.isAfter(end));
    }

    /** The gap that ends at an instant, if no matching wall time is shown there. */
    private @Nullable ZoneOffsetTransition gapBefore(Instant at) {
        LocalTimes times = schedule.times(zone);
        long local = at.getEpochSecond() + zone.getRules().getOffset(at).getTotalSeconds();
        return times == null || times.next(local) == local
                ? null
                : zone.getRules().previousTransition(at.plusSeconds(1));
    }

    private LocalDateTime wanted(Instant at, @Nullable ZoneOffsetTransition gap) {
        if (gap == null) {
            return LocalDateTime.ofInstant(at, zone);
        }
        long before = gap.toEpochSecond() + gap.getOffsetBefore().getTotalSeconds();
        return LocalDateTime.ofEpochSecond(schedule.wallTimes(zone).next(before), 0, ZoneOffset.UTC);
    }

    private int excluding(Instant at) {
        List<ExclusionCalendar> calendars = recurrence.calendars();
        for (int i = 0; i < calendars.size(); i++) {
            if (!calendars.get(i).isIncluded(at, zone)) {
                return i;
            }
        }
        return -1;
    }

    /** Where the calendar policy moves an excluded nominal fire; null = nowhere, or where another stands for it. */
    private @Nullable Instant target(Instant at, LocalDateTime wanted) {
        return switch (recurrence.effectivePolicy()) {
            case DROP -> null;
            case NEXT_INCLUDED -> postponed(at);
            case FOLLOWING, PRECEDING, MODIFIED_FOLLOWING, MODIFIED_PRECEDING ->
                new ShiftedTime(recurrence, wanted.toLocalTime().toSecondOfDay())
                        .arrival((int) wanted.toLocalDate().toEpochDay());
        };
    }

    private @Nullable Instant postponed(Instant at) {
        Optional<Instant> included = recurrence.calendar().nextIncluded(at, zone);
        Optional<Instant> next = schedule.next(at, zone, recurrence.daylightSavingPolicy());
        return included.filter(fire -> next.isEmpty() || fire.isBefore(next.get()))
                .orElse(null);
    }
}
