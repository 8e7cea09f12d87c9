package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Progress;
import dev.almanac.model.StandingPause;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
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
        description = "Lists the nodes that have reported within the last hour, or works with one of them.",
        subcommands = {StandbyCommand.class, NodeResumeCommand.class})
public final class NodesCommand extends StoreCommand {
    private static final Duration SILENT_AFTER = SchedulerSettings.defaults().nodeTimeout();

    private static final int MOST_RUNS = 1_000;
    private static final int MOST_SHOWN = 10;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "zone of the times shown (default: ${DEFAULT-VALUE})")
    private String zone = "UTC";

    private List<StandingPause> pauses = List.of();

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
        pauses = access.store().cluster().control().pauses();
        Map<String, List<StoredJob>> withProgress = withProgress(access.store(), nodes, now);
        out.list(
                "nodes",
                nodes,
                node -> answer(node, withProgress.getOrDefault(node.id(), List.of()), now),
                "no node has reported within the last hour",
                () -> table(out, nodes, withProgress, now));
        return 0;
    }

    /** The runs with progress, by node. */
    private static Map<String, List<StoredJob>> withProgress(JobStore store, List<NodeReport> nodes, Instant now) {
        long reported = nodes.stream()
                .filter(node -> node.isLive(now, SILENT_AFTER))
                .mapToLong(NodeReport::runs)
                .sum();
        Map<String, List<StoredJob>> withProgress = new HashMap<>();
        for (StoredJob job : store.running(now, MOST_RUNS, reported)) {
            Lease lease = job.lease();
            List<StoredJob> some = lease == null || job.progress() == null
                    ? new ArrayList<>()
                    : withProgress.computeIfAbsent(lease.owner(), node -> new ArrayList<>());
            if (some.size() < MOST_SHOWN) {
                some.add(job);
            }
        }
        return withProgress;
    }

    private static String text(StoredJob job) {
        Progress said = job.progress();
        return job.key() + ": " + (said == null ? "" : said.text());
    }

    private void table(Output out, List<NodeReport> nodes, Map<String, List<StoredJob>> withProgress, Instant now) {
        ZoneId shown = Times.zone(zone);
        Table table = out.table()
                .column("NODE", Fit.MIDDLE)
                .column("LABEL", Fit.END)
                .column("STATE", Fit.WHOLE)
                .column(Times.head("SEEN", shown), Fit.WHOLE)
                .column("RUNS", Fit.WHOLE)
                .column("PRIORITY", Fit.WHOLE)
                .column("TYPES", Fit.END);
        for (NodeReport node : nodes) {
            table.row(
                    node.id(),
                    node.label(),
                    state(node, now),
                    Times.second(node.seen(), shown),
                    node.slots() == 0 ? "" + node.runs() : node.runs() + "/" + node.slots(),
                    node.priorities(),
                    String.join(",", new TreeSet<>(node.types())));
            withProgress.getOrDefault(node.id(), List.of()).forEach(job -> table.note(text(job)));
        }
        table.print();
    }

    private String state(NodeReport node, Instant now) {
        return node.state(now, SILENT_AFTER, pauses).toString();
    }

    private Map<String, Object> answer(NodeReport node, List<StoredJob> withProgress, Instant now) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("node", node.id());
        answer.put("label", node.label());
        answer.put("live", node.isLive(now, SILENT_AFTER));
        answer.put("state", state(node, now));
        answer.put("started", node.started().toString());
        answer.put("seen", node.seen().toString());
        answer.put("zoneRules", node.zoneRules());
        answer.put("clockOffset", node.clockOffset().toString());
        answer.put("types", new TreeSet<>(node.types()));
        answer.put("runs", node.runs());
        answer.put("minPriority", node.minPriority());
        answer.put("maxPriority", node.maxPriority());
        if (node.slots() > 0) {
            answer.put("slots", node.slots());
        }
        if (!node.reasons().isEmpty()) {
            answer.put("reasons", node.reasons());
        }
        if (!withProgress.isEmpty()) {
            answer.put("progress", withProgress.stream().map(NodesCommand::text).toList());
        }
        return answer;
    }
}
