package dev.almanac.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A histogram of latenesses with fixed buckets, each about twice as wide as the one before.
 * Immutable.
 *
 * @param counts by bucket, up to the last that is not empty
 * @param worst the greatest of all
 */
public record LatenessCounts(List<Long> counts, Duration worst) {
    /** An empty histogram. */
    public static final LatenessCounts NONE = new LatenessCounts(List.of(), Duration.ZERO);

    /** Upper bounds; there is one more bucket above the last. */
    private static final List<Duration> BOUNDS = LongStream.of(
                    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000,
                    3_600_000)
            .mapToObj(Duration::ofMillis)
            .toList();

    /** Copies the counts. */
    public LatenessCounts {
        counts = List.copyOf(counts);
    }

    /** One more. */
    public LatenessCounts plus(Duration lateness) {
        int bucket = bucket(lateness);
        Long[] more = counts.toArray(new Long[Math.max(counts.size(), bucket + 1)]);
        Arrays.fill(more, counts.size(), more.length, 0L);
        more[bucket]++;
        return new LatenessCounts(List.of(more), lateness.compareTo(worst) > 0 ? lateness : worst);
    }

    /** Both together. */
    public LatenessCounts plus(LatenessCounts other) {
        List<Long> sum = new ArrayList<>();
        for (int i = 0; i < Math.max(counts.size(), other.counts.size()); i++) {
            sum.add(at(counts, i) + at(other.counts, i));
        }
        return new LatenessCounts(sum, worst.compareTo(other.worst) > 0 ? worst : other.worst);
    }

    private static long at(List<Long> counts, int i) {
        return i < counts.size() ? counts.get(i) : 0;
    }

    private static int bucket(Duration lateness) {
        int bucket = 0;
        while (bucket < BOUNDS.size() && lateness.compareTo(BOUNDS.get(bucket)) > 0) {
            bucket++;
        }
        return bucket;
    }

    /** How many there are. */
    public long total() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /**
     * A percentile: the upper bound of its bucket, or the worst lateness if that is less.
     *
     * @param part more than 0, at most 1; zero is the answer if there are none
     */
    public Duration percentile(double part) {
        long wanted = (long) Math.ceil(total() * part);
        long seen = 0;
        for (int i = 0; i < counts.size(); i++) {
            seen += counts.get(i);
            if (seen >= wanted && seen > 0) {
                Duration bound = i < BOUNDS.size() ? BOUNDS.get(i) : worst;
                return bound.compareTo(worst) < 0 ? bound : worst;
            }
        }
        return worst;
    }
}
