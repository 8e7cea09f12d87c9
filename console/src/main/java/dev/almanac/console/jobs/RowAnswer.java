package dev.almanac.console.jobs;

import dev.almanac.console.terminal.Json;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.JobExecutionStatus;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Status rows, the newest first: of one job, or of many and then each with its key. */
final class RowAnswer {
    private final Output out;
    private final List<JobExecutionStatus> rows;
    private final boolean keys;

    RowAnswer(Output out, List<JobExecutionStatus> rows, boolean keys) {
        this.out = out;
        this.rows = rows;
        this.keys = keys;
    }

    void json(boolean more, Map<String, String> labels) {
        try (Json.Listing listing = out.listing("rows")) {
            for (JobExecutionStatus row : rows) {
                Map<String, Object> item = new LinkedHashMap<>();
                if (keys) {
                    item.put("jobSpecificationKey", row.jobSpecificationKey());
                }
                item.putAll(JobAnswer.row(row, labels));
                listing.item(item);
            }
            listing.end(more ? Map.of("more", true) : Map.of());
        }
    }

    void table(ZoneId zone, boolean more) {
        Table table = out.table().column(Times.head("WRITTEN", zone), Fit.WHOLE);
        if (keys) {
            // leaves room for the key; the fire is shown in the history of the key
            table.column("KEY", Fit.MIDDLE).column("OUTCOME", Fit.WHOLE).column("TRY", Fit.WHOLE);
        } else {
            table.column("STATUS", Fit.WHOLE)
                    .column("OUTCOME", Fit.WHOLE)
                    .column("TRY", Fit.WHOLE)
                    .column(Times.head("FIRE", zone), Fit.WHOLE);
        }
        rows.forEach(row -> row(table, row, zone));
        table.print();
        if (more) {
            // a row may be shown twice, but none is left out
            out.line("older ones follow: add --limit 1000, or --until "
                    + rows.get(rows.size() - 1).updatedTime().plusMillis(1));
        }
    }

    private void row(Table table, JobExecutionStatus row, ZoneId zone) {
        String written = Times.second(row.updatedTime(), zone);
        String outcome = row.outcome().name();
        String attempt = row.attempt() == 0 ? "-" : "" + row.attempt();
        if (keys) {
            table.row(written, row.jobSpecificationKey(), outcome, attempt);
        } else {
            table.row(written, row.executionStatus().name(), outcome, attempt, Times.second(row.fireTime(), zone));
        }
        String about = JobLines.about(row);
        if (about != null) {
            table.note(about);
        }
    }
}
