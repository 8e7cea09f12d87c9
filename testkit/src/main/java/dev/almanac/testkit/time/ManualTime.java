package dev.almanac.testkit.time;

import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that the test moves. Nodes see it through a {@link #view} that may go wrong by a skew. Not thread-safe. */
public final class ManualTime implements TimeSource {
    private Instant now;
    private long nanos;

    /** @param start what the clock shows first */
    public ManualTime(Instant start) {
        this.now = start;
    }

    /**
     * Moves on, both clocks alike.
     *
     * @param by zero or more
     * @throws IllegalArgumentException if it is negative: a monotonic clock never runs backwards
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("time does not run backwards, as by " + by);
        }
        now = now.plus(by);
        nanos += by.toNanos();
    }

    /**
     * Moves on to an instant.
     *
     * @throws IllegalArgumentException if it lies before the present one
     */
    public void advanceTo(Instant instant) {
        advance(Duration.between(now, instant));
    }

    @Override
    public Instant wall() {
        return Instant.ofEpochMilli(now.toEpochMilli());
    }

    /** The time with its parts of a millisecond, which {@link #wall()} cuts off. */
    public Instant exact() {
        return now;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public ZoneId zone() {
        return ZoneOffset.UTC;
    }

    /**
     * This clock as a machine sees it whose own wall clock is off.
     *
     * @param skew how far it is ahead; negative = behind. Its monotonic clock runs true
     */
    public TimeSource view(Duration skew) {
        ManualTime source = this;
        return new TimeSource() {
            @Override
            public Instant wall() {
                return source.wall().plus(skew);
            }

            @Override
            public long nanos() {
                return source.nanos();
            }

            @Override
            public ZoneId zone() {
                return ZoneOffset.UTC;
            }
        };
    }
}
