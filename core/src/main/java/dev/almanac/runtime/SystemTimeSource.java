package dev.almanac.runtime;

import java.time.Instant;
import java.time.ZoneId;

/** The only class of core that reads the machine's clocks and zone. */
final class SystemTimeSource implements TimeSource {
    static final SystemTimeSource INSTANCE = new SystemTimeSource();

    private SystemTimeSource() {}

    @Override
    public Instant wall() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public ZoneId zone() {
        return ZoneId.systemDefault();
    }
}
