package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.helper.CommandCodec;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Problem;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.SchedulingCommand;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a file, and how they are stored.
 *
 * @param passed keys of the one-offs that were left out, since their moment has passed
 */
record Declaration(JobsFile file, List<Entry> jobs, List<String> passed) {
    /** A job of the file, and what was read of it. */
    record Entry(JobsFile.Declared declared, JobReader.Given given) {
        JobSpecification specification() {
            return given.specification();
        }

        /** With which the fields of its problems begin among those of all jobs. */
        private String start() {
            return declared.key() + ": ";
        }

        private boolean has(Problem problem) {
            return problem.field().startsWith(start());
        }
    }

    static Declaration of(JobsFile file, CommandCodec codec, Instant now) {
        return new Declaration(
                file,
                file.jobs().stream()
                        .map(job -> new Entry(job, JobReader.readFixed(job.values(), codec, now)))
                        .toList(),
                List.of());
    }

    /** @throws InvalidInputException if the node does not run the command of a job */
    void refuseOtherTypes(List<String> types) {
        refuse(jobs.stream()
                .flatMap(job -> otherTypes(job.specification(), types)
                        .map(other -> job.declared.place() + other + " is not run by this node, which runs "
                                + String.join(", ", types)
                                + (other.endsWith("'shell'") ? "; add --allow-shell to start programs" : ""))));
    }

    /** The types of a job, its failure command and its follow-ups that are not among these. */
    private static Stream<String> otherTypes(JobSpecification job, List<String> types) {
        Stream<String> own = otherType(job.triggerCommand(), types);
        Stream<String> ofFailure = job.failureCommand().stream()
                .flatMap(command -> otherType(command, types))
                .map(type -> "failure command " + type);
        Stream<String> followUps = Stream.concat(job.onSuccess().stream(), job.onFailure().stream())
                .flatMap(next -> otherTypes(next, types)
                        .map(other -> "follow-up '" + next.jobSpecificationKey() + "': " + other));
        return Stream.of(own, ofFailure, followUps).flatMap(Function.identity());
    }

    private static Stream<String> otherType(@Nullable SchedulingCommand command, List<String> types) {
        return command instanceof EncodedCommand encoded && !types.contains(encoded.type())
                ? Stream.of("type '" + encoded.type() + "'")
                : Stream.empty();
    }

    /** @throws InvalidInputException with everything that is wrong with all jobs; nothing was written */
    private List<JobSpecification> accepted(Scheduler scheduler) {
        Map<Entry, List<Problem>> problems = new LinkedHashMap<>();
        for (Entry job : jobs) {
            List<Problem> found = JobReader.problems(scheduler, job.given);
            if (!found.isEmpty()) {
                problems.put(job, found);
            }
        }
        problems.keySet().removeAll(ended(scheduler, problems.keySet()));
        refuse(problems.entrySet().stream()
                .flatMap(of -> of.getValue().stream()
                        .map(problem -> of.getKey().declared.place() + JobReader.line(problem, JobField::given))));
        return jobs.stream().map(Entry::specification).toList();
    }

    /** Those that could be read, but not be stored as new jobs, and are left as they are: they have come to their end. */
    private Set<Entry> ended(Scheduler scheduler, Set<Entry> refusedAsNew) {
        List<Entry> refused = refusedAsNew.stream()
                .filter(job -> job.given.problems().isEmpty())
                .filter(job -> job.specification().jobSpecificationKey() != null)
                .toList();
        if (refused.isEmpty()) {
            return Set.of();
        }
        List<JobSpecification> declared =
                refused.stream().map(Entry::specification).toList();
        try {
            scheduler.reconcile(
                    file.application(),
                    declared,
                    ReconcileOptions.DEFAULT.dryRun(true).keepUndeclared(true));
            return Set.copyOf(refused);
        } catch (InvalidJobException e) {
            return refused.stream()
                    .filter(job -> e.problems().stream().noneMatch(job::has))
                    .collect(Collectors.toSet());
        }
    }

    /**
     * The declaration without one-offs that are refused as new jobs for their moment alone, which has passed: a file is
     * read again at each start, and such jobs have run.
     */
    Declaration withoutPassed(Scheduler scheduler, Instant now, Output output) {
        Map<Boolean, List<Entry>> byPassed = jobs.stream()
                .collect(Collectors.partitioningBy(job -> hasPassed(job.specification(), now)
                        && job.given.problems().isEmpty()
                        && isMoment(scheduler.check(job.specification()))));
        List<Entry> out = byPassed.get(true);
        out.forEach(job -> output.node(job.declared.place() + "its time has passed, it is ignored"));
        return new Declaration(
                file,
                byPassed.get(false),
                out.stream().map(job -> job.declared.key()).toList());
    }

