package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.runtime.Lane;
import dev.almanac.store.JobWatch;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches the store for jobs that become due at once, if {@code watchForNewJobs} is on; the argument is in the package's
 * description. Its state is confined to its lane.
 */
public final class WatchDuty {
    /** Between two readings, so that a flood of new jobs costs a node at most twenty looks a second. */
    private static final Duration BETWEEN = Duration.ofMillis(50);

    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final Node node;
    private final Set<String> types;
    private final Runnable hint;
    private final Lane lane;
    private volatile boolean active;
    private @Nullable JobWatch watch;
    private int failures;

    /**
     * @param types that this node runs
     * @param hint is notified of jobs that may be due
     * @param lane of one thread, which no other duty uses: a reading waits
     */
    public WatchDuty(Node node, Set<String> types, Runnable hint, Lane lane) {
        this.node = node;
        this.types = types;
        this.hint = hint;
        this.lane = lane;
    }

    /** Begins to watch; if the store cannot be watched now, it is tried again after a pause that grows. */
    public void start() {
        active = true;
        lane.run(this::step);
    }

    /** Ends the stream, at the latest when the reading under way is over. */
    public void stop() {
        active = false;
        lane.run(this::step);
    }

    private void step() {
        if (active) {
            lane.after(read(), this::step);
        } else {
            end();
        }
    }

    /** Returns the pause until the next reading. */
    private Duration read() {
        try {
            JobWatch open = watch;
            if (open == null) {
                open = node.store().cluster().watch(types);
                watch = open;
                // for jobs that were stored while no stream was open
                hint.run();
            }
            if (open.anyDue()) {
                hint.run();
            }
            failures = 0;
            return BETWEEN;
        } catch (RuntimeException | Error e) {
            end();
            if (active) {
                node.events().failures().add("watching for new jobs, which are found by the next look instead,", e);
            }
            return PAUSE.after(++failures);
        }
    }

    private void end() {
        JobWatch open = watch;
        watch = null;
        if (open != null) {
            try {
                open.close();
            } catch (RuntimeException e) {
                // the server closes a stream that is no longer read
            }
        }
    }
}
