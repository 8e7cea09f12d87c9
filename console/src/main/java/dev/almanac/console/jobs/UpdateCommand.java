package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.helper.CommandCodec;
import dev.almanac.model.ActionReport;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code almanac jobs update}. */
@Command(
        name = "update",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Changes the named fields of live jobs, and keeps the others.")
final class UpdateCommand extends StoreCommand {
    @Mixin
    private JobSelectionOptions jobs;

    @Mixin
    private final CommandSpec options = ScheduleOptions.spec();

    @Option(names = "--no-calendar", description = "removes all calendars of the jobs")
    private boolean noCalendar;

    @Option(names = "--dry-run", description = "only show what would change")
    private boolean dryRun;

    @Mixin
    private ActorOptions actor;

    @Override
    protected void check() {
        jobs.check();
        Map<String, Object> values = ScheduleOptions.values(options);
        if (values.containsKey(JobField.KEY.given())) {
            throw new InvalidInputException("the key of a job cannot be changed; give the job as KEY, without --key");
        }
        if (values.isEmpty() && !noCalendar) {
            throw new InvalidInputException(
                    "what is to be changed? Such as --priority 2; see almanac jobs update --help");
        }
        if (noCalendar && values.containsKey(JobField.CALENDARS.given())) {
            throw new InvalidInputException("--calendar and --no-calendar contradict each other");
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = actor.sign(access.scheduler());
        ActionReport report = of(access, scheduler, jobs.keys());
        JobQuery query = jobs.query();
        while (query != null) {
            JobPage page = scheduler.listJobs(query);
            report = report.plus(of(access, scheduler, keys(page)));
            query = page.lastKey() == null ? null : query.after(page.lastKey());
        }
        return ActionAnswer.tell(out, report);
    }

    private static List<String> keys(JobPage page) {
        return page.jobs().stream()
                .map(job -> job.specification().jobSpecificationKey())
                .toList();
    }

    /** Updates the jobs one by one, since moments and bodies are read as parts of each stored job. */
    private ActionReport of(StoreAccess access, Scheduler scheduler, List<String> keys) {
        ActionReport report = new ActionReport(List.of(), dryRun, null);
        for (String key : keys) {
            report = report.plus(scheduler.apply(update(access, scheduler, key), JobSelection.keys(key), dryRun));
        }
        return report;
    }

    private JobAction update(StoreAccess access, Scheduler scheduler, String key) {
        Map<String, Object> values = ScheduleOptions.values(options);
        CommandCodec codec = access.store().commandCodec();
        Instant now = Instant.now();
        JobSpecificationBuilder stored = scheduler
                .findJobById(key)
                .map(job -> job.specification().toBuilder())
                .orElseGet(JobSpecification::builder);
        JobReader.Given given = JobReader.change(stored, values, codec, now);
        if (!given.problems().isEmpty()) {
            throw new InvalidInputException(
                    "nothing was changed:" + ProblemText.text(given.problems(), JobField::option));
        }
        return JobAction.update(job -> {
            JobReader.change(job, values, codec, now);
            if (noCalendar) {
                job.calendars(List.of());
            }
        });
    }
}
