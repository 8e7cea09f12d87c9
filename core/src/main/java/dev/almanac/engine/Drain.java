package dev.almanac.engine;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.PeriodicStep;
import dev.almanac.event.SchedulerEvent;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Ends a node that claims nothing any more: waits for its runs, then interrupts them; leases of runs that do not end
 * are left to expire (rules R14, X8). It ends even if its steps throw, since they are repeated, and however long the last
 * calls of the store take.
 */
final class Drain {
    /** For how long the end waits for the last report, the last counts and the last rows together. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration STEP = Duration.ofMillis(20);

    private final Node node;
    private final Wiring duties;
    private final Runnable flush;
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final PeriodicStep repetition;
    private long endNanos;
    private boolean impatient;
    private volatile @Nullable Long farewell;
    private volatile Duration patience = Duration.ZERO;
    private int interrupted;

    /**
     * @param flush writes the rows that are still queued
     * @param endNanos when runs are interrupted, by the monotonic clock
     */
    Drain(Node node, Wiring duties, Runnable flush, long endNanos) {
        this.node = node;
        this.duties = duties;
        this.flush = flush;
        this.endNanos = endNanos;
        this.repetition = new PeriodicStep(duties.kernel(), STEP, this::step);
    }

    void begin() {
        repetition.start();
        duties.kernel().run(this::step);
    }

    /** Runs are interrupted at that moment, if that is earlier than what was asked for before. */
    void endBy(long nanos) {
        duties.kernel().run(() -> endNanos = nanos - endNanos < 0 ? nanos : endNanos);
    }

    /** Completes when the node has stopped. */
    CompletableFuture<Void> drained() {
        return drained;
    }

    /** What the farewell has left of {@link #PATIENCE}; nothing until it has ended. */
    Duration patience() {
        return patience;
    }

    private void step() {
        long now = node.clock().nanos();
        Long since = farewell;
        if (since != null) {
            if (now - since >= PATIENCE.toNanos()) {
                stopped();
            }
            return;
        }
        long over = now - endNanos;
        if (over >= 0 && !impatient) {
            interruptRuns();
        }
        boolean grace = over < node.trust().toNanos();
        if (duties.isIdle() || over >= 0 && !grace) {
            farewell = now;
            duties.sayFarewell(flush, this::stopped);
        }
    }

    /** If it fails, the next step does it again. */
    private void interruptRuns() {
        // runs that end now are recorded; the leases of the others are not renewed, so that the next run starts
        // after their end
        duties.stopRenewing();
        interrupted = duties.starter().shutDownRuns();
        impatient = true;
    }

    private void stopped() {
        if (stopped.compareAndSet(false, true)) {
            Duration taken = Duration.ofNanos(node.clock().nanos() - Objects.requireNonNull(farewell));
            patience = taken.compareTo(PATIENCE) < 0 ? PATIENCE.minus(taken) : Duration.ZERO;
            repetition.stop();
            node.events().emit(new SchedulerEvent.NodeStopped(node.id(), interrupted));
            drained.complete(null);
        }
    }
}
