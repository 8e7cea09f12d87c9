package dev.almanac.engine;

import dev.almanac.engine.insight.HealthDecider;
import dev.almanac.engine.insight.NodeSnapshot;
import dev.almanac.engine.kernel.ClaimDuty;
import dev.almanac.engine.kernel.CompletionDuty;
import dev.almanac.engine.kernel.ControlView;
import dev.almanac.engine.kernel.Dispatcher;
import dev.almanac.engine.kernel.FollowDuty;
import dev.almanac.engine.kernel.HeldJobs;
import dev.almanac.engine.kernel.Kernel;
import dev.almanac.engine.kernel.LeaseDuty;
import dev.almanac.engine.kernel.Signals;
import dev.almanac.engine.kernel.Slots;
import dev.almanac.engine.kernel.Starter;
import dev.almanac.engine.kernel.StoreCalls;
import dev.almanac.engine.kernel.WatchDuty;
import dev.almanac.engine.port.Helpers;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.port.RunThreads;
import dev.almanac.engine.port.SlowCalendar;
import dev.almanac.engine.request.FollowUpInserts;
import dev.almanac.engine.upkeep.BacklogCount;
import dev.almanac.engine.upkeep.BacklogDuty;
import dev.almanac.engine.upkeep.MinuteDuty;
import dev.almanac.engine.upkeep.NodeDuty;
import dev.almanac.engine.upkeep.PurgeDuty;
import dev.almanac.engine.upkeep.RepairDuty;
import dev.almanac.engine.upkeep.ReplanDuty;
import dev.almanac.engine.upkeep.Replanner;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreReport;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import dev.almanac.time.ZoneRulesVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The duties of a started node, put together; the picture is in the package's description. */
final class Wiring {
    private static final int MOST_REASONS = 20;
    private static final int LONGEST_REASON = 500;

    private final Node node;
    private final EngineParts parts;
    private final Helpers helpers;
    private final StoreReport opened;
    private final Instant started;
    /** Everything that a node decides is decided here, one step at a time; no step waits. */
    private final Kernel kernel;

    private final Supervisor supervisor;

    private final Lane plan;
    private final Lane upkeep;
    private final Reachability reachability;
    private final HeldJobs held;
    private final Slots slots;
    private final ControlView view;
    private final CompletionDuty completions;
    private final Dispatcher dispatcher;
    private final ClaimDuty claimDuty;
    private final LeaseDuty leaseDuty;
    private final NodeDuty nodeDuty;
    private final PurgeDuty purgeDuty;
    private final ReplanDuty replanDuty;
    private final MinuteDuty minuteDuty;
    private final RepairDuty repairDuty;
    private final BacklogDuty backlogDuty;
    private final Signals signals = new PassedOn();
    private volatile @Nullable WatchDuty watchDuty;
    private final Supplier<NodeSnapshot> snapshot;

    /**
     * @param inserts store follow-ups
     * @param snapshot the state of the node, from which its reports to others are made
     */
    Wiring(
            Node node,
            EngineParts parts,
            Helpers helpers,
            Replanner replanner,
            StoreReport store,
            FollowUpInserts inserts,
            Supplier<NodeSnapshot> snapshot) {
        this.node = node;
        this.snapshot = snapshot;
        this.parts = parts;
        this.helpers = helpers;
        this.started = node.clock().now();
        this.opened = store;
        this.supervisor = new Supervisor(node);
        this.kernel = new Kernel(lanes().open("kernel", 1), node.clock()::nanos, this::beginAgain);
        this.plan = lanes().open("plan", 1);
        this.reachability = new Reachability(node.clock(), node.events(), this::askStore);
        this.held = heldJobs();
        this.slots =
                new Slots(helpers.types(), parts.typeLimits(), node.settings().maxConcurrentRuns(), held);
        this.view = view();
        this.completions = completions(inserts);
        this.dispatcher = new Dispatcher(node, held, completions, starts(), kernel);
        this.claimDuty = claims();
        this.leaseDuty = leases();
        this.nodeDuty = reports();
        this.upkeep = lanes().open("upkeep", 1);
        this.purgeDuty = new PurgeDuty(node, reachability, upkeep);
        this.replanDuty = replanDuty(replanner);
        this.minuteDuty = new MinuteDuty(node, reachability, upkeep);
        this.repairDuty = new RepairDuty(node, reachability, upkeep, replanDuty::renewPage);
        this.backlogDuty = backlogDuty(upkeep);
    }

