package dev.almanac.console;

import dev.almanac.model.Pause;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** From when until when a pause holds. A mixin of commands that pause. */
final class PauseTimes extends ZoneOption {
    @Option(names = "--from", paramLabel = "TIME", description = "when the pause begins, such as 2h (default: at once)")
    private Times.@Nullable Moment from;

    @Option(names = "--until", paramLabel = "TIME", description = "when the pause ends by itself, such as 2h")
    private Times.@Nullable Moment until;

    /**
     * The pause with these times.
     *
     * @throws IllegalArgumentException if one of them has passed, or the end is not after the beginning
     */
    Pause of(Pause pause) {
        Instant now = Instant.now();
        // whole seconds, as the list of pauses shows it
        Pause planned = from == null
                ? pause
                : pause.from(from.later("--from", orUtc(), now).truncatedTo(ChronoUnit.SECONDS));
        return until == null ? planned : planned.until(until.later("--until", orUtc(), now));
    }

    /** How long it holds, after "is paused"; what ends it if it has no end. */
    String words(Pause pause, String resume) {
        ZoneId shown = orUtc();
        String begin = pause.from() == null ? "" : " from " + Times.both(pause.from(), shown);
        return pause.until() == null
                ? begin + "; to end that: " + resume + (pause.from() == null ? "" : " --from " + pause.from())
                : begin + " until " + Times.both(pause.until(), shown);
    }
}
