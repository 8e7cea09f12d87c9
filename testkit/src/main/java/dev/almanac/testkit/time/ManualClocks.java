package dev.almanac.testkit.time;

import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The two clocks of one machine: they go with a {@link ManualTime}, until the test sets the wall clock or has the
 * machine stand still. Not thread-safe.
 */
public final class ManualClocks implements TimeSource {
    private final ManualTime time;
    private Duration skew = Duration.ZERO;
    private long missedNanos;

    /** @param time the true time; both clocks agree with it at first */
    public ManualClocks(ManualTime time) {
        this.time = time;
    }

    /**
     * The wall clock is set.
     *
     * @param by how far forward; negative = back
     */
    public void set(Duration by) {
        skew = skew.plus(by);
    }

    /**
     * The machine has stood still for the last {@code by}, as a suspended virtual machine does: its monotonic clock has
     * not counted that time. Its steps are to have been frozen meanwhile ({@link ManualLanes.Node#freeze}).
     *
     * @param by zero or more
     * @throws IllegalArgumentException if it is negative
     */
    public void stoodStill(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("a machine does not stand still for " + by);
        }
        missedNanos += by.toNanos();
    }

    @Override
    public Instant wall() {
        return time.wall().plus(skew);
    }

    @Override
    public long nanos() {
        return time.nanos() - missedNanos;
    }

    @Override
    public ZoneId zone() {
        return time.zone();
    }
}
