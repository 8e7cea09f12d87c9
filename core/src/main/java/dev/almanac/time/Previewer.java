package dev.almanac.time;

import dev.almanac.time.FirePreview.Reason;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains the nominal fires of a recurrence. What a policy leaves out at a clock change shows when the same expression
 * is searched under a more generous rule.
 */
final class Previewer {
    private final Recurrence recurrence;
    private final WallSearch planned;
    private final WallSearch generous;

    Previewer(Recurrence recurrence) {
        CronExpression cron = recurrence.cron();
        this.recurrence = recurrence;
        this.planned = WallSearch.of(
                cron.pattern(), cron.isFixedTime(), recurrence.zone().getRules(), recurrence.daylightSavingPolicy());
        int anyGap = cron.isFixedTime() ? Integer.MAX_VALUE : 0;
        this.generous = new WallSearch(cron.pattern(), recurrence.zone().getRules(), anyGap, false);
    }

    List<FirePreview> preview(Instant after, int rows) {
        List<FirePreview> result = new ArrayList<>();
        long last = after.getEpochSecond();
        while (result.size() < rows && recurrence.cron().canFire() && last <= LocalPattern.END + Civil.DAY) {
            long at = generous.next(last + 1);
            if (at == WallSearch.NONE || isPastEnd(at)) {
                break;
            }
            result.add(row(at, planned.next(at) == at));
            last = at;
        }
        return List.copyOf(result);
    }

    /** Preceding business days bring fires forward; so the end is passed only once all that follow must lie behind it. */
    private boolean isPastEnd(long at) {
        Instant end = recurrence.endAt();
        return end != null && at > Moments.plus(end, 31L * Civil.DAY).getEpochSecond();
    }

    private FirePreview row(long second, boolean counts) {
        Instant at = Instant.ofEpochSecond(second);
        ZoneOffsetTransition gap = gapBefore(at);
        LocalDateTime wanted = gap == null ? LocalDateTime.ofInstant(at, recurrence.zone()) : wanted(gap);
        if (!counts) {
            Reason reason = gap == null ? Reason.SECOND_PASS_DROPPED : Reason.LOST_IN_GAP;
            return new FirePreview(wanted, at, null, reason, -1, "");
        }
        int calendar = excluding(at);
        if (calendar < 0) {
            return bounded(
                    new FirePreview(wanted, at, at, gap == null ? Reason.REGULAR : Reason.MOVED_BY_GAP, calendar, ""));
        }
        Instant fire = target(at, wanted);
        Reason reason = fire == null ? Reason.EXCLUDED : Reason.SHIFTED_BY_CALENDAR;
        String name = recurrence.calendars().get(calendar).description();
        return bounded(new FirePreview(wanted, at, fire, reason, calendar, name));
    }

    private FirePreview bounded(FirePreview row) {
        Instant fire = row.fireTime();
        Instant start = recurrence.startAt();
        Instant end = recurrence.endAt();
        boolean inside =
                fire == null || (start == null || !fire.isBefore(start)) && (end == null || !fire.isAfter(end));
        return inside
                ? row
                : new FirePreview(
                        row.wantedTime(),
                        row.nominalTime(),
                        null,
                        Reason.OUT_OF_BOUNDS,
                        row.calendar(),
                        row.calendarName());
    }

    /** The gap that ends at an instant, if no matching wall time is shown there. */
    private @Nullable ZoneOffsetTransition gapBefore(Instant at) {
        if (recurrence.cron().matchesLocal(LocalDateTime.ofInstant(at, recurrence.zone()))) {
            return null;
        }
        return recurrence.zone().getRules().previousTransition(at.plusSeconds(1));
    }

    private LocalDateTime wanted(ZoneOffsetTransition gap) {
        long before = gap.toEpochSecond() + gap.getOffsetBefore().getTotalSeconds();
        long local = recurrence.cron().pattern().next(before);
        return LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
    }

    private int excluding(Instant at) {
        List<ExclusionCalendar> calendars = recurrence.calendars();
        for (int i = 0; i < calendars.size(); i++) {
            if (!calendars.get(i).isIncluded(at, recurrence.zone())) {
                return i;
            }
        }
        return -1;
    }

    /** Where the calendar policy moves an excluded nominal fire; null = nowhere. */
    private @Nullable Instant target(Instant at, LocalDateTime wanted) {
        return switch (recurrence.calendarPolicy()) {
            case DROP -> null;
            case NEXT_INCLUDED -> postponed(at);
            case FOLLOWING, PRECEDING, MODIFIED_FOLLOWING, MODIFIED_PRECEDING ->
                new ShiftedTime(recurrence, wanted.toLocalTime().toSecondOfDay())
                        .arrival((int) wanted.toLocalDate().toEpochDay());
        };
    }

    private @Nullable Instant postponed(Instant at) {
        Optional<Instant> included = recurrence.calendar().nextIncluded(at, recurrence.zone());
        long next = planned.next(at.getEpochSecond() + 1);
        return included.filter(fire -> next == WallSearch.NONE || fire.isBefore(Instant.ofEpochSecond(next)))
                .orElse(null);
    }
}
