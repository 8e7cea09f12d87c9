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
 * <p>Not a bucket of tokens, which lets twice the rate pass within a period after a rest, and no windows that begin at full
 * seconds, which do so around their edges: the claims of the last period are counted, whenever it began. Each is counted in a
 * stretch of a twentieth of the period, and a stretch counts until a whole period after its end; so within any period there
 * are never more claims than the rate, and a full one is followed by the next after 1.05 periods.
 */
public final class RateDecider {
    private static final int STRETCHES = 20;

    /** No clock that is believed is wrong by more: what lies further ahead was written by hand, or before the server's was set back. */
    private static final Duration FARTHEST = Duration.ofMinutes(1);

    private RateDecider() {}

    /**
     * What is decided.
     *
     * @param next with the claim counted; absent if it is not within the rate
     * @param until when one will be, if none is counted until then; absent if this one is
     */
    public record Verdict(@Nullable RateUse next, @Nullable Instant until) {}

    /**
     * Decides about a claim.
     *
     * @param now by the server's clock; if others have counted later claims, theirs counts
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

    /** Earlier ones may have been counted in stretches of another length, if the rate was edited. */
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
