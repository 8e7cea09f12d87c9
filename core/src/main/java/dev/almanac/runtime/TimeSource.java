package dev.almanac.runtime;

import java.time.Instant;
import java.time.ZoneId;

/** The two clocks and the system zone (rule H3). Nothing else in core reads the time. Thread-safe. */
public interface TimeSource {
    /** The machine's clock and zone. */
    static TimeSource system() {
        return SystemTimeSource.INSTANCE;
    }

    /** The wall clock of this machine, in milliseconds or finer; may jump. */
    Instant wall();

    /** A clock that never jumps, in nanoseconds from an arbitrary origin. */
    long nanos();

    /** The zone of jobs without one. */
    ZoneId zone();
}
