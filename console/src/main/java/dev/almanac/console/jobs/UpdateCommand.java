package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.helper.CommandCodec;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
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
        Map<String, Object> values = ScheduleOptions.values(options);
        CommandCodec codec = access.store().commandCodec();
        Instant now = Instant.now();
        List<Problem> unreadable =
                JobReader.change(withBothCommands(), values, codec, now).problems();
        if (!unreadable.isEmpty()) {
            throw new InvalidInputException("nothing was changed:" + ProblemText.text(unreadable, JobField::option));
        }
        jobs.confirm(scheduler, "change");
        JobAction update = JobAction.update(job -> change(job, values, codec, now));
        return ActionAnswer.apply(out, scheduler, update, jobs.selection(), jobs.isDryRun());
    }

    /** For the problems that a value has with every job, those without a failure command aside. */
    private static JobSpecificationBuilder withBothCommands() {
        EncodedCommand any = new EncodedCommand("any", 1, Map.of());
        return JobSpecification.builder().triggerCommand(any).failureCommand(any);
    }

    /** Moments and bodies are read as parts of each stored job. */
    private void change(JobSpecificationBuilder job, Map<String, Object> values, CommandCodec codec, Instant now) {
        JobReader.Given given = JobReader.change(job, values, codec, now);
        if (!given.problems().isEmpty()) {
            throw new InvalidJobException(given.specification().jobSpecificationKey(), given.problems());
        }
        if (noCalendar) {
            job.calendars(List.of());
        }
    }
}
