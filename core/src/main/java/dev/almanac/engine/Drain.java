package dev.almanac.engine;

import dev.almanac.engine.node.Node;
import dev.almanac.event.SchedulerEvent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The end of a node that claims no more: waits for what runs, then interrupts it, then leaves what does not end to the end of its lease
 * (rules R14, X8). */
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
     * @param flush writes what is still to be written behind
     * @param endNanos when patience ends, by the monotonic clock
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
            // what ends now is recorded; the lease of code that runs on expires, so that no other run overlaps it
            // before
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
