package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac jobs rerun}. */
@Command(
        name = "rerun",
        mixinStandardHelpOptions = true,
        description = {
            "Repeats jobs that have failed for good, at most once per failed run, however often it is requested.",
            "A one-off becomes a new job of the same key and contents; a recurring job gets an extra run.",
            "A one-off that is named by its key is also repeated, once, if it has gone well or was cancelled."
        })
final class RerunCommand extends StoreCommand {
    @Parameters(arity = "0..*", paramLabel = "KEY", description = "the keys of the jobs; all that failed: --failed")
    private @Nullable List<String> keys;

    @Option(names = "--failed", description = "all jobs whose fires failed for good since --since")
    private boolean failed;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "with --failed, from when on: today, yesterday, a date, 24h (ago)")
    private @Nullable String since;

    @Option(names = "--type", paramLabel = "TYPE", description = "with --failed, only jobs with this command type")
    private @Nullable String type;

    @Option(names = "--dry-run", description = "only show what would run again")
    private boolean dryRun;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "zone in which --since is read (default: ${DEFAULT-VALUE})")
    private String zone = "UTC";

    @Mixin
    private ActorOptions actor;

    @Override
    protected void check() {
        selection();
    }

    private JobSelection selection() {
        boolean named = keys != null && !keys.isEmpty();
        if (named == failed) {
            throw new InvalidInputException("which jobs? Name their KEYs, or write --failed --since today");
        }
        if (named && (since != null || type != null)) {
            throw new InvalidInputException("--since and --type need --failed");
        }
        if (named) {
            return new JobSelection.Keys(keys);
        }
        if (since == null) {
            throw new InvalidInputException("--failed needs --since, such as --since today");
        }
        ZoneId read = Times.zone(zone);
        try {
            return new JobSelection.Failed(Times.past(since, read, Instant.now()), null, type);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("--since '" + since + "' " + e.getMessage());
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = actor.sign(access.scheduler());
        return ActionAnswer.apply(out, scheduler, JobAction.rerun(), selection(), dryRun);
    }
}
