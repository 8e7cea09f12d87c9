package dev.almanac.engine;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.event.SchedulerEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Has the kernel begin again after a step that threw (rule N14). Runs, the leases of claims, writes that are not
 * acknowledged and claims that are not answered outlast it: each part of the kernel derives what else it knew from these.
 * After three failures within a minute that is not tried again: all claims are lost, their runs are asked to end, and the
 * node goes on under another identity, after a pause. The kernel's, but for {@link #complaint}.
 */
final class Supervisor {
    private static final int MOST = 3;
    private static final Duration WITHIN = Duration.ofMinutes(1);
    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofSeconds(1), Duration.ofMinutes(1));
    /** A beginning that fails for so long counts as a failure. */
    private static final Duration AGAIN = Duration.ofSeconds(1);
    /** After so long without a failure the pauses begin anew. */
    private static final Duration QUIET = Duration.ofMinutes(10);

    private final Node node;
    private final Deque<Long> failures = new ArrayDeque<>();
    private int identities;
    private @Nullable Throwable counted;
    private long lastNanos;
    private boolean losing;
    /** Whether the identity has changed since the kernel began last: a beginning may fail after that. */
    private boolean changed;

    private volatile boolean begins;
    private volatile boolean paused;
    private volatile long pausedUntil;

    Supervisor(Node node) {
        this.node = node;
    }

    /**
     * A step has thrown, or the kernel could not begin again after that; true if the node is to lose what it holds, and to
     * go on under another identity.
     */
    boolean failed(Throwable thrown) {
        begins = true;
        long now = node.clock().nanos();
        if (thrown == counted && now - lastNanos < AGAIN.toNanos()) {
            return losing;
        }
        if (counted != null && now - lastNanos > QUIET.toNanos()) {
            identities = 0;
        }
        counted = thrown;
        lastNanos = now;
        failures.add(now);
        failures.removeIf(earlier -> now - earlier > WITHIN.toNanos());
        if (failures.size() >= MOST) {
            losing = true;
        }
        return losing;
    }

    /** The kernel has lost what it held; returns for how long nothing is to be claimed. */
    Duration changeIdentity() {
        Duration pause = PAUSE.after(++identities);
        node.identity().change();
        changed = true;
        pausedUntil = node.clock().nanos() + pause.toNanos();
        paused = true;
        failures.clear();
        losing = false;
        return pause;
    }

    /** The kernel has begun again. */
    void begun(Throwable thrown) {
        boolean otherIdentity = changed;
        node.events().failures().add("a step of the kernel", thrown);
        node.events()
                .failures()
                .contain(
                        "telling that the kernel has begun again",
                        () -> node.events()
                                .emit(new SchedulerEvent.KernelRestarted(node.id(), thrown.toString(), otherIdentity)));
        changed = false;
        begins = false;
    }

    /** Why nothing is claimed; empty if it is. Any thread may call this. */
    String complaint() {
        if (begins) {
            return "it claims nothing: a step of it has failed, and it tries to begin again";
        }
        if (!paused || node.clock().nanos() - pausedUntil >= 0) {
            return "";
        }
        return "it claims nothing for a moment: a step of it failed " + MOST
                + " times within a minute, so it has lost its leases and begins again as node " + node.id();
    }
}
