package dev.almanac.engine.kernel;

import dev.almanac.store.DueJob;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * When to look for due jobs, and where. Regularly at all partitions. While more is due than one look shows, again as
 * soon as what was known is taken: first at the partitions that this node prefers, and at all partitions when those
 * have shown all their jobs. Each look asks only for types that there is room for, so that none hides another (rule
 * X7). The kernel's.
 */
final class LookPlan {
    /** One look: where, for which types, and how many jobs at most. */
    record Look(Set<Integer> partitions, Set<String> types, int limit, boolean regular) {}

    private record Scope(Set<Integer> partitions, Set<String> types) {}

    /** For how many claims a regular look fetches jobs: the next one and one more. */
    private static final int REGULAR = 2;

    /**
     * For how many claims a look at a backlog fetches jobs. A look also reads the documents that are being claimed;
     * with looks for two claims, a drain reads 2.3 documents for each job.
     */
    private static final int BACKLOG = 8;

    private final Duration interval;
    private final int claimBatch;
    private Set<Integer> all = Set.of();
    private Set<Integer> preferred = Set.of();
    /** Types of which more may be due than the last look at them has shown. */
    private final Set<String> moreInPreferred = new HashSet<>();

    private final Set<String> moreInAll = new HashSet<>();
    /** The looks since jobs were last taken; if none of their jobs can be taken, looking again would show the same. */
    private final Set<Scope> lookedAt = new HashSet<>();

    /** Whether a look at the preferred partitions alone was begun and not answered. */
    private boolean looksAtPreferred;

    /** Types of which more may be due than any look has shown, according to a hint. */
    private final Set<String> hinted = new HashSet<>();
    /** Those of them for which a look was begun and not answered. */
    private final Set<String> hintsAsked = new HashSet<>();

    private long nextNanos;

    LookPlan(Duration interval, int claimBatch, long nowNanos) {
        this.interval = interval;
        this.claimBatch = claimBatch;
        this.nextNanos = nowNanos;
    }

    void prefer(Set<Integer> own, Set<Integer> everything) {
        preferred = own;
        all = everything;
    }

    /**
     * @param types those that may be claimed and that there is room for
     * @param hungry whether there is room for jobs and no known job may be taken
     * @param besides how many jobs a look returns that cannot be taken: they are being claimed, or left alone
     */
    Optional<Look> next(long nowNanos, Set<String> types, boolean hungry, int besides) {
        if (!maySearch(types)) {
            return Optional.empty();
        }
        if (nowNanos - nextNanos >= 0) {
            nextNanos = nowNanos + interval.toNanos();
            lookedAt.clear();
            return begin(all, types, true, besides);
        }
        if (isHinted(types) || hungry && mayShowMore(moreInPreferred, preferred, types)) {
            return begin(preferred, types, false, besides);
        }
        return hungry && mayShowMore(moreInAll, all, types) ? begin(all, types, false, besides) : Optional.empty();
    }

    /**
     * Whether more may be due in the preferred partitions than is known, and a look that shows it is due or under way.
     */
    boolean awaitsPreferred(Set<String> types) {
        return looksAtPreferred || mayShowMore(moreInPreferred, preferred, types);
    }

    private boolean isHinted(Set<String> types) {
        boolean any = !Collections.disjoint(hinted, types) || !Collections.disjoint(hintsAsked, types);
        return any && !preferred.isEmpty();
    }

    private boolean mayShowMore(Set<String> more, Set<Integer> partitions, Set<String> types) {
        return !Collections.disjoint(more, types) && !lookedAt.contains(new Scope(partitions, types));
    }

    /** Jobs were taken; a look at the same partitions shows others now. */
    void taken() {
        lookedAt.clear();
    }

    /** The next regular look is made at once. */
    void atOnce(long nowNanos) {
        nextNanos = nowNanos;
    }

    /**
     * Jobs of these types may have become due: the preferred partitions are looked at, by a look that begins after this.
     *
     * @return whether other partitions are left out
     */
    boolean hinted(Set<String> types) {
        hinted.addAll(types);
        return !preferred.equals(all);
    }

    /** Takes note of the result of a look. */
    void found(Look look, List<DueJob> jobs) {
        boolean full = jobs.size() >= look.limit();
        looksAtPreferred = false;
        hintsAsked.removeAll(look.types());
        if (look.partitions().equals(all)) {
            note(moreInAll, look, full);
        }
        if (look.regular() || look.partitions().equals(preferred)) {
            note(moreInPreferred, look, full && !preferred.isEmpty());
        }
    }

    private static void note(Set<String> more, Look look, boolean full) {
        if (full) {
            more.addAll(look.types());
        } else {
            more.removeAll(look.types());
        }
    }

    /**
     * How long until the next regular look; {@code Long.MAX_VALUE} if there is nothing to look for, until that changes.
     *
     * @param types those that may be claimed and that there is room for
     */
    long untilNext(long nowNanos, Set<String> types) {
        return maySearch(types) ? Math.max(0, nextNanos - nowNanos) : Long.MAX_VALUE;
    }

    private boolean maySearch(Set<String> types) {
        return !all.isEmpty() && !types.isEmpty();
    }

    /** How many partitions there are; 0 = not known yet. */
    int partitions() {
        return all.size();
    }

    private Optional<Look> begin(Set<Integer> partitions, Set<String> types, boolean regular, int besides) {
        lookedAt.add(new Scope(partitions, Set.copyOf(types)));
        looksAtPreferred = !regular && partitions.equals(preferred);
        types.stream().filter(hinted::remove).forEach(hintsAsked::add);
        int limit = claimBatch * (moreInAll.isEmpty() && moreInPreferred.isEmpty() ? REGULAR : BACKLOG);
        return Optional.of(new Look(partitions, Set.copyOf(types), limit + besides, regular));
    }
}
