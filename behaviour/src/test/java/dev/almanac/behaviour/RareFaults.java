package dev.almanac.behaviour;

import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;

/** What a simulation has beside the faults that all of them have; each seed has a few of these, most have none of one kind. */
enum RareFaults {
    /** Stored calendars are put, edited, deleted and put again while jobs use them; see {@link SimulationCalendars}. */
    CALENDARS(4, true),
    /** Clocks are set, and machines stand still together with their clocks; see {@link SimulationClocks}. */
    CLOCKS(5, false),
    /** Code of the service and the way to the store throw what nobody expects; see {@link SimulationSeams}. */
    SEAMS(6, false),
    /** Nodes have a limit for the only type of commands. */
    LIMITS(6, true),
    /** Runs skip their fires or put them off, and jobs pause after failures. */
    NOT_NOW(5, true),
    /** Callers change jobs within transactions of theirs; see {@link SimulationTransactions}. */
    TRANSACTIONS(4, true),
    /** Nodes of the release before know fewer features of jobs; see {@link SimulationReleases}. */
    RELEASES(5, false),
    /** Users change schedules, also while fires are overdue, but not those of jobs that ask calendars; see {@link SimulationSchedules}. */
    SCHEDULES(3, true);

    /** Other than the seeds of what all simulations have. */
    private static final long SALT = 0x5eed_0f_4a7eL;

    private final int oneIn;
    private final boolean alsoFaultless;

    RareFaults(int oneIn, boolean alsoFaultless) {
        this.oneIn = oneIn;
        this.alsoFaultless = alsoFaultless;
    }

    /** @param faultless whether there are to be no faults */
    static Set<RareFaults> of(long seed, boolean faultless) {
        SplittableRandom random = new SplittableRandom(seed ^ SALT);
        Set<RareFaults> drawn = EnumSet.noneOf(RareFaults.class);
        for (RareFaults kind : values()) {
            if (random.nextInt(kind.oneIn) == 0 && (kind.alsoFaultless || !faultless)) {
                drawn.add(kind);
            }
        }
        if (drawn.contains(CALENDARS)) {
            // which fires a calendar leaves out is judged for one schedule
            drawn.remove(SCHEDULES);
        }
        return drawn;
    }
}
