package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.store.ClaimPartition;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;

/**
 * Jobs that this node can claim without a look, since it has stored them or has just run them, and hints that a look will
 * find jobs. The kernel's, but for {@link #concern}.
 */
final class Hints {
    private final Node node;
    private final Slots slots;
    private final ControlView view;
    private final LookAhead ahead;
    private final LookPlan looks;
    private boolean othersAwaited;

    Hints(Node node, Slots slots, ControlView view, LookAhead ahead, LookPlan looks) {
        this.node = node;
        this.slots = slots;
        this.view = view;
        this.ahead = ahead;
        this.looks = looks;
    }

    /** Whether this node may ever claim the job as it is. */
    boolean concern(StoredJob job) {
        return job.due() != null
                && node.settings().claims(job.specification().priority())
                && slots.types().contains(job.command().type());
    }

    /**
     * Takes note of a job that is due soon.
     *
     * @param own a job that is due within this time is taken by this node from any partition
     * @param wake is notified if it is due soon
     */
    void take(StoredJob job, Duration own, Runnable wake) {
        Instant now = node.clock().now();
        Instant due = job.due();
        if (due == null
                || due.isAfter(now.plus(node.settings().lookAhead()))
                || looks.partitions() == 0
                || view.pauses().hold(job)) {
            return;
        }
        int partition = due.isBefore(now.plus(own)) ? LookAhead.OWN : ClaimPartition.of(job.key(), looks.partitions());
        ahead.add(LookAhead.due(job, due, partition));
        wake.run();
    }

    /**
     * Jobs of others may have become due: this node looks at its preferred partitions now, and at all partitions after
     * {@code stealAfter}, when the nodes that prefer the others have looked. So of many nodes with the same hint one
     * claims the job.
     */
    void elsewhere(StoreCalls calls, Runnable askControl, Runnable wake) {
        if (!view.isFresh()) {
            // read now, so that the claim after the look need not wait for it
            askControl.run();
        }
        if (looks.hinted(slots.types()) && !othersAwaited) {
            othersAwaited = true;
            calls.stepAfter(node.settings().stealAfter(), () -> {
                othersAwaited = false;
                looks.atOnce(node.clock().nanos());
                wake.run();
            });
        }
        wake.run();
    }
}
