package dev.almanac.model;

import java.util.Locale;

/**
 * What happens to planned fires of a recurring job that passed while it could not run (rule R4).
 *
 * @param kind what is run
 * @param cap the largest number of passed fires that RUN_ALL runs, 1 to 10 000; the rest is recorded as missed
 */
public record MissedFirePolicy(Kind kind, int cap) {
    /** What is run of the passed fires. */
    public enum Kind {
        /** None later than its start deadline, by default a minute, or the grace if that is longer; the others are recorded. */
        SKIP,
        /** The newest one, once. */
        RUN_LATEST,
        /** Each in order, up to the cap. */
        RUN_ALL
    }

    private static final int DEFAULT_CAP = 100;
    private static final int LARGEST_CAP = 10_000;

    /** Records the passed fires and waits for the next one; the newest still runs within its start deadline. */
    public static final MissedFirePolicy SKIP = new MissedFirePolicy(Kind.SKIP, DEFAULT_CAP);
    /** Runs the newest passed fire once and records the others. The default. */
    public static final MissedFirePolicy RUN_LATEST = new MissedFirePolicy(Kind.RUN_LATEST, DEFAULT_CAP);
    /** Runs each passed fire in order, at most 100 of them. */
    public static final MissedFirePolicy RUN_ALL = runAll(DEFAULT_CAP);

    /** @throws IllegalArgumentException if the cap is out of range */
    public MissedFirePolicy {
        if (cap < 1 || cap > LARGEST_CAP) {
            throw new IllegalArgumentException("cap " + cap + " is not within 1 to " + LARGEST_CAP);
        }
    }

    /** Runs each passed fire in order, at most {@code cap} of them. */
    public static MissedFirePolicy runAll(int cap) {
        return new MissedFirePolicy(Kind.RUN_ALL, cap);
    }

    /** Reads {@link #toString()}: {@code SKIP}, {@code RUN_LATEST}, {@code RUN_ALL} or {@code RUN_ALL(n)}. */
    public static MissedFirePolicy parse(String text) {
        String name = text.strip().toUpperCase(Locale.ROOT);
        if (name.startsWith("RUN_ALL(") && name.endsWith(")")) {
            return runAll(Integer.parseInt(name.substring("RUN_ALL(".length(), name.length() - 1)));
        }
        return new MissedFirePolicy(Kind.valueOf(name), DEFAULT_CAP);
    }

    @Override
    public String toString() {
        return kind == Kind.RUN_ALL ? "RUN_ALL(" + cap + ")" : kind.name();
    }
}
