package dev.almanac.behaviour;

import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;

/** The lanes of a node, which show when its kernel decides, so that a test can have it fail there. */
final class DecidingLanes extends LanesOver {
    private boolean deciding;

    /** Thrown in the middle of a step of the kernel. */
    static final class PlannedFault extends Error {
        static final String MESSAGE = "a planned fault of the kernel";

        private static final long serialVersionUID = 1;

        PlannedFault() {
            super(MESSAGE, null, false, false);
        }
    }

    DecidingLanes(Lanes lanes) {
        super(lanes);
    }

    /** Whether a step of the kernel is under way. */
    boolean isDeciding() {
        return deciding;
    }

    /** A real lane logs what a step throws. */
    private Runnable shown(Runnable step) {
        return () -> {
            boolean before = deciding;
            deciding = true;
            try {
                step.run();
            } catch (PlannedFault logged) {
                // the lane goes on
            } finally {
                deciding = before;
            }
        };
    }

    @Override
    public Lane open(String name, int width) {
        Lane lane = super.open(name, width);
        return name.equals("kernel") ? around(lane, this::shown) : lane;
    }
}
