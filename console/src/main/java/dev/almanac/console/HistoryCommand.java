package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import dev.almanac.web.json.Json;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac jobs history}. */
@Command(
        name = "history",
        description = "Shows the status rows of a key, or of all fires that failed for good; the newest first.")
final class HistoryCommand implements Callable<Integer> {
    @Mixin
    private Session session;

    @Parameters(arity = "0..1", paramLabel = "KEY", description = "the job's key; all jobs: --failed")
    private @Nullable String key;

    @Option(names = "--failed", description = "only fires that failed for good, and why")
    private boolean failed;

    @Option(
            names = "--open",
            description =
                    "with --failed and without a KEY: the newest of each job of which none has gone well since, and which"
                            + " no user has acknowledged")
    private boolean open;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "only rows written at or after this moment: today, yesterday, a date, 24h (ago)")
    private Times.@Nullable Past since;

    @Option(names = "--until", paramLabel = "TIME", description = "only rows written before this moment")
    private Times.@Nullable Past until;

    @Option(names = "--log", description = "with the lines that each run has logged")
    private boolean log;

    @Mixin
    private RowOptions view;

    @Override
    public Integer call() {
        InvalidInputException.when(
                key == null && !failed, "name a job's KEY, or write --failed for the failures of all jobs");
        InvalidInputException.when(open && (!failed || key != null), "--open needs --failed, without a KEY");
        view.check("");
        return session.useStore(access -> {
            List<JobExecutionStatus> read = read(access.scheduler());
            List<JobExecutionStatus> found = open
                    ? access.scheduler().openFailures(moment(since), moment(until))
                    : read.stream().filter(this::isMeant).toList();
            List<JobExecutionStatus> rows = found.subList(0, Math.min(view.limit(), found.size()));
            boolean more = found.size() > view.limit() || read.size() == Times.MOST;
            Output out = session.out();
            if (out.isJson()) {
                var labels = access.nodeLabels();
                try (Json.Listing listing = out.listing("rows")) {
                    rows.forEach(row ->
                            listing.item(key == null ? Answers.rowOfAny(row, labels) : Answers.row(row, labels)));
                    listing.end(new Fields().with("more", more ? true : null));
                }
            } else {
                if (rows.isEmpty()) {
                    String among = more ? " among the newest 1 000" : "";
                    out.line(open ? "no failure is open" + among : failed ? "no fire failed for good" : "no rows");
                } else {
                    out.table(columns(), rows);
                }
                // a row may be shown twice, but none is left out
                if (found.size() > view.limit()) {
                    out.line("older ones follow: add --limit 1000, or --until " + after(rows));
                } else if (more && !(open && rows.isEmpty())) {
                    out.line("1 000 rows were read; older ones may follow"
                            + (key == null && !open ? ": add --until " + after(read) : ""));
                }
            }
        });
    }

    private static Instant after(List<JobExecutionStatus> rows) {
        return rows.get(rows.size() - 1).updatedTime().plusMillis(1);
    }

    /** Newest first; at most 1 000. */
    private List<JobExecutionStatus> read(Scheduler scheduler) {
        if (key == null) {
            return scheduler.failures(moment(since), moment(until));
        }
        List<JobExecutionStatus> rows = scheduler.history(key);
        if (rows.isEmpty()) {
            throw new NotFoundException(
                    "no rows of a job '" + key + "': it was never scheduled, or its rows have expired");
        }
        return rows;
    }

    private @Nullable Instant moment(Times.@Nullable Past time) {
        return time == null ? null : time.in(view.orUtc());
    }

    /** Of the rows of a key; those of all jobs are found so. */
    private boolean isMeant(JobExecutionStatus row) {
        Instant from = moment(since);
        Instant end = moment(until);
        return key == null
                || (!failed || row.isFailedFire())
                        && (from == null || !row.updatedTime().isBefore(from))
                        && (end == null || row.updatedTime().isBefore(end));
    }

    /** Of all jobs with the key, which leaves no room for the fire. */
    private Columns<JobExecutionStatus> columns() {
        ZoneId shown = view.orUtc();
        Columns<JobExecutionStatus> columns =
                new Columns<JobExecutionStatus>().moment("WRITTEN", shown, JobExecutionStatus::updatedTime);
        if (key == null) {
            columns.key("KEY", JobExecutionStatus::jobSpecificationKey);
        } else {
            columns.whole("STATUS", JobExecutionStatus::executionStatus);
        }
        columns.whole("OUTCOME", JobExecutionStatus::outcome)
                .whole("TRY", row -> row.attempt() == 0 ? "-" : row.attempt());
        if (key != null) {
            columns.moment("FIRE", shown, JobExecutionStatus::fireTime);
        }
        return columns.note(JobAnswer::about).lines(row -> log ? JobAnswer.lines(row.log(), shown) : List.of());
    }
}
