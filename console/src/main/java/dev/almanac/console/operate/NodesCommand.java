package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Json;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac nodes}. */
@Command(
        name = "nodes",
        mixinStandardHelpOptions = true,
        description = "Lists the nodes that have reported within the last hour.")
public final class NodesCommand extends StoreCommand {
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
        List<NodeReading> nodes = NodeReading.all(access, access.store().serverTime());
        if (out.isJson()) {
            try (Json.Listing listing = out.listing("nodes")) {
                nodes.forEach(node -> listing.item(answer(node)));
                listing.end(Map.of());
            }
        } else if (nodes.isEmpty()) {
            out.line("no node has reported within the last hour");
        } else {
            table(out, nodes);
        }
        return 0;
    }

    private void table(Output out, List<NodeReading> nodes) {
        ZoneId shown = Times.zone(zone);
        Table table = out.table()
                .column("NODE", Fit.MIDDLE)
                .column("LABEL", Fit.END)
                .column("STATE", Fit.WHOLE)
                .column(Times.head("SEEN", shown), Fit.WHOLE)
                .column("RUNS", Fit.WHOLE)
                .column("TYPES", Fit.END);
        for (NodeReading node : nodes) {
            table.row(
                    node.node(),
                    node.label(),
                    node.live() ? "live" : "silent",
                    Times.second(node.seen(), shown),
                    "" + node.runs(),
                    String.join(",", node.types()));
        }
        table.print();
    }

    private static Map<String, Object> answer(NodeReading node) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("node", node.node());
        answer.put("label", node.label());
        answer.put("live", node.live());
        answer.put("started", String.valueOf(node.started()));
        answer.put("seen", String.valueOf(node.seen()));
        answer.put("zoneRules", node.zoneRules());
        answer.put("clockOffset", node.clockOffset());
        answer.put("types", node.types());
        answer.put("runs", node.runs());
        return answer;
    }
}
