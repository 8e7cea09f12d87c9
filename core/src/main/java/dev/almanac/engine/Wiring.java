package dev.almanac.engine;

import dev.almanac.engine.change.ReplanDuty;
import dev.almanac.engine.claim.ClaimDuty;
import dev.almanac.engine.claim.ControlView;
import dev.almanac.engine.claim.Intake;
import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.NodeDuty;
import dev.almanac.engine.node.PurgeDuty;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.rules.CompletionDecider;
import dev.almanac.engine.rules.FireDecider;
import dev.almanac.engine.run.Claims;
import dev.almanac.engine.run.CompletionDuty;
import dev.almanac.engine.run.Dispatcher;
import dev.almanac.engine.run.Helpers;
import dev.almanac.engine.run.LeaseBook;
import dev.almanac.engine.run.LeaseDuty;
import dev.almanac.engine.run.Recorder;
import dev.almanac.engine.run.Starter;
import dev.almanac.helper.CommandRegistry;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import dev.almanac.store.ClaimPartition;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Puts the duties of a node together; the picture is in the package's description. Used once. */
final class Wiring {
    private final Node node;
    private final EngineParts parts;
    private final CommandRegistry registry;
    private final Planning planning;
    private final LeaseBook book;
    private final int partitions;
    private final Lanes lanes;
    private final Lane control;
    private final Lane plan;
    private final Reachability reachability;
    private final Claims claims;
    private final AtomicReference<ClaimDuty> claimDuty = new AtomicReference<>();

    Wiring(Node node, EngineParts parts, CommandRegistry registry, Planning planning, LeaseBook book, int partitions) {
        this.node = node;
        this.parts = parts;
        this.registry = registry;
        this.planning = planning;
        this.book = book;
        this.partitions = partitions;
        this.lanes = parts.runtime().lanes();
        this.control = lanes.open("control", 1);
        this.plan = lanes.open("plan", 1);
        this.reachability = new Reachability(node.clock(), node.events());
        this.claims = new Claims(node, book, job -> claimDuty.get().released(job));
    }

    Duties duties(Supplier<NodeReport> report) {
        CompletionDuty completions = new CompletionDuty(
                node,
                claims,
                reachability,
                lanes.open("complete", node.settings().completionsInFlight()));
        Starter starter = starter(completions);
        ControlView view = new ControlView(node.clock(), node.store().cluster(), planning.calendars());
        ClaimDuty claiming = claimDuty(completions, starter, view);
        NodeDuty nodeDuty =
                new NodeDuty(node, report, partitions, claiming::prefer, reachability, lanes.open("node", 1));
        claiming.onCompetition(nodeDuty::competed);
        return new Duties(
                claiming,
                new LeaseDuty(node, book, claims, reachability, lanes.open("lease", 1), lanes.open("trust", 1)),
                nodeDuty,
                new PurgeDuty(node, reachability, control),
                replanDuty(nodeDuty, view),
                starter,
                reachability,
                control,
                plan);
    }

    private Starter starter(CompletionDuty completions) {
        CompletionDecider decider = new CompletionDecider(planning.planner());
        Recorder recorder = new Recorder(node, decider, completions, claims, this::goesOn);
        Helpers helpers = new Helpers(registry, parts.helpers(), node.events().contained());
        return new Starter(node, helpers, recorder, parts.runtime().executor(), lanes.open("start", 1));
    }

    private ClaimDuty claimDuty(CompletionDuty completions, Starter starter, ControlView view) {
        Dispatcher dispatcher =
                new Dispatcher(node, new FireDecider(planning.planner()), claims, completions, starter, control);
        Intake intake = new Intake(registry.names(), parts.typeLimits(), book, view, reachability);
        Lane calls = lanes.open("look", node.settings().claimsInFlight() + 1);
        ClaimDuty duty = new ClaimDuty(node, dispatcher, intake, lanes.open("claim", 1), calls);
        claimDuty.set(duty);
        dispatcher.onShun(duty::shun);
        return duty;
    }

    private ReplanDuty replanDuty(NodeDuty nodeDuty, ControlView view) {
        ReplanDuty duty =
                new ReplanDuty(node, planning.replanner(), planning.planner(), nodeDuty::live, reachability, plan);
        view.onCalendars(duty::calendarsEdited);
        return duty;
    }

    /** A job that goes on may be due again before the next look. */
    private void goesOn(StoredJob job) {
        claimDuty.get().hint(job, ClaimPartition.of(job.key(), partitions));
    }
}
