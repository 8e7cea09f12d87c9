package dev.almanac.console.jobs;

import dev.almanac.console.reach.Reach;
import dev.almanac.console.terminal.Json;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.console.terminal.WrongInput;
import dev.almanac.model.JobExecutionStatus;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac jobs history}. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        description = "Shows the status rows of a key, the newest first.")
final class HistoryCommand extends OneJob {
    private static final int MOST_ROWS = 1_000;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "how many at most, 1 to 1000 (default: ${DEFAULT-VALUE})")
    private int limit = 50;

    @Override
    protected void check() {
        super.check();
        if (limit < 1 || limit > MOST_ROWS) {
            throw new WrongInput("--limit " + limit + " is not within 1 to " + MOST_ROWS);
        }
    }

    @Override
    protected int answer(Reach reach, Output out) {
        List<JobExecutionStatus> rows = reach.scheduler().history(key());
        if (rows.isEmpty()) {
            throw new WrongInput("no rows of a job '" + key() + "': it was never scheduled, or its rows have expired");
        }
        List<JobExecutionStatus> shown = rows.subList(0, Math.min(limit, rows.size()));
        if (out.isJson()) {
            json(out, shown, shown.size() < rows.size());
        } else {
            table(out, shown);
            if (shown.size() < rows.size()) {
                out.line("older ones follow: add --limit " + MOST_ROWS);
            }
        }
        return 0;
    }

    private static void json(Output out, List<JobExecutionStatus> rows, boolean more) {
        try (Json.Listing listing = out.listing("rows")) {
            rows.forEach(row -> listing.item(JobAnswer.row(row)));
            listing.end(more ? Map.of("more", true) : Map.of());
        }
    }

    private void table(Output out, List<JobExecutionStatus> rows) {
        ZoneId zone = zone();
        ZoneId shown = zone == null ? ZoneOffset.UTC : zone;
        Table table = out.table()
                .column(Times.head("WRITTEN", shown), Fit.WHOLE)
                .column("STATUS", Fit.WHOLE)
                .column("OUTCOME", Fit.WHOLE)
                .column("TRY", Fit.WHOLE)
                .column(Times.head("FIRE", shown), Fit.WHOLE);
        for (JobExecutionStatus row : rows) {
            String about = JobLines.about(row);
            table.row(
                    Times.second(row.updatedTime(), shown),
                    row.executionStatus().name(),
                    row.outcome().name(),
                    row.attempt() == 0 ? "-" : "" + row.attempt(),
                    Times.second(row.fireTime(), shown));
            if (about != null) {
                table.note(about);
            }
        }
        table.print();
    }
}
