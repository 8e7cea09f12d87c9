package dev.almanac.console.jobs;

import dev.almanac.console.reach.Reach;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.console.terminal.WrongInput;
import dev.almanac.model.Job;
import dev.almanac.model.Pause;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac jobs pause}. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = "Holds a job back until it is resumed. A run in progress goes on.")
final class PauseCommand extends OneJob {
    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "why, for those who look later")
    private String reason;

    @Option(names = "--author", paramLabel = "NAME", description = "who (default: the user of this process)")
    private @Nullable String author;

    @Option(names = "--until", paramLabel = "TIME", description = "when the pause ends by itself, such as 2h")
    private @Nullable String until;

    @Override
    protected void check() {
        super.check();
        end();
    }

    @Override
    protected int answer(Reach reach, Output out) {
        String who = author == null ? System.getProperty("user.name", "unknown") : author;
        Job job = reach.scheduler().pauseJob(key(), new Pause(reason, who, end()));
        Instant end = job.pause() == null ? null : job.pause().until();
        return changed(
                out,
                job,
                key() + " is paused"
                        + (end == null
                                ? "; resume it: almanac jobs resume " + key()
                                : " until " + Times.both(end, zoneFor(job)))
                        + (job.runningOn() == null ? "" : "; the run in progress goes on"));
    }

    private @Nullable Instant end() {
        Instant now = Instant.now();
        try {
            ZoneId zone = Objects.requireNonNullElse(zone(), ZoneOffset.UTC);
            Instant end = until == null ? null : Times.moment(until, zone, now);
            if (end != null && !end.isAfter(now)) {
                throw new WrongInput("--until '" + until + "' is " + Times.both(end, zone) + ", which has passed");
            }
            return end;
        } catch (IllegalArgumentException e) {
            throw new WrongInput("--until '" + until + "' " + e.getMessage());
        }
    }
}
