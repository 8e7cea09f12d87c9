package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.Job;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import dev.almanac.web.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "Lists jobs in the order of their keys.")
final class ListCommand implements Callable<Integer> {
    @Mixin
    private Session session;

    @Mixin
    private JobFilter filter;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "only jobs in this state: ${COMPLETION-CANDIDATES}; finished ones are listed only so")
    private @Nullable JobState state;

    @Option(
            names = "--next-from",
            paramLabel = "TIME",
            description = "only jobs that fire next at or after this moment")
    private Times.@Nullable Moment nextFrom;

    @Option(names = "--next-until", paramLabel = "TIME", description = "only jobs that fire next before this moment")
    private Times.@Nullable Moment nextUntil;

    @Option(names = "--all", description = "continue to the last page")
    private boolean all;

    @Mixin
    private RowOptions view;

    @Override
    public Integer call() {
        view.check("; --all shows every page");
        return session.useStore(access -> {
            Scheduler scheduler = access.scheduler();
            Instant now = access.now();
            JobQuery query = query(state, all ? Times.MOST : view.limit(), now);
            Output out = session.out();
            ListScan scan = new ListScan(scheduler, out, all);
            if (out.isJson()) {
                json(access, scheduler, scan, query);
            } else {
                table(scan, query);
                if (scan.isEmpty() && state == null) {
                    finished(scheduler, now);
                } else if (scan.isEmpty() && state == JobState.FAILED) {
                    out.line(
                            "failed are jobs that have ended so; fires of jobs that go on: almanac jobs history --failed");
                }
            }
        });
    }

    private void json(StoreAccess access, Scheduler scheduler, ListScan scan, JobQuery query) {
        var pauses = scheduler.pauses();
        var labels = access.nodeLabels();
        try (Json.Listing listing = session.out().listing("jobs")) {
            List<Fields> damaged = new ArrayList<>();
            scan.go(query, page -> {
                page.damaged().forEach(job -> damaged.add(Fields.of(job)));
                page.jobs().forEach(job -> listing.item(Answers.job(job, pauses, labels)));
            });
            listing.end(new Fields().with("damaged", damaged).with("next", scan.next()));
        }
    }

    private void table(ListScan scan, JobQuery query) {
        List<Job> shown = new ArrayList<>();
        List<JobPage.Damaged> damaged = new ArrayList<>();
        scan.go(query, page -> {
            shown.addAll(page.jobs());
            damaged.addAll(page.damaged());
            if (shown.size() >= Times.MOST) {
                print(shown, damaged);
            }
        });
        print(shown, damaged);
        scan.print();
    }

    private void print(List<Job> jobs, List<JobPage.Damaged> damaged) {
        Output out = session.out();
        if (!jobs.isEmpty()) {
            out.table(columns(), jobs);
        }
        damaged.forEach(job -> out.line(job.jobSpecificationKey()
                + (job.id() == null ? "  (cannot be read: " : "  (the document " + job.id() + " cannot be read: ")
                + job.reason() + ")"));
        jobs.clear();
        damaged.clear();
    }

    private Columns<Job> columns() {
        return new Columns<Job>()
                .key("KEY", job -> job.specification().jobSpecificationKey())
                .text("TYPE", Job::commandType)
                .text(
                        "SCHEDULE",
                        job -> job.specification().schedulingSpecification().orElse("once"))
                .moment("NEXT FIRE", view.orUtc(), Job::nextFireTime)
                .whole("STATE", Job::jobState)
                .note(JobAnswer::notes);
    }

    /** Finished jobs are listed only with a state; mentions them if no live job was found. */
    private void finished(Scheduler scheduler, Instant now) {
        List<String> found = new ArrayList<>();
        Stream.of(JobState.values()).filter(JobState::isFinished).forEach(end -> {
            List<Job> jobs = scheduler.listJobs(query(end, Times.MOST, now)).jobs();
            if (!jobs.isEmpty()) {
                found.add(jobs.size() + " " + (jobs.size() < Times.MOST ? "" : "or more ") + "by --state " + end);
            }
        });
        if (!found.isEmpty()) {
            session.out().line("finished ones are shown: " + String.join(", ", found));
        }
    }

    private JobQuery query(@Nullable JobState asked, int size, Instant now) {
        Instant from = nextFrom == null ? null : nextFrom.in(view.orUtc(), now);
        Instant until = nextUntil == null ? null : nextUntil.in(view.orUtc(), now);
        return filter.query(asked, from, until, size);
    }
}
