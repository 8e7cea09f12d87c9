package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Json;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac nodes}. */
@Command(
        name = "nodes",
        mixinStandardHelpOptions = true,
        description = "Lists the nodes that have reported within the last hour.")
public final class NodesCommand extends StoreCommand {
    private static final Duration SILENT_AFTER = SchedulerSettings.defaults().nodeTimeout();

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "zone of the moments shown (default: ${DEFAULT-VALUE})")
    private String zone = "UTC";

    /** Made by the command line. */
    public NodesCommand() {}

    @Override
    protected void check() {
        Times.zone(zone);
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        access.store().open();
        Instant now = access.store().serverTime();
        List<NodeReport> nodes = access.store().cluster().nodes(Instant.EPOCH);
        if (out.isJson()) {
            try (Json.Listing listing = out.listing("nodes")) {
                nodes.forEach(node -> listing.item(answer(node, now)));
                listing.end(Map.of());
            }
        } else if (nodes.isEmpty()) {
            out.line("no node has reported within the last hour");
        } else {
            table(out, nodes, now);
        }
        return 0;
    }

    private void table(Output out, List<NodeReport> nodes, Instant now) {
        ZoneId shown = Times.zone(zone);
        Table table = out.table()
                .column("NODE", Fit.MIDDLE)
                .column("LABEL", Fit.END)
                .column("STATE", Fit.WHOLE)
                .column(Times.head("SEEN", shown), Fit.WHOLE)
                .column("RUNS", Fit.WHOLE)
                .column("TYPES", Fit.END);
        for (NodeReport node : nodes) {
            table.row(
                    node.id(),
                    node.label(),
                    state(node, now),
                    Times.second(node.seen(), shown),
                    "" + node.runs(),
                    String.join(",", new TreeSet<>(node.types())));
        }
        table.print();
    }

    private static boolean isLive(NodeReport node, Instant now) {
        return !node.stopped() && node.seen().isAfter(now.minus(SILENT_AFTER));
    }

    private static String state(NodeReport node, Instant now) {
        return node.stopped() ? "stopped" : isLive(node, now) ? "live" : "silent";
    }

    private static Map<String, Object> answer(NodeReport node, Instant now) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("node", node.id());
        answer.put("label", node.label());
        answer.put("live", isLive(node, now));
        answer.put("state", state(node, now));
        answer.put("started", node.started().toString());
        answer.put("seen", node.seen().toString());
        answer.put("zoneRules", node.zoneRules());
        answer.put("clockOffset", node.clockOffset().toString());
        answer.put("types", new TreeSet<>(node.types()));
        answer.put("runs", node.runs());
        return answer;
    }
}