    /** The parts of the kernel derive what they knew from what outlasts it: runs and their claims, writes, claims asked for. */
    private void beginAgain(Throwable thrown) {
        if (supervisor.failed(thrown)) {
            loseAll();
        }
        held.beginAgain();
        completions.beginAgain();
        dispatcher.beginAgain();
        claimDuty.beginAgain();
        leaseDuty.beginAgain();
        nodeDuty.beginAgain();
        supervisor.begun(thrown);
    }

    /**
     * What still runs here is asked to end, and is not claimed here before it has. If this throws, all of it is done again:
     * the identity changes last.
     */
    private void loseAll() {
        held.loseAll("this node failed too often, and begins again under another identity");
        NodeReport former = report();
        claimDuty.giveUp(supervisor.changeIdentity());
        nodeDuty.renamed(former);
    }

    private Lanes lanes() {
        return parts.runtime().lanes();
    }

    private ReplanDuty replanDuty(Replanner replanner) {
        return new ReplanDuty(node, replanner, view::read, nodeDuty::live, reachability, plan);
    }

    private BacklogDuty backlogDuty(Lane lane) {
        BacklogCount count = new BacklogCount(node, helpers.types(), opened.partitions());
        return new BacklogDuty(node, count, nodeDuty::live, reachability, lane);
    }

    private HeldJobs heldJobs() {
        return new HeldJobs(node.settings().maxConcurrentRuns(), node.clock()::nanos, node.events(), kernel, signals);
    }

    private ControlView view() {
        return new ControlView(
                node.clock(),
                node.store().cluster(),
                node.calendars(),
                paused -> paused.is(node.id(), parts.runtime().label()),
                signals);
    }

    private CompletionDuty completions(FollowUpInserts inserts) {
        return new CompletionDuty(
                node,
                held,
                reachability,
                kernel,
                lanes().threads("complete"),
                new FollowDuty.Way(inserts::insert, lanes().threads("follow")),
                signals);
    }

    private Starter.Parts starts() {
        Executor executor = parts.runtime().executor();
        Executor handOver = parts.runtime().neverBlocks() ? Runnable::run : lanes().threads("hand-over");
        RunThreads threads = new RunThreads(executor, handOver, lanes().threads("decide"));
        return new Starter.Parts(helpers, threads, kernel, view);
    }

    private ClaimDuty claims() {
        // a call that hangs occupies a thread until it returns
        Lane looks = lanes().open("look", 2 * node.settings().claimsInFlight() + 4);
        StoreCalls calls = new StoreCalls(node, reachability, kernel, looks);
        return new ClaimDuty(node, dispatcher, slots, view, calls, signals);
    }

    private LeaseDuty leases() {
        return new LeaseDuty(
                node,
                held,
                reachability,
                kernel,
                lanes().threads("renew"),
                view,
                completions,
                starter().calls());
    }

    private NodeDuty reports() {
        return new NodeDuty(
                node,
                this::report,
                opened.partitions(),
                claimDuty::prefer,
                reachability,
                lanes().open("node", 1),
                new NodeDuty.Asking(kernel, lanes().threads("ask")));
    }

    private void askStore() {
        nodeDuty.ask();
    }

    private NodeReport report() {
        NodeSnapshot own = snapshot.get();
        return new NodeReport(
                node.id(),
                parts.runtime().label(),
                started,
                node.clock().now(),
                ZoneRulesVersion.all(),
                node.clock().offset(),
                helpers.types(),
                held.size(),
                node.settings().maxConcurrentRuns(),
                own.work().fullTypes(),
                node.settings().minPriority(),
                node.settings().maxPriority(),
                HealthDecider.reported(own).stream()
                        .limit(MOST_REASONS)
                        .map(reason -> Printable.cut(reason, LONGEST_REASON))
                        .toList(),
                HealthDecider.claimsNothing(own)
                        .map(reason -> Printable.cut(reason, LONGEST_REASON))
                        .orElse(null),
                false,
                node.settings().nodeTimeout());
    }

    /** Starts everything but the claims. */
    void start() {
        leaseDuty.start();
        nodeDuty.start();
        replanDuty.start();
        minuteDuty.start();
        repairDuty.start();
        backlogDuty.start();
        if (node.settings().watchForNewJobs()) {
            watch();
        }
        if (!opened.purges()) {
            purgeDuty.start();
        }
    }

