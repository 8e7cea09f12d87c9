package dev.almanac.engine.kernel;

import dev.almanac.store.DueJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * In which order a node claims due jobs (rule R9): urgent ones first, this node's own before those of other nodes'
 * partitions; its own by priority and due time.
 */
final class ClaimOrder {
    private static final Comparator<DueJob> BY_URGENCY =
            Comparator.comparingInt(DueJob::priority).thenComparing(LookAhead.BY_DUE);

    /**
     * Jobs of other partitions that have waited longer than this node's own by this time are no longer taken after
     * them, since the node that prefers a partition may not be claiming.
     */
    private static final Duration NEGLECTED = Duration.ofSeconds(2);

    /** Jobs of other partitions that are later than this are taken at random, so that none waits without end. */
    private static final Duration OVERLOADED = Duration.ofSeconds(30);

    private ClaimOrder() {}

    /**
     * @param own jobs of the partitions that this node prefers; changed
     * @param others late jobs of the other partitions; changed
     * @param ownFirst whether others' jobs are left out, unless they are urgent or neglected
     */
    static List<DueJob> of(
            List<DueJob> own, List<DueJob> others, boolean ownFirst, Instant now, RandomGenerator random) {
        takeNeglected(own, others);
        others.removeIf(job -> ownFirst && !job.isUrgent());
        own.sort(BY_URGENCY);
        if (others.isEmpty()) {
            return own;
        }
        awayFromOwners(others, now, random);
        List<DueJob> all = new ArrayList<>(own.size() + others.size());
        for (boolean urgent : new boolean[] {true, false}) {
            own.stream().filter(job -> job.isUrgent() == urgent).forEach(all::add);
            others.stream().filter(job -> job.isUrgent() == urgent).forEach(all::add);
        }
        return all;
    }

    private static void takeNeglected(List<DueJob> own, List<DueJob> others) {
        if (own.isEmpty() || others.isEmpty()) {
            return;
        }
        Instant oldest = Collections.min(own, LookAhead.BY_DUE).due().minus(NEGLECTED);
        others.removeIf(job -> job.due().isBefore(oldest) && own.add(job));
    }

    /**
     * The node that prefers a partition claims its earliest jobs first, and two nodes that claim the same jobs waste a
     * claim. So the latest are taken here, and one partition after the other, in random order, since several nodes may
     * have room for more than their own.
     */
    private static void awayFromOwners(List<DueJob> others, Instant now, RandomGenerator random) {
        Map<Object, Integer> ranks = new HashMap<>();
        Comparator<DueJob> byRank = Comparator.comparing(job ->
                ranks.computeIfAbsent(isOverloaded(job, now) ? job.id() : job.partition(), any -> random.nextInt()));
        others.sort(byRank.thenComparing(LookAhead.BY_DUE.reversed()));
    }

    private static boolean isOverloaded(DueJob job, Instant now) {
        return job.due().isBefore(now.minus(OVERLOADED));
    }
}
