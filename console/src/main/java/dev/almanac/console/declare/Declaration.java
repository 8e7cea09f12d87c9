package dev.almanac.console.declare;

import dev.almanac.Scheduler;
import dev.almanac.console.jobs.JobReader;
import dev.almanac.console.terminal.NotDone;
import dev.almanac.console.terminal.WrongInput;
import dev.almanac.helper.CommandCodec;
import dev.almanac.model.BulkResult;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Problem;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** The jobs of a file, read, and how they become stored ones. */
final class Declaration {
    private final JobsFile file;
    private final List<JobReader.Given> jobs;

    private Declaration(JobsFile file, List<JobReader.Given> jobs) {
        this.file = file;
        this.jobs = jobs;
    }

    static Declaration of(JobsFile file, CommandCodec codec, Instant now) {
        return new Declaration(
                file,
                file.jobs().stream()
                        .map(job -> JobReader.readFixed(job.values(), codec, now))
                        .toList());
    }

    /** @throws WrongInput if a job's command is none that the node runs */
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

    /** @throws WrongInput with everything that is wrong with all jobs; nothing was written */
    List<JobSpecification> accepted(Scheduler scheduler) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            String place = place(i);
            for (Problem problem : JobReader.problems(scheduler, jobs.get(i))) {
                problems.add(place + JobReader.line(problem));
            }
        }
        refuse(problems);
        return jobs.stream().map(JobReader.Given::specification).toList();
    }

    /** Without the one-offs whose moment has passed: a file is read again at each start, and such jobs have run. */
    Declaration withoutPassed(Instant now, Printer printer) {
        List<JobsFile.Declared> left = new ArrayList<>();
        List<JobReader.Given> given = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            if (hasPassed(jobs.get(i).specification(), now)) {
                printer.node(place(i) + "its moment has passed, it is left out");
            } else {
                left.add(file.jobs().get(i));
                given.add(jobs.get(i));
            }
        }
        return new Declaration(new JobsFile(file.name(), file.application(), left), given);
    }

    private static boolean hasPassed(JobSpecification job, Instant now) {
        ZoneId zone = job.zoneId() == null ? ZoneId.systemDefault() : job.zoneId();
        LocalDateTime local = job.singleScheduleLocal();
        Instant moment =
                local == null ? job.singleSchedule() : local.atZone(zone).toInstant();
        return moment != null && moment.isBefore(now);
    }

    /** Stores the jobs; those that are stored already are left alone. */
    void apply(Scheduler scheduler, Printer printer) {
        List<BulkResult> results = scheduler.scheduleJobs(accepted(scheduler));
        List<String> refused = results.stream()
                .filter(result -> result.error() != null)
                .map(result -> result.key() + ": " + result.error().getMessage())
                .toList();
        if (!refused.isEmpty()) {
            throw new NotDone("not all jobs could be stored: " + String.join("; ", refused), null);
        }
        printer.node(file.name() + ": " + results.size() + " jobs are stored");
    }

    private void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new WrongInput(
                    file.name() + " was refused, nothing was written:\n  " + String.join("\n  ", problems));
        }
    }

    private String place(int job) {
        return file.jobs().get(job).place();
    }
}
