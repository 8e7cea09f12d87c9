package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.ActionReport;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Jobs whose fires have failed for good: those that are named, or all since a moment. A mixin of the commands that act on these. */
final class FailedJobsOptions {
    @Mixin
    private ChangeSession session;

    @Parameters(arity = "0..*", paramLabel = "KEY", description = "the keys of the jobs; all that failed: --failed")
    private Set<String> keys = Set.of();

    @Option(names = "--failed", description = "all jobs whose fires failed for good since --since")
    private boolean failed;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "with --failed, from when on: today, yesterday, a date, 24h (ago)")
    private Times.@Nullable Past since;

    @Option(names = "--until", paramLabel = "TIME", description = "with --failed, only what failed before this moment")
    private Times.@Nullable Past until;

    @Option(
            names = "--after",
            paramLabel = "KEY",
            description =
                    "with --failed, goes on with this job and those that failed before it: continues what was interrupted, with its --until")
    private @Nullable String after;

    @Option(
            names = "--where-type",
            paramLabel = "TYPE",
            description = "with --failed, only jobs with this command type")
    private @Nullable String type;

    @Mixin
    private Confirmation confirmation;

    @Mixin
    private ZoneOption zone;

    /**
     * Does an action with the jobs.
     *
     * @param verb what is done, for the question
     * @return the exit code
     */
    int apply(JobAction action, String verb) {
        InvalidInputException.when(
                keys.isEmpty() != failed, "which jobs? Name their KEYs, or write --failed --since today");
        InvalidInputException.when(
                !failed && Stream.of(since, until, type, after).anyMatch(Objects::nonNull),
                "--since, --until, --where-type and --after need --failed");
        InvalidInputException.when(failed && since == null, "--failed needs --since, such as --since today");
        if (!failed) {
            confirmation.expect(keys.size());
        }
        return session.store(access -> {
            Scheduler scheduler = session.scheduler(access);
            JobSelection selection = failed ? failed(access, scheduler) : new JobSelection.Keys(List.copyOf(keys));
            if (failed && confirmation.isCounted()) {
                confirm(scheduler, action, verb, selection);
            }
            return ActionAnswer.apply(session.out(), scheduler, action, selection, confirmation.isDryRun());
        });
    }

    private JobSelection failed(StoreAccess access, Scheduler scheduler) {
        // what fails while the question is open, or since the command that is continued, is not meant
        Instant end = Stream.of(access.now().plusMillis(1), until == null ? null : until.in(zone.orUtc(), access.now()))
                .filter(Objects::nonNull)
                .min(Instant::compareTo)
                .orElseThrow();
        // as the next page of the command that was interrupted: jobs that have failed again later were before it
        Instant before = after == null ? null : failureOf(scheduler, after, end);
        return new JobSelection.Failed(
                Objects.requireNonNull(since).passed("--since", zone.orUtc(), access.now()), end, type, before);
    }

    /**
     * Just after the last failure of the job that --after names, which comes first then; rows are as precise as that.
     *
     * @param end of the selection, from which it goes on if the job has failed later only
     */
    private static Instant failureOf(Scheduler scheduler, String key, Instant end) {
        List<Instant> failures = scheduler.history(key).stream()
                .filter(JobExecutionStatus::isFailedFire)
                .map(JobExecutionStatus::updatedTime)
                .toList();
        InvalidInputException.when(
                failures.isEmpty(), "--after '" + key + "' has no stored row of a fire that failed for good");
        return failures.stream()
                .filter(failed -> failed.isBefore(end))
                .findFirst()
                .map(failed -> failed.plusMillis(1))
                .orElse(end);
    }

    private void confirm(Scheduler scheduler, JobAction action, String verb, JobSelection selection) {
        Confirmation.Jobs jobs = new Confirmation.Jobs();
        for (JobSelection rest = selection; rest != null; ) {
            ActionReport page = scheduler.apply(action, rest, true);
            page.items().stream()
                    .filter(item -> item.result() == ActionReport.Result.DONE)
                    .forEach(item -> jobs.add(item.key(), application(scheduler, item.key())));
            rest = page.next();
        }
        confirmation.confirm(verb, jobs);
    }

    private static Optional<String> application(Scheduler scheduler, String key) {
        return scheduler
                .findJobById(key, FindScope.INCLUDING_FINISHED)
                .flatMap(job -> job.specification().applicationTag());
    }
}
