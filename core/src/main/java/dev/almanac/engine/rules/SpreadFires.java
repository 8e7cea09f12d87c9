package dev.almanac.engine.rules;

import dev.almanac.time.FirePreview;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fires of a recurrence, each later by the same part of the job's spread. Calendars and {@code startAt} apply to
 * the fire without the spread, {@code endAt} to the planned one.
 *
 * @param offset 0 if the job has no spread
 */
record SpreadFires(
        Recurrence recurrence, Duration offset, @Nullable Instant endAt) {

    Optional<PlannedFire> next(Instant after) {
        return recurrence
                .next(after.minus(offset))
                .map(this::later)
                .filter(fire -> endAt == null || !fire.fireTime().isAfter(endAt));
    }

    Optional<PlannedFire> previous(Instant before) {
        Instant bounded = endAt != null && endAt.isBefore(before) ? endAt.plusNanos(1) : before;
        return recurrence.previous(bounded.minus(offset)).map(this::later);
    }

    /** How many lie strictly after an instant and not after another; counting ends at {@code most}. */
    long count(Instant after, Instant until, long most) {
        Instant to = endAt != null && endAt.isBefore(until) ? endAt : until;
        return recurrence.count(after.minus(offset), to.minus(offset), most);
    }

    List<FirePreview> preview(Instant after, int rows) {
        List<FirePreview> preview = recurrence.preview(after.minus(offset), rows);
        return offset.isZero() ? preview : preview.stream().map(this::later).toList();
    }

    private PlannedFire later(PlannedFire fire) {
        return offset.isZero() ? fire : new PlannedFire(fire.fireTime().plus(offset), plus(fire.nominalFireTime()));
    }

    private FirePreview later(FirePreview row) {
        Instant fire = plus(row.fireTime());
        boolean over = fire != null && endAt != null && fire.isAfter(endAt);
        return new FirePreview(
                row.wantedTime().plus(offset),
                row.nominalTime().plus(offset),
                over ? null : fire,
                over ? FirePreview.Reason.OUT_OF_BOUNDS : row.reason(),
                row.calendar(),
                row.calendarName());
    }

    private @Nullable Instant plus(@Nullable Instant at) {
        return at == null ? null : at.plus(offset);
    }
}
