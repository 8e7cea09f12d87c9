package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.helper.CommandCodec;
import dev.almanac.model.ActionReport;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

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

    @Option(names = "--pin", description = "declarations (reconcile, a service's start) leave these fields alone")
    private boolean pin;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "when the pin ends by itself, such as 2h; in --zone, else the zone of a single job, else UTC")
    private Times.@Nullable Moment until;

    @Option(
            names = "--unpin",
            description = "ends the pins of the jobs; the fields keep their values until a declaration")
    private boolean unpin;

    @Override
    public Integer call() {
        jobs.check();
        Map<String, Object> values = JobField.values(options);
        if (unpin) {
            return unpin(values);
        }
        InvalidInputException.when(
                values.containsKey("key"), "the key of a job cannot be changed; give the job as KEY, without --key");
        InvalidInputException.when(
                values.isEmpty() && !noCalendar,
                "what is to be changed? Such as --priority 2; see almanac jobs update --help");
        InvalidInputException.when(
                noCalendar && values.containsKey("calendars"), "--calendar and --no-calendar contradict each other");
        InvalidInputException.when(until != null && !pin, "--until is the end of a pin; add --pin");
        return session.store(access -> {
            Scheduler scheduler = session.scheduler(access);
            CommandCodec codec = access.store().commandCodec();
            Instant now = access.now();
            JobReader.change(withBothCommands(), values, codec, now).orRefuse("nothing was changed:");
            Instant end = until == null ? null : until.later("--until", zone(values, scheduler), now);
            return jobs.apply(
                    session.out(),
                    scheduler,
                    "change",
                    new JobAction.Update(
                            job -> change(job, values, codec, now),
                            pin ? new JobAction.Pinning(named(values), end) : null),
                    item -> detail(item, JobField.Names.ofOptions(values)));
        });
    }

    private static String detail(ActionReport.Item item, JobField.Names names) {
        return item.problems().isEmpty()
                ? item.detail()
                : item.problems().stream().map(names::line).collect(Collectors.joining("; "));
    }

    /** Of wall times that are not part of a job: as those that are. */
    private ZoneId zone(Map<String, Object> values, Scheduler scheduler) {
        Object given = values.get("zone");
        return given == null ? ZoneOption.of(scheduler, jobs.named()) : Times.zone(given.toString());
    }

    private int unpin(Map<String, Object> values) {
        InvalidInputException.when(
                pin || until != null || noCalendar || !values.isEmpty(),
                "--unpin stands alone; change the fields with another command");
        return session.store(
                access -> jobs.apply(session.out(), session.scheduler(access), "unpin", JobAction.unpin()));
    }

    /** The fields of the document that were named, also if they have these values already. */
    private Set<String> named(Map<String, Object> values) {
        Stream<String> named = values.keySet().stream().map(JobField::of).map(JobField::stored);
        return Stream.concat(named, noCalendar ? Stream.of("calendars") : Stream.empty())
                .map(field -> field.split("\\.", 2)[0])
                .collect(Collectors.toSet());
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
