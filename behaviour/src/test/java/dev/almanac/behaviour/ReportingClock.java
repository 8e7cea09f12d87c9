package dev.almanac.behaviour;

import dev.almanac.runtime.TimeSource;
import java.time.Instant;
import java.time.ZoneId;

/** Reports each reading of the monotonic clock before it is made; what the report throws, the reading throws. */
record ReportingClock(TimeSource clock, Runnable read) implements TimeSource {
    @Override
    public Instant wall() {
        return clock.wall();
    }

    @Override
    public long nanos() {
        read.run();
        return clock.nanos();
    }

    @Override
    public ZoneId zone() {
        return clock.zone();
    }
}
