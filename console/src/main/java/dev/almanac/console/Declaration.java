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
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The jobs of a file, and how they are stored. */
final class Declaration {
    private final JobsFile file;
    private final List<JobReader.Given> jobs;
    private final List<String> passed;

    private Declaration(JobsFile file, List<JobReader.Given> jobs, List<String> passed) {
        this.file = file;
        this.jobs = jobs;
        this.passed = passed;
    }

    static Declaration of(JobsFile file, CommandCodec codec, Instant now) {
        return new Declaration(
                file,
                file.jobs().stream()
                        .map(job -> JobReader.readFixed(job.values(), codec, now))
                        .toList(),
                List.of());
    }

    /** @throws InvalidInputException if the node does not run the command of a job */
    void refuseOtherTypes(List<String> types) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            if (jobs.get(i).specification().triggerCommand() instanceof EncodedCommand command
                    && !types.contains(command.type())) {
                problems.add(place(i) + "type '" + command.type() + "' is not run by this node, which runs "
                        + String.join(", ", types)
                        + (command.type().equals("shell") ? "; add --allow-shell to start programs" : ""));
            }
        }
        refuse(problems);
    }

    /** @throws InvalidInputException with everything that is wrong with all jobs; nothing was written */
    List<JobSpecification> accepted(Scheduler scheduler) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            String place = place(i);
            for (Problem problem : JobReader.problems(scheduler, jobs.get(i))) {
                problems.add(place + JobReader.line(problem, JobField::given));
            }
        }
        refuse(problems);
        return jobs.stream().map(JobReader.Given::specification).toList();
    }

    /**
     * The declaration without one-offs whose moment has passed: a file is read again at each start, and such jobs have
     * run.
     */
    Declaration withoutPassed(Instant now, Printer printer) {
        List<JobsFile.Declared> left = new ArrayList<>();
        List<JobReader.Given> given = new ArrayList<>();
        List<String> out = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            if (hasPassed(jobs.get(i).specification(), now)) {
                printer.node(place(i) + "its time has passed, it is ignored");
                out.add(file.jobs().get(i).key());
            } else {
                left.add(file.jobs().get(i));
                given.add(jobs.get(i));
            }
        }
        return new Declaration(
                new JobsFile(file.name(), file.application(), left, file.groups(), file.settings()), given, out);
    }

    private static boolean hasPassed(JobSpecification job, Instant now) {
        ZoneId zone = job.zoneId() == null ? ZoneId.systemDefault() : job.zoneId();
        LocalDateTime local = job.singleScheduleLocal();
        Instant moment =
                local == null ? job.singleSchedule() : local.atZone(zone).toInstant();
        return moment != null && moment.isBefore(now);
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
        List<JobSpecification> declared = new ArrayList<>(accepted(scheduler));
        declared.addAll(waiting(scheduler));
        if (!options.dryRun()) {
            ReconcileResult planned = reconciled(scheduler, declared, options.dryRun(true));
            if (planned.massCancel() && !options.allowMassCancel()) {
                throw refusal(List.of(planned.canceled().size()
                        + " stored jobs are not in it and would be cancelled, which are all or most of its application,"
                        + " such as " + planned.canceled().get(0)
                        + "; add --allow-mass-cancel if that is meant"));
            }
            confirm.accept(planned);
            // before the jobs, which must not run with other limits
            putGroups(scheduler);
        }
        return reconciled(scheduler, declared, options);
    }

    private ReconcileResult reconciled(Scheduler scheduler, List<JobSpecification> declared, ReconcileOptions options) {
        try {
            return scheduler.reconcile(file.application(), declared, options);
        } catch (InvalidJobException e) {
            throw refusal(e.problems().stream().map(this::line).toList());
        }
    }

    private void putGroups(Scheduler scheduler) {
        try {
            DeclaredGroups.put(scheduler.groups(), file.groups());
        } catch (IllegalArgumentException e) {
            throw refusal(List.of(String.valueOf(e.getMessage())));
        }
    }

    /** One-offs that were left out but have not run yet, since they are late or paused; they must not be cancelled. */
    private List<JobSpecification> waiting(Scheduler scheduler) {
        return passed.stream()
                .flatMap(key -> scheduler.findJobById(key).stream())
                .map(Job::specification)
                .filter(job -> file.application().equals(job.applicationTag()))
                .toList();
    }

    /** A problem as a line; the job is named with its line in the file. */
    private String line(Problem problem) {
        for (int i = 0; i < jobs.size(); i++) {
            String start = file.jobs().get(i).key() + ": ";
            if (problem.field().startsWith(start)) {
                String field = problem.field().substring(start.length());
                return place(i)
                        + JobReader.line(
                                new Problem(field, problem.value(), problem.rule(), problem.advice()), JobField::given);
            }
        }
        return JobReader.line(problem, JobField::given);
    }

    private void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw refusal(problems);
        }
    }

    private InvalidInputException refusal(List<String> problems) {
        return new InvalidInputException(
                file.name() + " was refused, nothing was written:\n  " + String.join("\n  ", problems));
    }

    private String place(int job) {
        return file.jobs().get(job).place();
    }
}
