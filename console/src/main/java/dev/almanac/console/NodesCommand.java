package dev.almanac.console;

import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.JobStore;
import dev.almanac.store.NodeReport;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac nodes}. */
@Command(
        name = "nodes",
        description = "Lists the nodes that have reported within the last hour, or works with one of them.",
        addMethodSubcommands = false)
final class NodesCommand implements Callable<Integer> {
    @Mixin
    private Session session;

    @Mixin
    private ZoneOption zone;

    @Override
    public Integer call() {
        return session.useStore(access -> {
            JobStore store = access.opened();
            Instant now = store.serverTime();
            List<NodeReport> nodes = store.cluster().nodes(Instant.EPOCH);
            List<StandingPause> pauses = store.cluster().control().pauses();
            Map<String, List<String>> progress = progress(store, nodes, now);
            Columns<NodeReport> columns = new Columns<NodeReport>()
                    .key("NODE", NodeReport::id)
                    .text("LABEL", NodeReport::label)
                    .whole("STATE", node -> node.state(now, pauses))
                    .moment("SEEN", zone.orUtc(), NodeReport::seen)
                    .whole("RUNS", node -> node.runs() + (node.slots() == 0 ? "" : "/" + node.slots()))
                    .whole("PRIORITY", NodeReport::priorities)
                    .text("TYPES", node -> String.join(",", new TreeSet<>(node.types())))
                    .note(node -> progress.containsKey(node.id()) ? String.join("; ", progress.get(node.id())) : null);
            session.out()
                    .list(
                            "nodes",
                            nodes,
                            node -> Answers.node(node, now, pauses, progress),
                            "no node has reported within the last hour",
                            columns);
        });
    }

    /** What runs say of their progress, by node. */
    private static Map<String, List<String>> progress(JobStore store, List<NodeReport> nodes, Instant now) {
        long reported = nodes.stream()
                .filter(node -> node.isLive(now))
                .mapToLong(NodeReport::runs)
                .sum();
        return Answers.progress(store.running(now, Times.MOST, reported));
    }

    @Command(
            name = "standby",
            description = {
                "Stops a node from claiming jobs within a second; it finishes its runs, and other nodes run the rest.",
                "It lasts until almanac nodes resume, also for nodes of the same label that start later."
            })
    int standby(
            @Mixin ChangeSession change,
            @Parameters(paramLabel = "NODE", description = "id or label of a node, as almanac nodes shows it")
                    String node,
            @Option(
                            names = "--yes",
                            description = {
                                "also if no such node has reported, for nodes of that label that come later;",
                                "in the place of another standby"
                            })
                    boolean yes,
            @Mixin PauseTimes times) {
        Pause pause = times.of(Pause.because(""));
        return change.useStore(access -> {
            PauseScope scope = PauseScope.node(node);
            StandingPause present = PauseTimes.replaced(access, scope, pause, yes);
            JobStore store = access.store();
            List<NodeReport> nodes = store.cluster().nodes(Instant.EPOCH);
            if (!yes && nodes.stream().noneMatch(known -> new PauseScope.Node(node).is(known.id(), known.label()))) {
                throw new InvalidInputException("no node '" + node + "' has reported within the last hour; known are "
                        + nodes.stream().map(NodeReport::label).distinct().toList()
                        + "; --yes for nodes that come later");
            }
            String replaced = PauseTimes.pause(change.scheduler(access), scope, pause, present);
            change.answer(
                    new Fields()
                            .with("node", node)
                            .with("standby", true)
                            .with("from", pause.from())
                            .with("until", pause.until()),
                    node
                            + (pause.from() == null ? " is on standby" : " will be on standby")
                            + times.words(pause, scope.resumeCommand())
                            + replaced);
        });
    }

    @Command(name = "resume", description = "Ends the standby of a node.")
    int resume(
            @Mixin ChangeSession change,
            @Parameters(paramLabel = "NODE", description = "the id or label that almanac nodes standby was given")
                    String node,
            @Option(
                            names = "--from",
                            paramLabel = "TIME",
                            description = "withdraws the standby that is planned for then")
                    Times.@Nullable Moment from) {
        Instant planned = from == null ? null : from.in(ZoneOffset.UTC);
        return change.use(scheduler -> {
            PauseScope scope = PauseScope.node(node);
            boolean held = planned == null ? scheduler.resume(scope) : scheduler.resume(scope, planned);
            String done = planned == null ? " claims again" : ": the planned standby is withdrawn";
            String none = planned == null ? " was not on standby" : " has no standby that is planned for then";
            change.answer(
                    new Fields().with("node", node).with("resumed", held),
                    node + (held ? done : none + ", nothing was changed"));
        });
    }
}
