package dev.almanac.engine;

import dev.almanac.helper.CommandRegistry;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import dev.almanac.store.ClaimPartition;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Puts the duties of a node together; the picture is in the package's description. */
final class Wiring {
    private Wiring() {}

    static Duties of(
            Node node,
            EngineParts parts,
            CommandRegistry registry,
            FirePlanner planner,
            LeaseBook book,
            int partitions,
            Supplier<NodeReport> report) {
        Lanes lanes = parts.runtime().lanes();
        AtomicReference<ClaimDuty> claimDuty = new AtomicReference<>();
        Reachability reachability = new Reachability(node.clock(), node.events());
        Claims claims = new Claims(node, book, () -> claimDuty.get().wake());
        CompletionDuty completions = new CompletionDuty(
                node,
                claims,
                reachability,
                lanes.open("complete", node.settings().completionsInFlight()));
        Recorder recorder =
                new Recorder(node, new CompletionDecider(planner), completions, claims, next(claimDuty, partitions));
        Helpers helpers = new Helpers(registry, parts.helpers());
        Starter starter = new Starter(node, helpers, recorder, parts.runtime().executor(), lanes.open("start", 1));
        Lane control = lanes.open("control", 1);
        Dispatcher dispatcher = new Dispatcher(node, new FireDecider(planner), claims, completions, starter, control);
        Intake intake = intake(node, parts, registry, book, reachability);
        claimDuty.set(new ClaimDuty(
                node,
                dispatcher,
                intake,
                lanes.open("claim", 1),
                lanes.open("look", node.settings().claimsInFlight() + 1)));
        dispatcher.onShun(claimDuty.get()::shun);
        NodeDuty nodeDuty =
                new NodeDuty(node, report, partitions, claimDuty.get()::prefer, reachability, lanes.open("node", 1));
        claimDuty.get().onCompetition(nodeDuty::competed);
        return new Duties(
                claimDuty.get(),
                new LeaseDuty(node, book, claims, reachability, lanes.open("lease", 1)),
                nodeDuty,
                new PurgeDuty(node, reachability, control),
                starter,
                reachability,
                control);
    }

    private static Intake intake(
            Node node, EngineParts parts, CommandRegistry registry, LeaseBook book, Reachability reachability) {
        ControlView control = new ControlView(node.clock(), node.store().cluster());
        return new Intake(registry.names(), parts.typeLimits(), book, control, reachability);
    }

    /** A job that goes on may be due again before the next look. */
    private static Consumer<StoredJob> next(AtomicReference<ClaimDuty> claimDuty, int partitions) {
        return job -> claimDuty.get().hint(job, ClaimPartition.of(job.key(), partitions));
    }
}