    void stopClaiming() {
        nodeDuty.takeNothing();
        claimDuty.stop();
        stopWatching();
        safely(starter()::close);
    }

    private void watch() {
        WatchDuty duty = new WatchDuty(node, helpers.types(), claimDuty::dueElsewhere, lanes().open("watch", 1));
        watchDuty = duty;
        duty.start();
    }

    private void stopWatching() {
        WatchDuty duty = watchDuty;
        if (duty != null) {
            duty.stop();
        }
    }

    boolean isIdle() {
        return held.size() == 0 && claimDuty.isIdle();
    }

    /** Stops every duty, also if one of them fails to; their last calls of the store may hang. */
    void stop() {
        Stream.<Runnable>of(
                        this::stopWatching,
                        leaseDuty::stop,
                        purgeDuty::stop,
                        replanDuty::stop,
                        repairDuty::stop,
                        backlogDuty::stop,
                        minuteDuty::stop,
                        nodeDuty::stop)
                .forEach(this::safely);
    }

    private void safely(Runnable stop) {
        node.events().failures().contain("stopping this node", stop);
    }

    /**
     * Does the last calls of the store on a thread where they may hang, then what follows; if there is no such thread, after
     * what the lane of the upkeep has begun.
     */
    void sayFarewell(Runnable flush, Runnable then) {
        Runnable farewell = () -> {
            stop();
            safely(flush);
            then.run();
        };
        try {
            lanes().threads("farewell").execute(farewell);
        } catch (RuntimeException | Error noThread) {
            node.events().failures().add("stopping this node", noThread);
            safely(() -> upkeep.run(farewell));
        }
    }

    /** Stops renewing leases. */
    void stopRenewing() {
        leaseDuty.stopRenewing();
    }

    /**
     * The work in progress, as the duties hold it.
     *
     * @param calendars those that do not return
     */
    NodeSnapshot.Work work(List<SlowCalendar> calendars) {
        return new NodeSnapshot.Work(
                supervisor.complaint(),
                reachability.complaint(),
                view.broadPauses(),
                nodeDuty.live(),
                held.fullFor(),
                starter().calls().all(),
                starter()
                        .calls()
                        .stuck(held, node.clock().now(), node.settings().leaseLength()),
                starter().calls().lost().stream().map(StoredJob::id).collect(Collectors.toSet()),
                held.size(),
                slots.full(),
                backlogDuty.trend(),
                backlogDuty.unserved(),
                minuteDuty.missedInLastMinute(),
                calendars);
    }

    /** The groups whose due jobs wait for each other, as last seen. */
    Set<String> waitingGroups() {
        return backlogDuty.waitingGroups();
    }

    /** The command types that this node runs. */
    Set<String> types() {
        return helpers.types();
    }

    Kernel kernel() {
        return kernel;
    }

    Lane plan() {
        return plan;
    }

    Reachability reachability() {
        return reachability;
    }

    HeldJobs held() {
        return held;
    }

    Starter starter() {
        return dispatcher.starter();
    }

    LeaseDuty leaseDuty() {
        return leaseDuty;
    }

    ClaimDuty claimDuty() {
        return claimDuty;
    }

    NodeDuty nodeDuty() {
        return nodeDuty;
    }

    ReplanDuty replanDuty() {
        return replanDuty;
    }

    /** Passes each signal on to who acts on it. */
    private final class PassedOn implements Signals {
        @Override
        public void slotFreed(StoredJob job) {
            claimDuty.released(job);
        }

        @Override
        public void slotTaken() {
            leaseDuty.slotTaken();
        }

        @Override
        public void goesOn(StoredJob job) {
            claimDuty.plannedAgain(job);
        }

        @Override
        public void plannedLate(StoredJob job) {
            replanDuty.renew(job);
        }

        @Override
        public void leftToOthers(String id, Duration pause, String why) {
            claimDuty.backOff(id, pause, why);
        }

        @Override
        public void competed() {
            nodeDuty.competed();
        }

        @Override
        public void calendarsEdited() {
            replanDuty.calendarsEdited();
        }

        @Override
        public void interruptsAsked() {
            leaseDuty.readInterrupts();
        }
    }
}
