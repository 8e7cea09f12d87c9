package dev.almanac.engine;

import dev.almanac.engine.node.Node;
import dev.almanac.event.SchedulerEvent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Ends a node that claims nothing any more: waits for its runs, then interrupts them; leases of runs that do not end
 * are left to expire (rules R14, X8).
 */
final class Drain {
    private static final Duration STEP = Duration.ofMillis(20);

    private final Node node;
    private final Wiring duties;
    private final Runnable flush;
    private final long endNanos;
    private final CompletableFuture<Void> drained;
    private boolean impatient;
    private int interrupted;

    /**
     * @param flush writes the rows that are still queued
     * @param endNanos when runs are interrupted, by the monotonic clock
     */
    Drain(Node node, Wiring duties, Runnable flush, long endNanos, CompletableFuture<Void> drained) {
        this.node = node;
        this.duties = duties;
        this.flush = flush;
        this.endNanos = endNanos;
        this.drained = drained;
    }

    void begin() {
        duties.control().run(this::step);
    }

    private void step() {
        long over = node.clock().nanos() - endNanos;
        if (over >= 0 && !impatient) {
            impatient = true;
            // runs that end now are recorded; the leases of the others are not renewed, so that the next run starts
            // after their end
            interrupted = duties.starter().shutDownRuns();
            duties.stopRenewing();
        }
        boolean grace = over < node.trust().toNanos();
        if (duties.isIdle() || over >= 0 && !grace) {
            duties.stop();
            flush.run();
            node.events().emit(new SchedulerEvent.NodeStopped(node.id(), interrupted));
            drained.complete(null);
            return;
        }
        duties.control().after(STEP, this::step);
    }
}
