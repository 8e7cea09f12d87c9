package dev.almanac.engine.claim;

import dev.almanac.store.DueJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * When to look for due jobs, and where. Regularly at all partitions. While more is due than one look shows, again as
 * soon as what was known is taken: first at the partitions that this node prefers, and when those show all they
 * have, at all of them. Not thread-safe; confined to the claim duty's lane.
 */
final class LookPlan {
    /** One look: where, and how many jobs at most. */
    record Look(Set<Integer> partitions, int limit, boolean regular) {}

    /** Claims that a regular look is to serve: one and the next. */
    private static final int REGULAR = 2;

    /**
     * Claims that a look at a backlog is to serve. It sees what is being claimed once more, and reads each document: a
     * drain with looks for two claims reads 2.3 documents for each job.
     */
    private static final int BACKLOG = 8;

    private final Duration interval;
    private final int claimBatch;
    private Set<Integer> all = Set.of();
    private Set<Integer> preferred = Set.of();
    private boolean looking;
    private boolean moreInPreferred;
    private boolean moreInAll;
    private long nextNanos;

    LookPlan(Duration interval, int claimBatch, long nowNanos) {
        this.interval = interval;
        this.claimBatch = claimBatch;
        this.nextNanos = nowNanos;
    }

    void prefer(Set<Integer> mine, Set<Integer> everything) {
        preferred = mine;
        all = everything;
    }

    /**
     * @param hungry whether there is room for jobs and none is known that may be taken
     * @param taken how many jobs are being claimed just now; a look sees them still
     */
    Optional<Look> next(long nowNanos, boolean hungry, int taken) {
        if (looking || all.isEmpty()) {
            return Optional.empty();
        }
        if (nowNanos - nextNanos >= 0) {
            nextNanos = nowNanos + interval.toNanos();
            return begin(all, true, taken);
        }
        if (hungry && moreInPreferred) {
            return begin(preferred, false, taken);
        }
        return hungry && moreInAll ? begin(all, false, taken) : Optional.empty();
    }

    /** The next regular look does not wait. */
    void atOnce(long nowNanos) {
        nextNanos = nowNanos;
    }

    /** A look has brought this. */
    void found(Look look, List<DueJob> jobs) {
        looking = false;
        boolean full = jobs.size() >= look.limit();
        if (look.partitions().equals(all)) {
            moreInAll = full;
        }
        if (look.regular() || look.partitions().equals(preferred)) {
            moreInPreferred = full && !preferred.isEmpty();
        }
    }

    /** A look got no answer; the next one is tried after a pause. */
    void failed(long nowNanos, Duration pause) {
        looking = false;
        nextNanos = nowNanos + pause.toNanos();
    }

    /** How long there is nothing to do; as long as a look is under way that is until its answer, which wakes. */
    long untilNext(long nowNanos) {
        return looking ? Long.MAX_VALUE : Math.max(0, nextNanos - nowNanos);
    }

    private Optional<Look> begin(Set<Integer> partitions, boolean regular, int taken) {
        looking = true;
        int limit = claimBatch * (moreInAll || moreInPreferred ? BACKLOG : REGULAR);
        return Optional.of(new Look(partitions, limit + taken, regular));
    }
}
