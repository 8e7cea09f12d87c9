package dev.almanac.console.jobs;

import dev.almanac.console.terminal.Json;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Prints the results of an action, job by job, and their totals. */
final class ActionAnswer {
    private ActionAnswer() {}

    /** The exit code: 1 if something was refused. */
    static int tell(Output out, ActionReport report) {
        if (out.isJson()) {
            json(out, report);
        } else {
            report.items().forEach(item -> out.line(item.key() + ": " + words(item, report.dryRun()) + item.detail()));
            out.line(sum(report));
        }
        return report.count(Result.REFUSED) > 0 ? 1 : 0;
    }

    private static String words(Item item, boolean dryRun) {
        return switch (item.result()) {
            case DONE -> dryRun ? "would be done: " : "";
            case UNCHANGED -> "unchanged, ";
            case REFUSED -> "refused: ";
        };
    }

    private static String sum(ActionReport report) {
        String done = report.count(Result.DONE) + (report.dryRun() ? " would be done, " : " done, ");
        String rest = report.count(Result.UNCHANGED) + " unchanged, " + report.count(Result.REFUSED) + " refused";
        return done + rest + (report.dryRun() ? "; nothing was changed (--dry-run)" : "");
    }

    private static void json(Output out, ActionReport report) {
        try (Json.Listing listing = out.listing("jobs")) {
            for (Item item : report.items()) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("jobSpecificationKey", item.key());
                fields.put("result", item.result().name());
                fields.put("detail", item.detail());
                listing.item(fields);
            }
            Map<String, Object> sum = new LinkedHashMap<>();
            for (Result result : Result.values()) {
                sum.put(result.name().toLowerCase(Locale.ROOT), report.count(result));
            }
            sum.put("dryRun", report.dryRun());
            listing.end(sum);
        }
    }
}
