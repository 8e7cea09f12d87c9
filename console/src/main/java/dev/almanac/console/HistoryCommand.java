package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.OpenFailures;
import dev.almanac.store.RowQuery;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import dev.almanac.web.json.Json;
import dev.almanac.web.read.RowScan;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
            ZoneId zone = view.orOf(scheduler, key);
            Instant from = since == null ? null : since.passed("--since", zone, access.now());
            Instant end = until == null ? null : until.in(zone, access.now());
            OpenFailures part = open ? scheduler.openFailures(from, end) : null;
            RowScan found = part != null
                    ? new RowScan(part.rows(), part.before(), 0)
                    : key != null ? ofKey(access, scheduler, key, from, end) : ofAll(scheduler.failures(from, end));
            List<JobExecutionStatus> rows = found.first(view.limit());
            boolean limited = found.rows().size() > view.limit();
            Instant behind = found.until(view.limit());
            Instant unread = limited ? null : behind;
            Output out = session.out();
            if (out.isJson()) {
                var labels = access.nodeLabels();
                try (Json.Listing listing = out.listing("rows")) {
                    rows.forEach(row ->
                            listing.item(key == null ? Answers.rowOfAny(row, labels) : Answers.row(row, labels)));
                    listing.end(new Fields()
                            .with("more", found.isMore(view.limit()) ? true : null)
                            .with("until", unread));
                }
            } else {
                if (rows.isEmpty()) {
                    String among = unread == null ? "" : " among those that were read";
                    out.line(open ? "no failure is open" + among : failed ? "no fire failed for good" : "no rows");
                } else {
                    out.table(columns(zone), rows);
                }
                if (limited) {
                    out.line("older ones follow: add --limit 1000" + (behind == null ? "" : ", or --until " + behind));
                } else if (unread != null) {
                    out.line("older ones may follow: add --until " + unread);
                }
            }
        });
    }

    /** A row may be shown twice, but none is left out. */
    private static RowScan ofAll(List<JobExecutionStatus> failures) {
        boolean all = failures.size() < Times.MOST;
        return new RowScan(
                failures,
                all ? null : failures.get(failures.size() - 1).updatedTime().plusMillis(1),
                0);
    }

    /** The rows that are asked for, newest first, as far as it takes to know whether more follow than are shown. */
    private RowScan ofKey(
            StoreAccess access, Scheduler scheduler, String key, @Nullable Instant from, @Nullable Instant end) {
        // the newest ones may be in the document alone, as after a crash, which the scheduler knows
        List<JobExecutionStatus> newest = scheduler.history(key);
        if (newest.isEmpty()) {
            throw new NotFoundException(
                    "no rows of a job '" + key + "': it was never scheduled, or its rows have expired");
        }
        return RowScan.of(
                RowQuery.ofKey(key, view.limit() + 1).before(end),
                newest,
                RowScan.NEWEST,
                access.opened()::rows,
                failed ? JobExecutionStatus::isFailedFire : null,
                from,
                Integer.MAX_VALUE);
    }

    /** Of all jobs with the key, which leaves no room for the fire. */
    private Columns<JobExecutionStatus> columns(ZoneId shown) {
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