    /** Whether nothing but its moment is refused, and those of its follow-ups, which have passed with it. */
    private static boolean isMoment(List<Problem> refusals) {
        return refusals.stream().anyMatch(problem -> problem.field().equals("singleSchedule"))
                && refusals.stream()
                        .map(problem ->
                                problem.field().substring(problem.field().lastIndexOf('.') + 1))
                        .allMatch(List.of("singleSchedule", "schedulingSpecification", "endAt")::contains);
    }

    private static boolean hasPassed(JobSpecification job, Instant now) {
        ZoneId zone = job.zoneId() == null ? ZoneId.systemDefault() : job.zoneId();
        return job.singleScheduleLocal()
                .map(local -> local.atZone(zone).toInstant())
                .or(job::singleSchedule)
                .filter(now::isAfter)
                .isPresent();
    }

    /**
     * Makes the stored jobs of the application equal to those of the file.
     *
     * @param options with a dry run, only returns what would be done
     * @param confirm receives what would be done before anything is written, and may refuse it
     * @throws InvalidInputException with everything that is wrong with all jobs, or if most jobs would be cancelled and may
     *     not; nothing was written
     */
    ReconcileResult apply(Scheduler scheduler, ReconcileOptions options, Consumer<ReconcileResult> confirm) {
        List<JobSpecification> accepted = accepted(scheduler);
        List<JobSpecification> declared = withWaiting(scheduler, accepted);
        changedGroups(scheduler);
        if (!options.dryRun()) {
            ReconcileResult planned = reconciled(scheduler, declared, options.dryRun(true));
            refuseMassCancel(planned, options);
            confirm.accept(planned);
            // what others have changed while the question was open stays
            declared = withWaiting(scheduler, accepted);
            refuseFurtherCancels(planned, reconciled(scheduler, declared, options.dryRun(true)));
            // before the jobs, which must not run with other limits
            file.groups().forEach(scheduler.groups()::put);
        }
        return reconciled(scheduler, declared, options);
    }

    /** @throws InvalidInputException if most jobs are cancelled, or would be, and may not be */
    void refuseMassCancel(ReconcileResult planned, ReconcileOptions options) {
        if (planned.massCancel() && !options.allowMassCancel()) {
            throw refusal(Stream.of(planned.canceled().size()
                    + " stored jobs are not in it and would be cancelled, which are all or most of its application,"
                    + " such as " + planned.canceled().get(0)
                    + "; add --allow-mass-cancel if that is meant"));
        }
    }

    /** Jobs may have been stored while the question was open. */
    private static void refuseFurtherCancels(ReconcileResult confirmed, ReconcileResult now) {
        List<String> others = now.canceled().stream()
                .filter(key -> !confirmed.canceled().contains(key))
                .toList();
        if (!others.isEmpty()) {
            throw new CommandFailedException(
                    "nothing was changed: jobs that were not shown would be cancelled by now, such as " + others.get(0)
                            + "; try again");
        }
    }

    private ReconcileResult reconciled(Scheduler scheduler, List<JobSpecification> declared, ReconcileOptions options) {
        try {
            return scheduler.reconcile(file.application(), declared, options);
        } catch (InvalidJobException e) {
            throw refusal(e.problems().stream().map(this::line));
        }
    }

    /**
     * The groups whose size or rate the file changes, by name.
     *
     * @throws InvalidInputException if not all of them can be stored; nothing was written
     */
    List<String> changedGroups(Scheduler scheduler) {
        try {
            return scheduler.groups().changed(file.groups());
        } catch (IllegalArgumentException e) {
            throw refusal(Stream.of(String.valueOf(e.getMessage())));
        }
    }

    /** With one-offs that were left out but have not run yet, since they are late or paused; they must not be cancelled. */
    private List<JobSpecification> withWaiting(Scheduler scheduler, List<JobSpecification> accepted) {
        Stream<JobSpecification> waiting = passed.stream()
                .flatMap(key -> scheduler.findJobById(key).stream())
                .map(Job::specification)
                .filter(job ->
                        job.applicationTag().filter(file.application()::equals).isPresent());
        return Stream.concat(accepted.stream(), waiting).toList();
    }

    /** A problem as a line; the job is named with its line in the file. */
    private String line(Problem problem) {
        for (Entry job : jobs) {
            if (job.has(problem)) {
                String field = problem.field().substring(job.start().length());
                return job.declared.place()
                        + JobReader.line(
                                new Problem(field, problem.value(), problem.rule(), problem.advice()), JobField::given);
            }
        }
        return JobReader.line(problem, JobField::given);
    }

    private void refuse(Stream<String> problems) {
        List<String> all = problems.toList();
        if (!all.isEmpty()) {
            throw refusal(all.stream());
        }
    }

    private InvalidInputException refusal(Stream<String> problems) {
        return new InvalidInputException(problems.collect(
                Collectors.joining("\n  ", file.name() + " was refused, nothing was written:\n  ", "")));
    }
}
