package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Json;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Job;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.StandingPause;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac jobs list}. */
@Command(name = "list", mixinStandardHelpOptions = true, description = "Lists jobs in the order of their keys.")
final class ListCommand extends StoreCommand {
    private static final int LARGEST_PAGE = 1_000;
    private static final List<JobState> ENDS =
            Stream.of(JobState.values()).filter(JobState::isFinished).toList();

    @Option(names = "--where-requestor", paramLabel = "ID", description = "only jobs of this requestor")
    private @Nullable String requestor;

    @Option(names = "--where-tag", paramLabel = "TAG", description = "only jobs that carry this tag")
    private @Nullable String tag;

    @Option(names = "--where-application", paramLabel = "TAG", description = "only jobs of this application")
    private @Nullable String application;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "only jobs in this state: ${COMPLETION-CANDIDATES}; finished ones are listed only so")
    private @Nullable JobState state;

    @Option(
            names = "--where-key-prefix",
            paramLabel = "TEXT",
            description = "only jobs whose key begins with this text")
    private @Nullable String keyPrefix;

    @Option(names = "--where-type", paramLabel = "TYPE", description = "only jobs with this command type")
    private @Nullable String type;

    @Option(
            names = "--next-from",
            paramLabel = "TIME",
            description = "only jobs that fire next at or after this moment")
    private @Nullable String nextFrom;

    @Option(names = "--next-until", paramLabel = "TIME", description = "only jobs that fire next before this moment")
    private @Nullable String nextUntil;

    @Option(names = "--after", paramLabel = "KEY", description = "begin after this key")
    private @Nullable String after;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "how many at most, 1 to 1000 (default: ${DEFAULT-VALUE})")
    private int limit = 50;

    @Option(names = "--all", description = "continue to the last page")
    private boolean all;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "zone of the times shown and read (default: ${DEFAULT-VALUE})")
    private String zone = "UTC";

    @Override
    protected void check() {
        query();
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = access.scheduler();
        if (out.isJson()) {
            json(access, scheduler, out);
        } else {
            table(scheduler, out);
        }
        return 0;
    }

    private void json(StoreAccess access, Scheduler scheduler, Output out) {
        List<StandingPause> pauses = scheduler.pauses();
        Map<String, String> labels = access.nodeLabels();
        try (Json.Listing listing = out.listing("jobs")) {
            List<Map<String, Object>> damaged = new ArrayList<>();
            ListScan walk = new ListScan(scheduler, out, all);
            walk.go(query(), page -> {
                page.damaged().forEach(job -> damaged.add(JobAnswer.damaged(job)));
                page.jobs().forEach(job -> listing.item(JobAnswer.of(job, pauses, labels)));
            });
            listing.end(new JsonFields()
                    .with("damaged", damaged)
                    .with("next", walk.next())
                    .fields());
        }
    }

    private void table(Scheduler scheduler, Output out) {
        List<Job> shown = new ArrayList<>();
        List<JobPage.Damaged> damaged = new ArrayList<>();
        ListScan walk = new ListScan(scheduler, out, all);
        walk.go(query(), page -> {
            shown.addAll(page.jobs());
            damaged.addAll(page.damaged());
            if (shown.size() >= LARGEST_PAGE) {
                print(out, shown);
                damaged(out, damaged);
            }
        });
        print(out, shown);
        damaged(out, damaged);
        walk.print();
        if (walk.isEmpty() && state == null) {
            finished(scheduler, out);
        }
    }

    /** Finished jobs are listed only with a state; mentions them if no live job was found. */
    private void finished(Scheduler scheduler, Output out) {
        List<String> found = new ArrayList<>();
        for (JobState each : ENDS) {
            List<Job> jobs = scheduler.listJobs(query(each, LARGEST_PAGE)).jobs();
            if (!jobs.isEmpty()) {
                String more = jobs.size() < LARGEST_PAGE ? "" : "or more ";
                found.add(jobs.size() + " " + more + "by --state " + each);
            }
        }
        if (!found.isEmpty()) {
            out.line("finished ones are shown: " + String.join(", ", found));
        }
    }

    private static void damaged(Output out, List<JobPage.Damaged> jobs) {
        jobs.forEach(job -> out.line(job.jobSpecificationKey() + "  (cannot be read: " + job.reason() + ")"));
        jobs.clear();
    }

    private void print(Output out, List<Job> jobs) {
        ZoneId shown = Times.zone(zone);
        Table table = out.table()
                .column("KEY", Fit.MIDDLE)
                .column("TYPE", Fit.END)
                .column("SCHEDULE", Fit.END)
                .column(Times.head("NEXT FIRE", shown), Fit.WHOLE)
                .column("STATE", Fit.WHOLE);
        for (Job job : jobs) {
            JobSpecification specification = job.specification();
            table.row(
                    specification.jobSpecificationKey(),
                    JobAnswer.type(specification.triggerCommand()),
                    specification.isRecurring() ? String.valueOf(specification.schedulingSpecification()) : "once",
                    specification.deleteTime() == null ? Times.second(job.nextFireTime(), shown) : "-",
                    job.jobState().name());
        }
        if (!jobs.isEmpty()) {
            table.print();
        }
        jobs.clear();
    }

    private JobQuery query() {
        return query(state, all ? LARGEST_PAGE : limit);
    }

    private JobQuery query(@Nullable JobState asked, int size) {
        if (limit < 1 || limit > LARGEST_PAGE) {
            throw new InvalidInputException(
                    "--limit " + limit + " is not within 1 to " + LARGEST_PAGE + "; --all shows every page");
        }
        return new JobQuery(
                requestor,
                tag,
                application,
                asked,
                keyPrefix,
                type,
                moment("--next-from", nextFrom),
                moment("--next-until", nextUntil),
                after,
                size);
    }

    private @Nullable Instant moment(String option, @Nullable String text) {
        ZoneId read = Times.zone(zone);
        try {
            return text == null ? null : Times.moment(text, read, Instant.now());
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(option + " '" + text + "' " + e.getMessage());
        }
    }
}
