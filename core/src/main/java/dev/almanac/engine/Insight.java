package dev.almanac.engine;

import dev.almanac.model.OpenRun;
import dev.almanac.model.StuckRun;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreReport;
import java.util.List;
import java.util.function.Supplier;

/** Gathers what can be told of a node and of its jobs. What it means is decided by pure functions. Thread-safe. */
public final class Insight {
    private final Node node;
    private final LeaseBook book;
    private final Supplier<NodeState> state;

    Insight(Node node, LeaseBook book, Supplier<NodeState> state) {
        this.node = node;
        this.book = book;
        this.state = state;
    }

    /** How the node is; asks nobody. */
    public Vitals vitals() {
        NodeState now = state.get();
        StoreReport opened = now.opened();
        return new Vitals(
                now.stage(),
                now.rehydrated(),
                now.duties() == null ? "" : now.duties().reachability().complaint(),
                opened == null ? List.of() : opened.warnings(),
                node.clock().offset(),
                node.settings().clockWarning(),
                liveNodes(),
                node.settings().maxConcurrentRuns(),
                book.fullFor(),
                stuckRuns(),
                node.events().contained().all());
    }

    /** The nodes that were live at this node's last report. */
    public List<NodeReport> liveNodes() {
        Duties duties = state.get().duties();
        return duties == null ? List.of() : duties.nodeDuty().live();
    }

    /** Runs of this node that ought to have ended or begun, the longest handed over first. */
    public List<StuckRun> stuckRuns() {
        return StuckDecider.stuck(
                openRuns(), node.clock().now(), node.settings().leaseLength());
    }

    /** The runs of this node that have not come to their end, the longest handed over first. */
    public List<OpenRun> openRuns() {
        Duties duties = state.get().duties();
        return duties == null ? List.of() : duties.starter().calls().all();
    }
}
