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

    /** Moves on. */
    public void advance(Duration by) {
        now = now.plus(by);
        nanos += by.toNanos();
    }

    /** Moves on to an instant that is not before the present one. */
    public void advanceTo(Instant instant) {
        advance(Duration.between(now, instant));
    }

    @Override
    public Instant wall() {
        return Instant.ofEpochMilli(now.toEpochMilli());
    }

    /** Exactly. */
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

    /** This clock as a machine sees whose own is off by {@code skew}. */
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
