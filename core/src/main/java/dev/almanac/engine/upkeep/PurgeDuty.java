package dev.almanac.engine.upkeep;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.PeriodicStep;
import dev.almanac.engine.port.Reachability;
import dev.almanac.runtime.Lane;
import dev.almanac.store.StoreException;

/** Removes expired documents and rows from a store that does not do it itself (rule M9). */
public final class PurgeDuty {
    private static final int LIMIT = 10_000;

    private final Node node;
    private final Reachability reachability;
    private final PeriodicStep repetition;

    public PurgeDuty(Node node, Reachability reachability, Lane lane) {
        this.node = node;
        this.reachability = reachability;
        this.repetition = new PeriodicStep(lane, node.settings().purgeInterval(), this::purge);
    }

    public void start() {
        repetition.start();
    }

    public void stop() {
        repetition.stop();
    }

    private void purge() {
        try {
            node.store().cluster().purge(node.clock().now(), LIMIT);
        } catch (StoreException e) {
            reachability.failed("removing what has expired", e);
        }
    }
}
