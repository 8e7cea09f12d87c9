package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Confirmation;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
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

    @Option(names = "--until", paramLabel = "TIME", description = "with --failed, only what failed before this moment")
    private @Nullable String until;

    @Option(
            names = "--after",
            paramLabel = "KEY",
            description =
                    "with --failed, goes on with this job and those that failed before it: continues what was interrupted")
    private @Nullable String after;

    @Option(
            names = "--where-type",
            paramLabel = "TYPE",
            description = "with --failed, only jobs with this command type")
    private @Nullable String type;

    @Option(names = "--dry-run", description = "only show what would run again")
    private boolean dryRun;

    @Mixin
    private Confirmation confirmation;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "zone in which --since and --until are read (default: ${DEFAULT-VALUE})")
    private String zone = "UTC";

    @Mixin
    private ActorOptions actor;

    @Override
    protected void check() {
        selection(null);
    }

    /** @param end failed before this moment; absent = whenever */
    private JobSelection selection(@Nullable Instant end) {
        JobSelectionOptions.refuseEmpty("--where-type", type);
        JobSelectionOptions.refuseEmpty("--after", after);
        boolean named = keys != null && !keys.isEmpty();
        if (named == failed) {
            throw new InvalidInputException("which jobs? Name their KEYs, or write --failed --since today");
        }
        if (named && Stream.of(since, until, type, after).anyMatch(Objects::nonNull)) {
            throw new InvalidInputException("--since, --until, --where-type and --after need --failed");
        }
        if (named) {
            return new JobSelection.Keys(keys);
        }
        if (since == null) {
            throw new InvalidInputException("--failed needs --since, such as --since today");
        }
        Instant given = Times.past("--until", until, zone);
        Instant first = given == null || end != null && end.isBefore(given) ? end : given;
        return new JobSelection.Failed(Times.past("--since", since, zone), first, type);
    }

    /** Just after the failure of the job that --after names, which comes first then; rows are as precise as that. */
    private Instant failureOf(Scheduler scheduler, String key) {
        return scheduler.history(key).stream()
                .filter(row -> row.executionStatus() == ExecutionStatus.FAILED)
                .findFirst()
                .map(row -> row.updatedTime().plusMillis(1))
                .orElseThrow(() -> new InvalidInputException(
                        "--after '" + key + "' has no stored row of a fire that failed for good"));
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = actor.sign(access.scheduler());
        JobSelection selection = selection(after == null ? null : failureOf(scheduler, after));
        if (failed && !dryRun) {
            confirm(scheduler, selection);
        }
        return ActionAnswer.apply(out, scheduler, JobAction.rerun(), selection, dryRun);
    }

    private void confirm(Scheduler scheduler, JobSelection selection) {
        List<String> wanted = new ArrayList<>();
        JobSelection rest = selection;
        while (rest != null) {
            ActionReport page = scheduler.apply(JobAction.rerun(), rest, true);
            page.items().stream()
                    .filter(item -> item.result() == ActionReport.Result.DONE)
                    .forEach(item -> wanted.add(item.key()));
            rest = page.next();
        }
        Set<String> applications = new TreeSet<>();
        wanted.stream()
                .flatMap(key -> scheduler.findJobById(key, FindScope.INCLUDING_FINISHED).stream())
                .map(job -> job.specification().applicationTag())
                .filter(Objects::nonNull)
                .forEach(applications::add);
        confirmation.confirm("rerun", wanted.size(), applications, wanted);
    }
}
