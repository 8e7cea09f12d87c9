package dev.almanac.engine.rules;

import dev.almanac.model.Pause;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.StoredJob;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the fires to come in pauses whose times are known (rules S4, S18). A pause that is in force and has no end
 * changes nothing here: when it will be resumed is not known. Pure functions.
 */
public final class PausedFires {
    private PausedFires() {}

    /**
     * @param rows the fires in their order
     * @param planner knows the fires behind them, which say what becomes of the last
     * @param pauses of the job and of its kinds, none of which has ended
     * @param now those that are in force then have begun
     */
    public static List<FirePreview> preview(
            StoredJob job,
            List<FirePreview> rows,
            FirePlanner planner,
            List<Pause> pauses,
            Instant now,
            SchedulerSettings settings) {
        List<Pause> known = pauses.stream()
                .filter(pause -> pause.isPlanned(now) || pause.until() != null)
                .toList();
        return rows.stream()
                .map(row -> {
                    Instant fire = row.fireTime();
                    boolean held = fire != null && known.stream().anyMatch(pause -> pause.isInForce(fire));
                    return held ? held(job, row, fire, planner, opening(fire, known), settings) : row;
                })
                .toList();
    }

    private static FirePreview held(
            StoredJob job,
            FirePreview row,
            Instant fire,
            FirePlanner planner,
            @Nullable Instant start,
            SchedulerSettings settings) {
        if (start == null) {
            return with(row, null, FirePreview.Reason.PAUSED);
        }
        if (StartDeadline.pastEnd(job, start).isPresent()) {
            return with(row, null, FirePreview.Reason.OUT_OF_BOUNDS);
        }
        Optional<Duration> deadline = StartDeadline.of(job.specification(), settings);
        if (deadline.isPresent() && StartDeadline.plus(fire, deadline.get()).isBefore(start)) {
            return with(row, null, FirePreview.Reason.TOO_LATE);
        }
        boolean runs = new MissedFireDecider(planner).isKept(job, fire, start);
        return with(row, runs ? fire : null, FirePreview.Reason.PAUSED);
    }

    /** When no pause holds back what was due then; absent = a pause without an end does. */
    private static @Nullable Instant opening(Instant due, List<Pause> pauses) {
        Instant at = due;
        // each pause is left at most once
        for (int i = 0; i <= pauses.size() && at != null; i++) {
            Instant open = at;
            Pause holding = pauses.stream()
                    .filter(pause -> pause.isInForce(open))
                    .findFirst()
                    .orElse(null);
            if (holding == null) {
                return at;
            }
            at = holding.until();
        }
        return at;
    }

    private static FirePreview with(FirePreview row, @Nullable Instant fireTime, FirePreview.Reason reason) {
        return new FirePreview(
                row.wantedTime(), row.nominalTime(), fireTime, reason, row.calendar(), row.calendarName());
    }
}
