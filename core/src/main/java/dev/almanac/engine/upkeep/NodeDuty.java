package dev.almanac.engine.upkeep;

import dev.almanac.engine.kernel.Kernel;
import dev.almanac.engine.kernel.RepeatedWhile;
import dev.almanac.engine.port.BoundedCalls;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Partitions;
import dev.almanac.engine.port.PeriodicStep;
import dev.almanac.engine.port.Reachability;
import dev.almanac.runtime.Lane;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reports this node to the others, reads which nodes are live, and derives the partitions that it prefers. Keeps the
 * offset to the server's clock fresh.
 */
public final class NodeDuty {
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** Of reports that hang, none of which delays the next. */
    private static final int MOST_ASKED = 16;

    private static final String ASKING = "asking whether the store answers";

    private final Node node;
    private final Supplier<NodeReport> report;
    private final int partitions;
    private final BiConsumer<Set<Integer>, Set<Integer>> prefer;
    private final Reachability reachability;
    private final Lane lane;
    private final PendingStep competed;
    private final PeriodicStep repetition;
    private final RepeatedWhile asks;
    private final BoundedCalls reports;
    private volatile long reportedNanos;
    private volatile List<NodeReport> live = List.of();
    private volatile boolean takesNothing;

    /**
     * How reports are sent while it is in doubt whether the store answers.
     *
     * @param threads send reports, which may hang
     */
    public record Asking(Kernel kernel, Executor threads) {}

    /** @param prefer receives the preferred partitions and all partitions after each report */
    public NodeDuty(
            Node node,
            Supplier<NodeReport> report,
            int partitions,
            BiConsumer<Set<Integer>, Set<Integer>> prefer,
            Reachability reachability,
            Lane lane,
            Asking asking) {
        this.node = node;
        this.report = report;
        this.partitions = partitions;
        this.prefer = prefer;
        this.reachability = reachability;
        this.lane = lane;
        this.competed = new PendingStep(lane);
        this.reports = new BoundedCalls(
                ASKING, MOST_ASKED, asking.threads(), node.events().failures());
        this.repetition = new PeriodicStep(lane, node.settings().heartbeatInterval(), this::report);
        this.asks = new RepeatedWhile(
                asking.kernel(),
                SECOND,
                () -> repetition.isActive() && reachability.isInDoubt(),
                () -> reports.begin(this::report));
    }

    /** Reports at once, then regularly. */
    public void start() {
        prefer.accept(Partitions.all(partitions), Partitions.all(partitions));
        repetition.startAtOnce();
    }

    /** Reports that this node was stopped in order. */
    public void stop() {
        repetition.stop();
        leave(report.get());
    }

    /** This node is draining: its reports say so from the next one on. */
    public void takeNothing() {
        takesNothing = true;
    }

    private void leave(NodeReport own) {
        try {
            Instant since = node.clock().now().minus(node.settings().nodeTimeout());
            node.store().cluster().report(own.leaving(), since);
        } catch (RuntimeException e) {
            // the other nodes then treat it as dead after the node timeout
            node.events().failures().add("reporting that this node has stopped", e);
        }
    }

    /** Another node has claimed the same jobs: reports now, at most once a second, to read which nodes are live. */
    public void competed() {
        if (repetition.isActive() && node.clock().nanos() - reportedNanos > SECOND.toNanos()) {
            competed.run(this::report);
        }
    }

    /** Some call got no answer: asks by a report each second whether the store answers, until it does. Throws nothing. */
    public void ask() {
        if (repetition.isActive()) {
            asks.begin();
        }
    }

    /** The kernel begins again. */
    public void beginAgain() {
        asks.beginAgain();
    }

    /** This process goes on under another identity: the former one leaves, as if it was stopped in order. */
    public void renamed(NodeReport former) {
        lane.run(() -> {
            leave(former);
            if (repetition.isActive()) {
                report();
            }
        });
    }

    /** The nodes that were live at the last report, this one included; empty while they are not known. */
    public List<NodeReport> live() {
        return live;
    }

    /** As {@link #live}. While they are not known: this node, and those that the store, which is asked, knows as live. */
    public List<NodeReport> known() {
        List<NodeReport> known = live;
        if (!known.isEmpty()) {
            return known;
        }
        NodeReport own = report.get();
        return Stream.concat(
                        Stream.of(own),
                        stored(node).stream().filter(other -> !other.id().equals(own.id())))
                .toList();
    }

    /** The nodes that the store, which is asked, knows as live. */
    public static List<NodeReport> stored(Node node) {
        Instant now = node.clock().now();
        return node.store().cluster().nodes(Instant.EPOCH).stream()
                .filter(other -> other.isLive(now))
                .toList();
    }

    private void report() {
        long sent = node.clock().nanos();
        reportedNanos = sent;
        try {
            if (node.clock().isOld(node.settings().clockInterval())) {
                node.clock().measure(node.store());
            }
            Instant now = node.clock().now();
            // each says by itself how long it counts as live
            NodeReport own = report.get();
            live = node.store().cluster().report(takesNothing ? own.draining() : own, Instant.EPOCH).stream()
                    .filter(other -> other.isLive(now))
                    .toList();
            reachability.reported(sent);
            prefer();
        } catch (StoreException e) {
            reachability.unanswered(Reachability.REPORTS, e);
        } catch (RuntimeException | Error e) {
            // the first report is part of the start, which goes on
            node.events().failures().add("reporting this node", e);
        }
    }

    private void prefer() {
        Set<String> ids = live.stream().map(NodeReport::id).collect(Collectors.toSet());
        ids.add(node.id());
        prefer.accept(Partitions.preferred(node.id(), ids, partitions), Partitions.all(partitions));
    }
}
