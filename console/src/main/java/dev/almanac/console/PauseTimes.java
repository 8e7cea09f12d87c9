package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
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
    Pause of(Pause pause, ZoneId zone, Instant now) {
        // whole seconds, as the list of pauses shows it
        Pause planned = from == null
                ? pause
                : pause.from(from.later("--from", zone, now).truncatedTo(ChronoUnit.SECONDS));
        return until == null ? planned : planned.until(until.later("--until", zone, now));
    }

    /** How long it holds, after "is paused"; what ends it if it has no end. */
    static String words(Pause pause, PauseScope scope, ZoneId shown) {
        String begin = pause.from() == null ? "" : " from " + Times.both(pause.from(), shown);
        return pause.until() == null
                ? begin + "; to end that: "
                        + (pause.from() == null ? scope.resumeCommand() : scope.resumeCommand("--from " + pause.from()))
                : begin + " until " + Times.both(pause.until(), shown);
    }

    /**
     * The pause in whose place one of a kind would come, also if it has ended by itself; absent if there is none.
     *
     * @param meant whether --yes was given
     * @throws InvalidInputException if one stands there and it was not given
     */
    static @Nullable StandingPause replaced(StoreAccess access, PauseScope scope, Pause pause, boolean meant) {
        StandingPause present = access.opened().cluster().control().pauses().stream()
                .filter(stored -> stored.replaces(scope, pause.from()))
                .findFirst()
                .orElse(null);
        Pause ended = present == null ? null : unlessEnded(present.pause(), access.now());
        InvalidInputException.when(
                ended != null && !meant, "nothing was paused: this" + words(ended) + "; add --yes if that is meant");
        return present;
    }

    /**
     * Pauses a kind in the place of that pause and of no other.
     *
     * @return what was replaced, if it had not ended
     * @throws CommandFailedException if another pause is in that place by now
     */
    static @Nullable Pause pause(
            StoreAccess access, Scheduler scheduler, PauseScope scope, Pause pause, @Nullable StandingPause replaced) {
        if (!scheduler.pause(scope, pause, replaced == null ? null : replaced.since())) {
            throw new CommandFailedException(
                    "nothing was paused: others have changed the pause of " + scope.words() + " meanwhile");
        }
        return replaced == null ? null : unlessEnded(replaced.pause(), access.now());
    }

    static @Nullable Pause unlessEnded(@Nullable Pause pause, Instant now) {
        return pause == null || pause.hasEnded(now) ? null : pause;
    }

    /** The end of a sentence: what was replaced, if something was. */
    static String told(@Nullable Pause replaced) {
        return replaced == null ? "" : "; it" + words(replaced);
    }

    private static String words(@Nullable Pause pause) {
        return pause == null
                ? ""
                : " replaces the pause by " + pause.author() + ", which has "
                        + (pause.until() == null ? "no end" : "the end " + pause.until()) + ": " + pause.reason();
    }
}
