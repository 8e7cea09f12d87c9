package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.JobAction;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code almanac jobs pause}. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = "Pauses jobs until they are resumed. Runs in progress continue.")
final class PauseCommand extends StoreCommand {
    @Mixin
    private PauseTarget target;

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "the reason, for later readers")
    private String reason;

    @Option(names = "--author", paramLabel = "NAME", description = "the author (default: the user of this process)")
    private @Nullable String author;

    @Option(names = "--until", paramLabel = "TIME", description = "when the pause ends by itself, such as 2h")
    private @Nullable String until;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "zone of the times read and shown (default: ${DEFAULT-VALUE})")
    private String zone = "UTC";

    @Override
    protected void check() {
        target.check();
        end();
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = access.scheduler();
        PauseScope scope = target.scope();
        Pause pause = new Pause(reason, ActorOptions.authorOrUser(author), end());
        if (scope == null) {
            JobSelectionOptions jobs = target.jobs();
            jobs.confirm(scheduler, "pause");
            return ActionAnswer.apply(out, scheduler, JobAction.pause(pause), jobs.selection(), jobs.isDryRun());
        }
        target.refuseUnknown(scheduler, scope);
        scheduler.pause(scope, pause);
        if (out.isJson()) {
            out.json(JobAnswer.pause(scope, pause));
            return 0;
        }
        String running = scope instanceof PauseScope.Job job
                        && scheduler
                                .findJobById(job.key())
                                .filter(found -> found.jobState().isUnderWay())
                                .isPresent()
                ? "; the run in progress continues"
                : "";
        out.line(scope.words() + " is paused" + running + ending(scope, pause.until()));
        return 0;
    }

    private String ending(PauseScope scope, @Nullable Instant end) {
        return end == null ? "; to end that: " + scope.resumeCommand() : " until " + Times.both(end, Times.zone(zone));
    }

    private @Nullable Instant end() {
        ZoneId read = Times.zone(zone);
        Instant now = Instant.now();
        try {
            Instant end = until == null ? null : Times.moment(until, read, now);
            if (end != null && !end.isAfter(now)) {
                throw new InvalidInputException(
                        "--until '" + until + "' is " + Times.both(end, read) + ", which has passed");
            }
            return end;
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("--until '" + until + "' " + e.getMessage());
        }
    }
}
