package dev.almanac.engine.rules;

import dev.almanac.model.Rate;
import dev.almanac.store.RateUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether one more claim is within the rate of a group. Pure.
 *
 * <p>The claims of the last period are counted, whenever it began. A token bucket, or windows that begin at full
 * seconds, would allow twice the rate within some periods. Each claim is counted before it is made, in the slice of a
 * twentieth of the period in which it is made at the latest, and a slice counts until a whole period after its end; so
 * no period ever has more claims than the rate, and after a full one the next claim comes 1.05 periods later, or a little
 * more where counting takes long.
 */
public final class RateDecider {
    private static final int STRETCHES = 20;

    /**
     * Counts that lie further in the future than this were written by hand, or before the server's clock was set back;
     * they are ignored.
     */
    private static final Duration FARTHEST = Duration.ofMinutes(1);

    private static final Duration SHORTEST_PERMIT = Duration.ofMillis(50);
    private static final Duration LONGEST_PERMIT = Duration.ofMillis(500);

    private RateDecider() {}

    /**
     * How much later than its count a claim may be made: a count that comes too late is lost for a period, and a longer permit
     * delays the claims of the next period. So it is twice as long as the last count took; at least a slice, which is that
     * delay, within half a second.
     */
    public static Duration permit(Rate rate, Duration took) {
        Duration slice = rate.period().dividedBy(STRETCHES);
        Duration needed = Collections.max(List.of(SHORTEST_PERMIT, slice, took.multipliedBy(2)));
        return needed.compareTo(LONGEST_PERMIT) > 0 ? LONGEST_PERMIT : needed;
    }

    /**
     * The decision.
     *
     * @param next the counts with the claim; absent if it is not within the rate
     * @param until when the next claim will be within the rate, if none is counted before; absent if this one is
     */
    public record Verdict(@Nullable RateUse next, @Nullable Instant until) {}

    /** Whether a claim that is made now is within the rate. */
    public static Verdict count(Rate rate, RateUse use, Instant now) {
        return count(rate, use, now, Duration.ZERO);
    }

    /**
     * Decides about a claim.
     *
     * @param now by the server's clock
     * @param permit how much later the claim may be made
     */
    public static Verdict count(Rate rate, RateUse use, Instant now, Duration permit) {
        long stretch = rate.period().dividedBy(STRETCHES).toMillis();
        List<RateUse.Count> lasting = use.counts().stream()
                .filter(count -> !count.from().isAfter(now.plus(FARTHEST)))
                .filter(count -> end(count, rate, stretch).isAfter(now))
                .toList();
        long counted = lasting.stream().mapToLong(RateUse.Count::claims).sum();
        return counted >= rate.claims()
                ? new Verdict(null, until(lasting, counted, rate, stretch))
                : new Verdict(new RateUse(use.number() + 1, withOne(lasting, floor(now.plus(permit), stretch))), null);
    }

    private static Instant end(RateUse.Count count, Rate rate, long stretch) {
        return count.from().plusMillis(stretch).plus(rate.period());
    }

    private static Instant until(List<RateUse.Count> lasting, long counted, Rate rate, long stretch) {
        long left = counted;
        for (RateUse.Count count : lasting) {
            left -= count.claims();
            if (left < rate.claims()) {
                return end(count, rate, stretch);
            }
        }
        throw new IllegalStateException("a rate of " + rate + " is full with nothing counted");
    }

    private static Instant floor(Instant at, long stretch) {
        return Instant.ofEpochMilli(Math.floorDiv(at.toEpochMilli(), stretch) * stretch);
    }

    /** The counts with one more claim; earlier slices may have another length, if the rate was edited. */
    private static List<RateUse.Count> withOne(List<RateUse.Count> lasting, Instant from) {
        List<RateUse.Count> counts = new ArrayList<>(lasting);
        int last = counts.size() - 1;
        if (last >= 0 && !counts.get(last).from().isBefore(from)) {
            RateUse.Count newest = counts.get(last);
            counts.set(last, new RateUse.Count(newest.from(), newest.claims() + 1));
        } else {
            counts.add(new RateUse.Count(from, 1));
        }
        return counts;
    }
}
