package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Json;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac lateness}. */
@Command(
        name = "lateness",
        mixinStandardHelpOptions = true,
        description =
                "Shows how late runs started, by command type: the 50th, 95th and 99th percentile, and the maximum.")
public final class LatenessCommand extends StoreCommand {
    @Option(
            names = "--since",
            paramLabel = "TIME",
            defaultValue = "1h",
            description = "from when on: today, a date, 24h (ago); at most 7 days are kept (default: ${DEFAULT-VALUE})")
    private String since = "1h";

    /** Made by the command line. */
    public LatenessCommand() {}

    @Override
    protected void check() {
        from();
    }

    private Instant from() {
        try {
            return Times.past(since, ZoneOffset.UTC, Instant.now());
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("--since '" + since + "' " + e.getMessage());
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        MongoJobStore store = access.store();
        store.open();
        Map<String, LatenessCounts> types = new TreeMap<>();
        for (MinuteReport minute : store.cluster().minutes(from())) {
            minute.types().forEach((type, of) -> types.merge(type, of.lateness(), LatenessCounts::plus));
        }
        if (out.isJson()) {
            json(out, types);
        } else if (types.isEmpty()) {
            out.line("nothing has run since " + Times.both(from(), ZoneOffset.UTC));
        } else {
            table(out, types);
        }
        return 0;
    }

    private static void json(Output out, Map<String, LatenessCounts> types) {
        try (Json.Listing listing = out.listing("types")) {
            types.forEach((type, lateness) -> {
                Map<String, Object> item = new LinkedHashMap<>();
                item.put("type", type);
                item.put("runs", lateness.total());
                item.put("p50", lateness.percentile(0.5).toString());
                item.put("p95", lateness.percentile(0.95).toString());
                item.put("p99", lateness.percentile(0.99).toString());
                item.put("worst", lateness.worst().toString());
                listing.item(item);
            });
            listing.end(Map.of());
        }
    }

    private static void table(Output out, Map<String, LatenessCounts> types) {
        Table table = out.table()
                .column("TYPE", Fit.END)
                .column("RUNS", Fit.WHOLE)
                .column("P50", Fit.WHOLE)
                .column("P95", Fit.WHOLE)
                .column("P99", Fit.WHOLE)
                .column("WORST", Fit.WHOLE);
        types.forEach((type, lateness) -> table.row(
                type,
                "" + lateness.total(),
                shown(lateness.percentile(0.5)),
                shown(lateness.percentile(0.95)),
                shown(lateness.percentile(0.99)),
                shown(lateness.worst())));
        table.print();
    }

    private static String shown(Duration lateness) {
        long millis = lateness.toMillis();
        return millis < 10_000 ? millis + " ms" : millis / 1_000 + " s";
    }
}
