package dev.almanac.engine;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import java.time.Instant;
import java.util.List;

/** What users order for many jobs at once. It is stored; each node learns of it before it claims. Thread-safe. */
public final class Orders {
    private final Node node;
    private final Runnable changed;

    /** @param changed is told that this node should read anew what is ordered */
    Orders(Node node, Runnable changed) {
        this.node = node;
        this.changed = changed;
    }

    /** Holds back all jobs of a kind. */
    public void pause(PauseScope scope, Pause pause) {
        Instant now = node.clock().now();
        node.store().cluster().pause(new StandingPause(scope, pause, now));
        node.events().emit(new SchedulerEvent.JobsPaused(scope.toString(), true));
        changed.run();
    }

    /** Lets the jobs of a kind go on; false if they were not held back. */
    public boolean resume(PauseScope scope) {
        boolean held = node.store().cluster().resume(scope);
        node.events().emit(new SchedulerEvent.JobsPaused(scope.toString(), false));
        changed.run();
        return held;
    }

    /** The pauses of kinds of jobs that are in force. */
    public List<StandingPause> pauses() {
        Instant now = node.clock().now();
        return node.store().cluster().pauses().stream()
                .filter(pause -> pause.isInForce(now))
                .toList();
    }
}
