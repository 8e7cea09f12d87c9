package dev.almanac.time;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A fixed delay: one fire, so long after the anchor, which is the end of the run before. */
final class DelaySchedule extends Schedule {
    private final Instant fire;

    DelaySchedule(String text, Instant anchor) {
        super(CronDialect.EVERY_AFTER_END, text);
        if (!Steps.isElapsed(text)) {
            throw Steps.refused(text, "is no delay of hours, minutes and seconds such as 10m or PT10M");
        }
        Duration delay = Steps.elapsed(text);
        this.fire = Moments.plus(anchor, delay.getSeconds()).plusNanos(delay.getNano());
    }

    /** Empty if it lies after the year 2199. */
    private Optional<Instant> fire() {
        return fire.getEpochSecond() < LocalPattern.END ? Optional.of(fire) : Optional.empty();
    }

    @Override
    public Optional<Instant> next(Instant after, ZoneId zone, DaylightSavingPolicy policy) {
        return fire().filter(at -> at.isAfter(after));
    }

    @Override
    public Optional<Instant> previous(Instant before, ZoneId zone, DaylightSavingPolicy policy) {
        return fire().filter(at -> at.isBefore(before));
    }

    @Override
    long count(Instant after, Instant until, ZoneId zone, DaylightSavingPolicy policy, long most) {
        return next(after, zone, policy).filter(at -> !at.isAfter(until)).isPresent() ? 1 : 0;
    }

    @Override
    public boolean isFixedTime() {
        return false;
    }

    @Override
    @Nullable
    LocalTimes times(ZoneId zone) {
        return null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DelaySchedule that && source().equals(that.source()) && fire.equals(that.fire);
    }

    @Override
    public int hashCode() {
        return source().hashCode() * 31 + fire.hashCode();
    }

    @Override
    public String toString() {
        return source();
    }
}
