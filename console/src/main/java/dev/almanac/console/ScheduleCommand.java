package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.FieldChange;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobExistsException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
import dev.almanac.model.StoredFields;
import dev.almanac.web.json.Answers;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code almanac jobs schedule}. */
@Command(
        name = "schedule",
        sortOptions = false,
        description = "Creates a job; with --replace, replaces the contents of the live one of its key.")
final class ScheduleCommand implements Callable<Integer> {
    @Mixin
    private final CommandSpec options = JobField.options();

    @Mixin
    private ChangeSession session;

    @Option(
            names = "--if-exists",
            paramLabel = "WHAT",
            description =
                    "what to do with a live job of the key: ${COMPLETION-CANDIDATES} (default: refuse if it differs)")
    private @Nullable IfExists ifExists;

    @Option(names = "--now", description = "it fires once, when it is stored")
    private boolean now;

    @Option(names = "--replace", description = "the same as --if-exists REPLACE")
    private boolean replace;

    @Option(
            names = "--take-over",
            description = "the same as --if-exists TAKE_OVER: also replaces the live job of another requestor")
    private boolean takeOver;

    @Override
    public Integer call() {
        return session.useStore(access -> {
            JobReader.Given given = given(access);
            Scheduler scheduler = session.scheduler(access);
            if (!given.problems().isEmpty()) {
                throw refused(given.specification(), JobReader.problems(scheduler, given));
            }
            schedule(scheduler, given.specification());
        });
    }

    private void schedule(Scheduler scheduler, JobSpecification given) {
        try {
            String key = given.jobSpecificationKey();
            Job before = key == null ? null : scheduler.findJobById(key).orElse(null);
            IfExists what = takeOver ? IfExists.TAKE_OVER : replace ? IfExists.REPLACE : ifExists;
            if (what == null && before != null) {
                refuseDifferences(before.specification(), given);
            }
            Job job = scheduler.scheduleJob(given, what == null ? IfExists.REPLACE : what);
            session.answer(Answers.job(job, List.of(), Map.of()), sentence(before, job));
        } catch (InvalidJobException e) {
            throw refused(given, e.problems());
        } catch (JobExistsException e) {
            String advice = Objects.equals(e.requestor(), e.givenRequestor())
                    ? "; to change single fields: almanac jobs update"
                    : "; if it is to become one of requestor '" + e.givenRequestor() + "', add --take-over";
            throw new CommandFailedException(
                    "a live job '" + e.jobSpecificationKey() + "' of requestor '" + e.requestor()
                            + "' exists already, nothing was written" + advice,
                    e);
        }
    }

    private static String sentence(@Nullable Job before, Job job) {
        if (job.jobState().isFinished()) {
            return job.specification().jobSpecificationKey() + " has ended as " + job.jobState()
                    + " before, nothing was written";
        }
        long version = job.specification().version();
        String what = before != null && before.specification().version() == version
                ? "is stored already, nothing was changed"
                : version == 1 ? "was created" : "was changed, and is version " + version + " now";
        return job.specification().jobSpecificationKey() + " " + what + JobAnswer.next(job, JobAnswer.zoneOf(job));
    }

    private JobReader.Given given(StoreAccess access) {
        JobReader.Given given =
                JobReader.read(JobField.values(options), access.store().commandCodec(), Instant.now());
        if (!now) {
            return given;
        }
        JobSpecification job = given.specification();
        if (job.isRecurring()
                || job.singleSchedule().isPresent()
                || job.singleScheduleLocal().isPresent()) {
            throw new InvalidInputException(
                    "--now cannot be combined with --cron or --at; a recurrence that begins at once has --first now");
        }
        return new JobReader.Given(job.toBuilder().now().build(), given.problems());
    }

    /**
     * Refuses a job that differs from the live one, since fields that are not given would go back to their defaults.
     */
    private static void refuseDifferences(JobSpecification stored, JobSpecification given) {
        ZoneId zone = given.zoneId() == null ? ZoneId.systemDefault() : given.zoneId();
        boolean sameMoment = stored.singleScheduleLocal().isPresent()
                && stored.singleScheduleLocal().equals(given.singleScheduleLocal())
                && zone.equals(stored.zoneId());
        String key = stored.jobSpecificationKey();
        Instant now = Instant.now();
        JobSpecification filled = given.toBuilder()
                .zoneId(zone)
                .triggerIdentifier(Objects.requireNonNullElse(given.triggerIdentifier(), key))
                .failureIdentifier(
                        given.failureIdentifier().orElse(given.failureCommand().isEmpty() ? null : key))
                // one that has passed is no part of the contents
                .startAt(given.startAt()
                        .filter(now::isBefore)
                        .or(() -> stored.startAt().filter(now::isAfter))
                        .orElse(null))
                .onSuccess(filled(given.onSuccess(), stored.onSuccess()))
                .onFailure(filled(given.onFailure(), stored.onFailure()))
                .build();
        List<String> changes = filled.changesSince(stored).stream()
                .filter(change -> !sameMoment || !change.field().equals("singleSchedule"))
                .map(FieldChange::toString)
                .toList();
        if (!changes.isEmpty()) {
            throw new CommandFailedException(
                    "a live job '" + stored.jobSpecificationKey() + "' exists already, and differs:\n  "
                            + String.join("\n  ", changes)
                            + "\nto change single fields: almanac jobs update; to change all of these, add --replace");
        }
    }

    /** Follow-ups with the values that they inherit from the job. */
    private static List<JobSpecification> filled(List<JobSpecification> given, List<JobSpecification> stored) {
        List<JobSpecification> filled = new ArrayList<>(given);
        for (int i = 0; i < Math.min(given.size(), stored.size()); i++) {
            filled.set(i, filled(given.get(i), stored.get(i)));
        }
        return filled;
    }

    private static JobSpecification filled(JobSpecification given, JobSpecification stored) {
        JobSpecificationBuilder job = given.toBuilder()
                .zoneId(Objects.requireNonNullElse(given.zoneId(), stored.zoneId()))
                .jobRequestor(Objects.requireNonNullElse(given.jobRequestor(), stored.jobRequestor()))
                .triggerIdentifier(Objects.requireNonNullElse(given.triggerIdentifier(), stored.triggerIdentifier()))
                .onSuccess(filled(given.onSuccess(), stored.onSuccess()))
                .onFailure(filled(given.onFailure(), stored.onFailure()));
        given.singleScheduleLocal()
                .filter(local ->
                        stored.singleScheduleLocal().filter(local::equals).isPresent())
                .ifPresent(local -> StoredFields.of(job)
                        .singleSchedule(stored.singleSchedule().orElseThrow(), local));
        return job.build();
    }

    private static InvalidInputException refused(JobSpecification job, List<Problem> problems) {
        String key = job.jobSpecificationKey() == null ? "" : " '" + job.jobSpecificationKey() + "'";
        return new InvalidInputException(
                "the job" + key + " was refused, nothing was written:" + JobReader.text(problems, JobField::option));
    }
}
