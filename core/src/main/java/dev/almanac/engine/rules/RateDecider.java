package dev.almanac.engine.rules;

import dev.almanac.model.Rate;
import dev.almanac.store.RateUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether one more claim is within the rate of a group. Pure.
 *
 * <p>The claims of the last period are counted, whenever it began. A token bucket, or windows that begin at full
 * seconds, would allow twice the rate within some periods. Each claim is counted in a slice of a twentieth of the
 * period, and a slice counts until a whole period after its end; so no period ever has more claims than the rate, and
 * after a full one the next claim comes 1.05 periods later.
 */
public final class RateDecider {
    private static final int STRETCHES = 20;

    /**
     * Counts that lie further in the future than this were written by hand, or before the server's clock was set back;
     * they are ignored.
     */
    private static final Duration FARTHEST = Duration.ofMinutes(1);

    private RateDecider() {}

    /**
     * The decision.
     *
     * @param next the counts with the claim; absent if it is not within the rate
     * @param until when the next claim will be within the rate, if none is counted before; absent if this one is
     */
    public record Verdict(@Nullable RateUse next, @Nullable Instant until) {}

    /**
     * Decides about a claim.
     *
     * @param now by the server's clock; if other nodes have counted later claims, their time is used
     */
    public static Verdict count(Rate rate, RateUse use, Instant now) {
        long stretch = rate.period().dividedBy(STRETCHES).toMillis();
        Instant at = now;
        List<RateUse.Count> lasting = new ArrayList<>();
        for (RateUse.Count count : use.counts()) {
            if (!count.from().isAfter(now.plus(FARTHEST))) {
                at = count.from().isAfter(at) ? count.from() : at;
                lasting.add(count);
            }
        }
        Instant moment = at;
        lasting.removeIf(count -> !end(count, rate, stretch).isAfter(moment));
        long counted = lasting.stream().mapToLong(RateUse.Count::claims).sum();
        if (counted >= rate.claims()) {
            return new Verdict(null, until(lasting, counted, rate, stretch));
        }
        return new Verdict(new RateUse(use.number() + 1, withOne(lasting, floor(moment, stretch))), null);
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
