package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.RowQuery;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import dev.almanac.web.json.Json;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
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
            Scheduler scheduler = access.scheduler();
            List<JobExecutionStatus> read =
                    key == null ? scheduler.failures(moment(since), moment(until)) : ofKey(access, key);
            List<JobExecutionStatus> found = open ? scheduler.openFailures(moment(since), moment(until)) : read;
            List<JobExecutionStatus> rows = found.subList(0, Math.min(view.limit(), found.size()));
            boolean more = found.size() > view.limit() || key == null && read.size() == Times.MOST;
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
                if (found.size() > view.limit()) {
                    out.line("older ones follow: add --limit 1000" + until(rows, found.get(rows.size())));
                } else if (more && !(open && rows.isEmpty())) {
                    out.line("1 000 rows were read; older ones may follow"
                            + (key == null && !open ? ": add --until " + after(read) : ""));
                }
            }
        });
    }

    /** How to see the rows behind these; those of one moment may be more than a page has. */
    private static String until(List<JobExecutionStatus> rows, JobExecutionStatus next) {
        Instant last = rows.get(rows.size() - 1).updatedTime();
        if (next.updatedTime().isBefore(last)) {
            return ", or --until " + last;
        }
        return rows.get(0).updatedTime().isAfter(last) ? ", or --until " + after(rows) : "";
    }

    /** A row may be shown twice, but none is left out. */
    private static Instant after(List<JobExecutionStatus> rows) {
        return rows.get(rows.size() - 1).updatedTime().plusMillis(1);
    }

    /** The rows that are asked for, newest first, as far as it takes to know whether more follow than are shown. */
    private List<JobExecutionStatus> ofKey(StoreAccess access, String key) {
        Instant from = moment(since);
        Instant end = moment(until);
        RowQuery newest = RowQuery.ofKey(key, Times.MOST);
        List<JobExecutionStatus> found = new ArrayList<>();
        boolean on = true;
        for (RowQuery query = end == null ? newest : newest.before(end); on; ) {
            // the newest ones may be in the document alone, as after a crash, which the scheduler knows
            List<JobExecutionStatus> page = query == newest
                    ? access.scheduler().history(key)
                    : access.opened().rows(query);
            List<JobExecutionStatus> rows = query.whole(page);
            rows.stream()
                    .filter(row -> !failed || row.isFailedFire())
                    .filter(row -> from == null || !row.updatedTime().isBefore(from))
                    .forEach(found::add);
            on = !query.isLast(page) && found.size() <= view.limit();
            if (on) {
                Instant oldest = rows.get(rows.size() - 1).updatedTime();
                on = from == null || !oldest.isBefore(from);
                query = newest.before(oldest);
            }
        }
        if (found.isEmpty() && access.scheduler().history(key).isEmpty()) {
            throw new NotFoundException(
                    "no rows of a job '" + key + "': it was never scheduled, or its rows have expired");
        }
        return found;
    }

    private @Nullable Instant moment(Times.@Nullable Past time) {
        return time == null ? null : time.in(view.orUtc());
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
