package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.JobStore;
import dev.almanac.store.NodeReport;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
            Map<String, List<String>> progress =
                    Answers.progress(store.running(now, Times.MOST, NodeReport.liveRuns(nodes, now)));
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

    @Command(
            name = "standby",
            description = {
                "Stops a node from claiming jobs within a second; it finishes its runs, and other nodes run the rest.",
                "It lasts until almanac nodes resume, also for nodes of the same label that start later:",
                "over a restart of the node only if almanac.label is set."
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
        return change.useStore(access -> {
            Pause pause = times.of(Pause.because(""), times.orUtc(), access.now());
            PauseScope scope = PauseScope.node(node);
            StandingPause present = PauseTimes.replaced(access, scope, pause, yes);
            JobStore store = access.store();
            List<NodeReport> nodes = store.cluster().nodes(Instant.EPOCH);
            InvalidInputException.when(
                    !yes && nodes.stream().noneMatch(known -> new PauseScope.Node(node).is(known.id(), known.label())),
                    "no node '" + node + "' has reported within the last hour; known are "
                            + nodes.stream().map(NodeReport::label).distinct().toList()
                            + "; --yes for nodes that come later");
            Pause replaced = PauseTimes.pause(access, change.scheduler(access), scope, pause, present);
            change.answer(
                    new Fields()
                            .with("node", node)
                            .with("standby", true)
                            .with("from", pause.from())
                            .with("until", pause.until())
                            .with("replaced", replaced),
                    node
                            + (pause.from() == null ? " is on standby" : " will be on standby")
                            + PauseTimes.words(pause, scope, times.orUtc())
                            + (isOfProcess(node, nodes)
                                    ? "; after a restart the node may have another name, and claim: set almanac.label"
                                    : "")
                            + PauseTimes.told(replaced));
        });
    }

    /** Whether a name is the id of a node, or ends as the default label does, with a process id: a restarted node has another. */
    private static boolean isOfProcess(String name, List<NodeReport> nodes) {
        return nodes.stream().anyMatch(node -> node.id().equals(name)) || name.matches(".+/[0-9]+");
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
                    Times.@Nullable Moment from,
            @Mixin ZoneOption zone) {
        return change.useStore(access -> {
            Scheduler scheduler = change.scheduler(access);
            Instant planned = from == null ? null : from.in(zone.orUtc(), access.now());
            PauseScope scope = PauseScope.node(node);
            boolean held = planned == null ? scheduler.resume(scope) : scheduler.resume(scope, planned);
            var read = access.afterwards(
                    "whether it has another standby",
                    () -> planned == null
                            ? named(
                                    new PauseScope.Node(node),
                                    access.store().cluster().nodes(Instant.EPOCH),
                                    scheduler.pauses(),
                                    access.now())
                            : new Named(List.of(), false));
            Named left = Objects.requireNonNullElse(read.value(), new Named(List.of(), false));
            List<PauseScope.Node> others = left.others();
            boolean free = read.problem() == null && others.isEmpty();
            String done;
            if (planned != null) {
                done = ": the planned standby is withdrawn";
            } else if (free && left.live()) {
                done = " claims again";
            } else {
                done = ": the standby of that name is ended" + (free ? "; no live node has it" : "");
            }
            String none = planned != null
                    ? " has no standby that is planned for then"
                    : free ? " was not on standby" : " has no standby of that name";
            List<String> names = others.stream().map(PauseScope.Node::name).toList();
            change.answer(
                    new Fields()
                            .with("node", node)
                            .with("resumed", held)
                            .with("stillOnStandby", names)
                            .with("stillOnStandbyKnown", read.problem() == null ? null : false),
                    node + (held ? done : none + ", nothing was changed") + read.orNothing());
            if (!others.isEmpty()) {
                throw new CommandFailedException(node + " is still on standby, as "
                        + others.stream()
                                .map(other -> other.words() + ": " + other.resumeCommand())
                                .collect(Collectors.joining("; ")));
            }
        });
    }

    /**
     * What is left where a standby was ended.
     *
     * @param others the standbys that keep the same live nodes from claiming by another name, which may be that of further nodes
     * @param live whether a live node has the name
     */
    private record Named(List<PauseScope.Node> others, boolean live) {}

    private static Named named(PauseScope.Node ended, List<NodeReport> nodes, List<StandingPause> pauses, Instant now) {
        List<NodeReport> meant = nodes.stream()
                .filter(known -> known.isLive(now) && ended.is(known.id(), known.label()))
                .toList();
        List<PauseScope.Node> others = pauses.stream()
                .map(StandingPause::scope)
                .filter(PauseScope.Node.class::isInstance)
                .map(PauseScope.Node.class::cast)
                .filter(other -> meant.stream().anyMatch(known -> other.is(known.id(), known.label())))
                .filter(other -> !other.equals(ended))
                .distinct()
                .toList();
        return new Named(others, !meant.isEmpty());
    }
}
