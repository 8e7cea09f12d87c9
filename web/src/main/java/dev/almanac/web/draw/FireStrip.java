package dev.almanac.web.draw;

import dev.almanac.time.FirePreview;
import dev.almanac.time.FirePreview.Reason;
import dev.almanac.web.text.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fires to come, on a time axis that begins now.
 *
 * @param marks a fire each, within {@value RunStrip#WIDTH}
 * @param labels along the axis
 */
public record FireStrip(List<Mark> marks, List<RunStrip.Label> labels) {
    /**
     * One fire, or a time that comes to nothing.
     *
     * @param kind fire, moved or none
     * @param title what it is, in words
     */
    public record Mark(double x, String kind, String title) {}

    /**
     * Absent if there are fewer than two.
     *
     * @param fires in the order of their times
     * @param reason of a fire, in words
     */
    public static @Nullable FireStrip of(List<FirePreview> fires, Clock clock, Function<FirePreview, String> reason) {
        if (fires.size() < 2) {
            return null;
        }
        Instant until =
                fires.stream().map(FireStrip::at).max(Instant::compareTo).orElseThrow();
        double millis = Math.max(1_000, Duration.between(clock.now(), until).toMillis());
        List<Mark> marks = fires.stream()
                .map(fire -> mark(fire, clock, millis, reason.apply(fire)))
                .toList();
        return new FireStrip(marks, RunStrip.labels(clock.now(), millis, clock));
    }

    private static Instant at(FirePreview fire) {
        return fire.fireTime() == null ? fire.nominalTime() : fire.fireTime();
    }

    private static Mark mark(FirePreview fire, Clock clock, double millis, String reason) {
        double x = Duration.between(clock.now(), at(fire)).toMillis() / millis * RunStrip.WIDTH;
        String kind = fire.fireTime() == null ? "none" : fire.reason() == Reason.REGULAR ? "fire" : "moved";
        return new Mark(Math.max(0, Math.min(RunStrip.WIDTH, x)), kind, clock.at(at(fire)) + ", " + reason);
    }
}
