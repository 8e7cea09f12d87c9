package dev.almanac.time;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fixed rate, counted from an anchor that is itself the first fire. Elapsed steps are the same on every clock. Steps
 * by the calendar keep the anchor's wall time, rounded up to seconds, and are each counted from the anchor: a month after 31
 * January is the last of February, two months after it are 31 March.
 */
final class EverySchedule extends Schedule {
    private final Instant anchor;
    private final @Nullable Duration elapsed;
    private final @Nullable Period dates;

    private EverySchedule(String text, Instant anchor, @Nullable Duration elapsed, @Nullable Period dates) {
        super(CronDialect.EVERY, text);
        this.anchor = anchor;
        this.elapsed = elapsed;
        this.dates = dates;
    }

    static EverySchedule parse(String text, Instant anchor) {
        return Steps.isElapsed(text)
                ? new EverySchedule(text, anchor, Steps.elapsed(text), null)
                : new EverySchedule(text, anchor, null, Steps.dates(text));
    }

    @Override
    public Optional<Instant> next(Instant after, ZoneId zone, DaylightSavingPolicy policy) {
        if (elapsed == null) {
            Instant first = repeated(zone);
            return first != null && after.isBefore(first) ? Optional.of(first) : super.next(after, zone, policy);
        }
        Instant found = after.isBefore(anchor) ? anchor : step(elapsed, after, 1);
        return found.getEpochSecond() < LocalPattern.END ? Optional.of(found) : Optional.empty();
    }

    @Override
    public Optional<Instant> previous(Instant before, ZoneId zone, DaylightSavingPolicy policy) {
        if (elapsed == null) {
            Instant first = repeated(zone);
            return super.previous(before, zone, policy)
                    .filter(found -> first == null || !found.isBefore(first))
                    .or(() -> Optional.ofNullable(first).filter(fire -> fire.isBefore(before)));
        }
        Instant end = Instant.ofEpochSecond(LocalPattern.END);
        Instant at = Moments.justBefore(before.isAfter(end) ? end : before);
        return at.isBefore(anchor) ? Optional.empty() : Optional.of(step(elapsed, at, 0));
    }

    @Override
    long count(Instant after, Instant until, ZoneId zone, DaylightSavingPolicy policy, long most) {
        if (elapsed == null) {
            Instant first = repeated(zone);
            if (first == null || !after.isBefore(first)) {
                return super.count(after, until, zone, policy, most);
            }
            return until.isBefore(first) ? 0 : 1 + super.count(first, until, zone, policy, most);
        }
        Instant end = Instant.ofEpochSecond(LocalPattern.END).minusNanos(1);
        return Math.max(0, stepsUpTo(until.isAfter(end) ? end : until, elapsed) - stepsUpTo(after, elapsed));
    }

    /** How many fires are not after an instant. */
    private long stepsUpTo(Instant at, Duration every) {
        return at.isBefore(anchor) ? 0 : Duration.between(anchor, at).dividedBy(every) + 1;
    }

    /** The last fire that is not after an instant, or so many further on. */
    private Instant step(Duration every, Instant at, long more) {
        Instant near = at.getEpochSecond() > LocalPattern.END ? Instant.ofEpochSecond(LocalPattern.END) : at;
        long steps = Duration.between(anchor, near).dividedBy(every);
        return anchor.plus(every.multipliedBy(steps + more));
    }

    @Override
    public boolean isFixedTime() {
        return dates != null;
    }

    @Override
    @Nullable
    LocalTimes times(ZoneId zone) {
        return dates == null ? null : new DateSteps(LocalDateTime.ofInstant(second(), zone), dates);
    }

    /** The anchor, rounded up, so that a bound at it leaves the first fire. */
    private Instant second() {
        return Moments.plus(anchor.truncatedTo(ChronoUnit.SECONDS), anchor.getNano() == 0 ? 0 : 1);
    }

    /** The first fire in the second pass of an hour, of which the wall times alone would give the first. */
    private @Nullable Instant repeated(ZoneId zone) {
        Instant second = second();
        boolean searched = second.getEpochSecond() >= Civil.DAY && second.getEpochSecond() < LocalPattern.END;
        return searched
                        && LocalMoments.resolve(LocalDateTime.ofInstant(second, zone), zone)
                                .isBefore(second)
                ? second
                : null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EverySchedule that && source().equals(that.source()) && anchor.equals(that.anchor);
    }

    @Override
    public int hashCode() {
        return source().hashCode() * 31 + anchor.hashCode();
    }

    @Override
    public String toString() {
        return source();
    }
}
