package dev.almanac.engine;

import dev.almanac.engine.node.Contained;
import dev.almanac.engine.node.Reachability;
import dev.almanac.runtime.Lane;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The rehydration that belongs to a start (rule R12). A node that is started has opened its store, so what fails now is
 * taken for an outage, as every duty takes it: it is done again, with pauses, and until it is done nothing is claimed.
 */
final class FirstRehydration {
    /** After what is not an outage. */
    private static final Duration LONG_PAUSE = Duration.ofSeconds(2);

    private final Lane lane;
    private final Reachability reachability;
    private final Contained contained;
    private final Runnable rehydration;
    private final BooleanSupplier wanted;

    /**
     * @param lane where it is done again
     * @param wanted whether it has still to be done: the node is neither drained nor rehydrated by its service
     */
    FirstRehydration(
            Lane lane, Reachability reachability, Contained contained, Runnable rehydration, BooleanSupplier wanted) {
        this.lane = lane;
        this.reachability = reachability;
        this.contained = contained;
        this.rehydration = rehydration;
        this.wanted = wanted;
    }

    /** For the first time on this thread. */
    void begin() {
        if (!wanted.getAsBoolean()) {
            return;
        }
        try {
            rehydration.run();
            reachability.answered();
        } catch (StoreException e) {
            lane.after(reachability.failed("rehydrating", e), this::begin);
        } catch (RuntimeException e) {
            contained.add("rehydrating", e);
            lane.after(LONG_PAUSE, this::begin);
        }
    }
}
