package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.helper.CommandCodec;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Problem;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.JacksonCommandCodec;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a file, and how they are stored. One error has all that is wrong with the file, with its jobs and with storing them.
 *
 * @param passed keys of the one-offs that were left out, since their moment has passed
 */
record Declaration(JobsFile file, List<Entry> jobs, List<String> passed) {
    /**
     * A job of the file, and what was read of it.
     *
     * @param others that its types are not run, a line for each
     */
    record Entry(JobsFile.Declared declared, JobReader.Given given, List<String> others) {
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

        /** A problem that a scheduler names with the key, as one of this job. */
        private Problem own(Problem problem) {
            String field = problem.field().substring(start().length());
            return new Problem(field, problem.value(), problem.rule(), problem.advice());
        }

        /** Its problems as lines, those that are known without a scheduler first. */
        private Stream<String> lines(List<Problem> problems) {
            return Stream.concat(
                    others.stream(), JobReader.inOrder(problems).stream().map(this::line));
        }

        private String line(Problem problem) {
            return declared.place() + given.names().line(problem);
        }

        private boolean isReadable() {
            return given.problems().isEmpty() && specification().jobSpecificationKey() != null;
        }
    }

    /**
     * Reads the jobs of a file. Moments that count from now are refused, so no server is asked for its time.
     *
     * @param types which the node runs; absent = it runs none, and jobs of each type may be stored
     * @throws InvalidInputException if its settings are wrong, so that no server can be asked: with all that is known of the file
     */
    static Declaration of(JobsFile file, @Nullable List<String> types) {
        CommandCodec codec = new JacksonCommandCodec();
        List<Entry> jobs = new ArrayList<>();
        for (JobsFile.Declared job : file.jobs()) {
            JobReader.Given given = JobReader.readFixed(job.values(), codec, Instant.EPOCH);
            jobs.add(new Entry(job, given, types == null ? List.of() : others(job, given.specification(), types)));
        }
        Declaration read = new Declaration(file, jobs, List.of());
        if (file.settings() == null) {
            throw read.refusal(read.known().stream());
        }
        return read;
    }

    private static List<String> others(JobsFile.Declared job, JobSpecification specification, List<String> types) {
        return otherTypes(specification, types)
                .map(other -> job.place() + other + " is not run by this node, which runs " + String.join(", ", types)
                        + (other.endsWith("'shell'") ? "; add --allow-shell to start programs" : ""))
                .toList();
    }

    /** The settings of the file. */
    AlmanacConfig settings() {
        return Objects.requireNonNull(file.settings());
    }

    /** What is wrong without asking a scheduler. */
    private List<String> known() {
        return Stream.concat(file.problems().stream(), jobs.stream().flatMap(job -> job.lines(job.given.problems())))
                .toList();
    }

    /** @throws InvalidInputException if the server cannot be asked, and something is wrong without that */
    private <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            List<String> known = known();
            throw known.isEmpty() ? e : refusal(known.stream());
        }
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

    /** @throws InvalidInputException with everything that is wrong; nothing was written */
    private List<JobSpecification> accepted(Scheduler scheduler) {
        List<String> problems = asked(() -> problems(scheduler));
        if (!problems.isEmpty()) {
            throw refusal(problems.stream());
        }
        return jobs.stream().map(Entry::specification).toList();
    }

    /**
     * Everything that is wrong, a line for each. What can be read is checked as it would be stored, so that a job that has come to
     * its end is left as it is; the rest, which includes further jobs of a key, as new jobs. Writes nothing.
     */
    private List<String> problems(Scheduler scheduler) {
        Map<String, Entry> readable = new LinkedHashMap<>();
        // which stored jobs are its own is not known of a file that does not say whose its jobs are
        jobs.stream()
                .filter(job -> job.isReadable() && !file.isNameless())
                .forEach(job -> readable.putIfAbsent(job.declared.key(), job));
        List<Problem> refused = new ArrayList<>();
        try {
            scheduler.reconcile(
                    file.application(),
                    readable.values().stream().map(Entry::specification).toList(),
                    ReconcileOptions.DEFAULT.dryRun(true).keepUndeclared(true));
        } catch (InvalidJobException e) {
            refused.addAll(e.problems());
        }
        List<String> lines = new ArrayList<>(file.problems());
        for (Entry job : jobs) {
            boolean stored = readable.get(job.declared.key()) == job;
            List<Problem> own = stored
                    ? refused.stream().filter(job::has).map(job::own).toList()
                    : JobReader.problems(scheduler, job.given).stream()
                            // a declaration may replace jobs of its application that have another requestor
                            .filter(problem -> !problem.rule().equals("S11"))
                            .toList();
            job.lines(own).forEach(lines::add);
        }
        refused.stream()
                .filter(problem -> readable.values().stream().noneMatch(job -> job.has(problem)))
                .forEach(problem -> lines.add(problem.toString()));
        try {
            scheduler.groups().changed(file.groups());
        } catch (IllegalArgumentException e) {
            lines.add(String.valueOf(e.getMessage()));
        }
        return lines;
    }

    /**
     * The declaration without one-offs that are refused as new jobs for their moment alone, which has passed: a file is
     * read again at each start, and such jobs have run.
     */
    Declaration withoutPassed(Scheduler scheduler, Supplier<Instant> now, Output output) {
        Instant moment = asked(now);
        Map<Boolean, List<Entry>> byPassed = asked(() -> jobs.stream()
                .collect(Collectors.partitioningBy(job -> hasPassed(job.specification(), moment)
                        && job.given.problems().isEmpty()
                        && job.others.isEmpty()
                        && isMoment(scheduler.check(job.specification())))));
        List<Entry> out = byPassed.get(true);
        out.forEach(job -> output.node(job.declared.place() + "its time has passed, it is ignored"));
        return new Declaration(
                file,
                byPassed.get(false),
                out.stream().map(job -> job.declared.key()).toList());
    }

    /**
     * Whether nothing but its moment is refused, and those of its follow-ups, which have passed with it. Its key may be another's
     * by now.
     */
    private static boolean isMoment(List<Problem> refusals) {
        return refusals.stream().anyMatch(problem -> problem.field().equals("singleSchedule"))
                && refusals.stream()
                        .map(problem ->
                                problem.field().substring(problem.field().lastIndexOf('.') + 1))
                        .allMatch(
                                List.of("singleSchedule", "schedulingSpecification", "endAt", "jobRequestor")
                                        ::contains);
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
     * @throws InvalidInputException if not all of them can be stored, with everything else that is wrong; nothing was written
     */
    List<String> changedGroups(Scheduler scheduler) {
        try {
            return scheduler.groups().changed(file.groups());
        } catch (IllegalArgumentException e) {
            throw refusal(problems(scheduler).stream());
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
                return job.line(job.own(problem));
            }
        }
        return problem.toString();
    }

    private InvalidInputException refusal(Stream<String> problems) {
        return new InvalidInputException(problems.collect(
                Collectors.joining("\n  ", file.name() + " was refused, nothing was written:\n  ", "")));
    }
}
