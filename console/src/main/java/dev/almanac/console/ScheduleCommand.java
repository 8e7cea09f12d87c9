package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.FieldChange;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobExistsException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Problem;
import dev.almanac.model.StaleJobException;
import dev.almanac.web.json.Answers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

@Command(
        name = "schedule",
        sortOptions = false,
        description = "Creates a job; with --replace, replaces the contents of the live one of its key.")
final class ScheduleCommand implements Callable<Integer> {
    private static final int TRIES = 3;

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
        InvalidInputException.when(
                Stream.of(ifExists != null, replace, takeOver).filter(is -> is).count() > 1,
                "--if-exists, --replace and --take-over contradict each other; give one of them");
        return session.useStore(access -> {
            JobReader.Given given = given(access);
            Scheduler scheduler = session.scheduler(access);
            if (!given.problems().isEmpty()) {
                throw refused(given, JobReader.problems(scheduler, given));
            }
            schedule(scheduler, given);
        });
    }

    private void schedule(Scheduler scheduler, JobReader.Given read) {
        JobSpecification given = read.specification();
        try {
            IfExists what = takeOver ? IfExists.TAKE_OVER : replace ? IfExists.REPLACE : ifExists;
            Scheduled done = what == null
                    ? checked(scheduler, given)
                    : new Scheduled(live(scheduler, given), scheduler.scheduleJob(given, what));
            session.answer(Answers.job(done.job, List.of(), Map.of()).with("written", done.written()), done.sentence());
        } catch (InvalidJobException e) {
            throw refused(read, e.problems());
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

    private static @Nullable Job live(Scheduler scheduler, JobSpecification given) {
        String key = given.jobSpecificationKey();
        return key == null ? null : scheduler.findJobById(key).orElse(null);
    }

    /**
     * Refuses what differs from the live job, and writes in the place of the one that was compared. If others were faster, it
     * compares again, so that two commands for one thing both succeed.
     */
    static Scheduled checked(Scheduler scheduler, JobSpecification given) {
        for (int i = 1; ; i++) {
            Job shown = live(scheduler, given);
            refuseDifferences(scheduler, given);
            try {
                return new Scheduled(shown, scheduler.scheduleJob(given, shown));
            } catch (JobExistsException | StaleJobException | JobNotFoundException others) {
                if (i == TRIES) {
                    throw others;
                }
            }
        }
    }

    /**
     * What was done.
     *
     * @param before the job that was live; absent = none was
     * @param job as it is stored now
     */
    record Scheduled(@Nullable Job before, Job job) {
        private boolean isSame() {
            return before != null
                    && before.lastStatus()
                            .jobSpecificationId()
                            .equals(job.lastStatus().jobSpecificationId())
                    && before.specification().version() == job.specification().version();
        }

        /** In one word, for programs. */
        String written() {
            return isSame() || job.jobState().isFinished()
                    ? "UNCHANGED"
                    : job.specification().version() == 1 ? "CREATED" : "CHANGED";
        }

        private String sentence() {
            String key = job.specification().jobSpecificationKey();
            if (job.jobState().isFinished()) {
                return key + " has ended as " + job.jobState() + " before, nothing was written";
            }
            String what = switch (written()) {
                case "UNCHANGED" -> "is stored already, nothing was changed";
                case "CREATED" -> "was created";
                default -> "was changed, and is version " + job.specification().version() + " now";
            };
            return key + " " + what + JobAnswer.next(job, JobAnswer.zoneOf(job));
        }
    }

    private JobReader.Given given(StoreAccess access) {
        JobReader.Given given =
                JobReader.read(JobField.values(options), access.store().commandCodec(), access.now());
        if (!now) {
            return given;
        }
        JobSpecification job = given.specification();
        InvalidInputException.when(
                job.isRecurring()
                        || job.singleSchedule().isPresent()
                        || job.singleScheduleLocal().isPresent(),
                "--now cannot be combined with --cron or --at; a recurrence that begins at once has --first now");
        return new JobReader.Given(job.toBuilder().now().build(), given.problems(), given.names());
    }

    /** Refuses a job that differs from the live one, since fields that are not given would go back to their defaults. */
    private static void refuseDifferences(Scheduler scheduler, JobSpecification given) {
        List<FieldChange> changes = scheduler.changes(given);
        if (!changes.isEmpty()) {
            throw new CommandFailedException("a live job '" + given.jobSpecificationKey()
                    + "' exists already, and differs:"
                    + changes.stream().map(change -> "\n  " + change).collect(Collectors.joining())
                    + "\nto change single fields: almanac jobs update; to change all of these, add "
                    + (changes.stream().anyMatch(change -> change.field().equals("jobRequestor"))
                            ? "--take-over"
                            : "--replace"));
        }
    }

    private static InvalidInputException refused(JobReader.Given given, List<Problem> problems) {
        String key = given.specification().jobSpecificationKey();
        return new InvalidInputException("the job" + (key == null ? "" : " '" + key + "'")
                + " was refused, nothing was written:" + given.names().lines(problems));
    }
}
