package dev.almanac.behaviour;

import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;

/** What a simulation has beside the harm that all of them have; each seed has a few of these, most have none of one kind. */
enum RareHarm {
    /** Stored calendars are put, edited, deleted and put again while jobs use them; see {@link SimulationCalendars}. */
    CALENDARS(4, true),
    /** Clocks are set, and machines stand still together with their clocks; see {@link SimulationClocks}. */
    CLOCKS(5, false),
    /** Code of the service and the way to the store throw what nobody expects; see {@link SimulationSeams}. */
    SEAMS(6, false),
    /** Nodes have a limit for the only type of commands. */
    LIMITS(6, true),
    /** Runs skip their fires or put them off, and jobs pause after failures. */
    NOT_NOW(5, true);

    /** Other than the seeds of what all simulations have. */
    private static final long SALT = 0x5eed_0f_4a7eL;

    private final int oneIn;
    private final boolean harmless;

    RareHarm(int oneIn, boolean harmless) {
        this.oneIn = oneIn;
        this.harmless = harmless;
    }

    /** @param sunny whether nothing is to be harmed */
    static Set<RareHarm> of(long seed, boolean sunny) {
        SplittableRandom random = new SplittableRandom(seed ^ SALT);
        Set<RareHarm> drawn = EnumSet.noneOf(RareHarm.class);
        for (RareHarm kind : values()) {
            if (random.nextInt(kind.oneIn) == 0 && (kind.harmless || !sunny)) {
                drawn.add(kind);
            }
        }
        return drawn;
    }
}
