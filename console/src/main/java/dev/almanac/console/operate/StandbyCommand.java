package dev.almanac.console.operate;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.NodeReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac nodes standby}. */
@Command(
        name = "standby",
        mixinStandardHelpOptions = true,
        description = {
            "Stops a node from claiming jobs within a second; it finishes its runs, and other nodes run the rest.",
            "It lasts until almanac nodes resume, also for nodes of the same label that start later."
        })
final class StandbyCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NODE", description = "id or label of a node, as almanac nodes shows it")
    private String node;

    @Option(names = "--yes", description = "also if no such node has reported: for nodes of that label that come later")
    private boolean yes;

    @Mixin
    private ActorOptions actor;

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = actor.sign(access.scheduler());
        access.store().open();
        if (!yes) {
            refuseUnknown(access.store().cluster().nodes(Instant.EPOCH));
        }
        scheduler.pause(PauseScope.node(node), Pause.because(""));
        if (out.isJson()) {
            out.json(Map.of("node", node, "standby", true));
        } else {
            out.line(node + " is on standby; to end it: almanac nodes resume '" + node + "'");
        }
        return 0;
    }

    private void refuseUnknown(List<NodeReport> nodes) {
        if (nodes.stream().noneMatch(known -> new PauseScope.Node(node).is(known.id(), known.label()))) {
            throw new InvalidInputException("no node '" + node + "' has reported within the last hour; known are "
                    + nodes.stream().map(NodeReport::label).distinct().toList()
                    + "; --yes for nodes that come later");
        }
    }
}
