package dev.almanac.console;

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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code almanac jobs update}. */
@Command(
        name = "update",
        sortOptions = false,
        description = "Changes the named fields of live jobs, and keeps the others.")
final class UpdateCommand implements Callable<Integer> {
    @Mixin
    private ChangeSession session;

    @Mixin
    private JobSelectionOptions jobs;

    @Mixin
    private final CommandSpec options = JobField.options();

    @Option(names = "--no-calendar", description = "removes all calendars of the jobs")
    private boolean noCalendar;

    @Override
    public Integer call() {
        jobs.check();
        Map<String, Object> values = JobField.values(options);
        if (values.containsKey("key")) {
            throw new InvalidInputException("the key of a job cannot be changed; give the job as KEY, without --key");
        }
        if (values.isEmpty() && !noCalendar) {
            throw new InvalidInputException(
                    "what is to be changed? Such as --priority 2; see almanac jobs update --help");
        }
        if (noCalendar && values.containsKey("calendars")) {
            throw new InvalidInputException("--calendar and --no-calendar contradict each other");
        }
        return session.store(access -> {
            CommandCodec codec = access.store().commandCodec();
            Instant now = Instant.now();
            List<Problem> unreadable =
                    JobReader.change(withBothCommands(), values, codec, now).problems();
            if (!unreadable.isEmpty()) {
                throw new InvalidInputException("nothing was changed:" + JobReader.text(unreadable, JobField::option));
            }
            return jobs.apply(
                    session.out(),
                    session.scheduler(access),
                    "change",
                    JobAction.update(job -> change(job, values, codec, now)));
        });
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
