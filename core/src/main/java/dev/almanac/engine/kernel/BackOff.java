package dev.almanac.engine.kernel;

import dev.almanac.engine.rules.BatchSplit;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.store.DueJob;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that this node leaves alone for a while, so that others may have them: those that it cannot run (rule X6), and
 * those whose claims got no answer (rule X3). The latter are claimed by smaller commands until one is answered, down to
 * commands of one job, since one document that does not answer keeps all of its command waiting. The kernel's, but for
 * {@link #words}.
 */
final class BackOff {
    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private static final Duration SUSPECTED = Duration.ofMinutes(1);

    /** How many jobs to claim at a time while some are claimed apart. */
    private static final int SPLIT_AT_ONCE = 64;

    /**
     * The largest number of jobs that are remembered; beyond it the ones that may be tried again first are forgotten. A look
     * reads all of them besides the jobs that it finds.
     */
    private static final int MOST = 100_000;

    private static final int LONGEST_REASON = 200;

    /** Any thread may read why a job is left alone. */
    private final Map<String, Left> left = new ConcurrentHashMap<>();

    private final Map<String, Suspicion> suspected = new HashMap<>();

    /**
     * @param together how many jobs the next claim of the job contains at most
     * @param pause how long it was left alone after the last claim of this job alone
     * @param end when it is over if nothing more is heard of the job, which another node may have run
     */
    private record Suspicion(int together, Duration pause, Instant end) {}

    private record Left(Instant until, String why) {}

    /** Not to be tried again before that instant. */
    void add(String id, Instant end, String why) {
        if (left.size() >= MOST && !left.containsKey(id)) {
            left.remove(Collections.min(left.entrySet(), Map.Entry.comparingByValue(Comparator.comparing(Left::until)))
                    .getKey());
        }
        left.put(id, new Left(end, Printable.cut(why, LONGEST_REASON)));
    }

    /** Why the job is left alone, and until when; empty if it is not. Any thread may call this. */
    Optional<String> words(String id, Instant now) {
        return Optional.ofNullable(left.get(id))
                .filter(known -> known.until().isAfter(now))
                .map(known -> "this one leaves it alone until " + known.until() + ": " + known.why());
    }

    /** No job is left alone any more. */
    void forget() {
        left.clear();
        suspected.clear();
    }

    /** A claim of all these jobs got no answer; any one of them may be the cause. */
    void suspect(Collection<String> ids, Instant now) {
        Suspicion next = new Suspicion(BatchSplit.next(ids.size()), Duration.ZERO, now.plus(SUSPECTED));
        for (String id : ids) {
            if (suspected.size() < MOST || suspected.containsKey(id)) {
                suspected.merge(id, next, (before, newer) -> before.together() < newer.together() ? before : newer);
            }
        }
    }

    /** A claim of this job alone got no answer. */
    void unanswered(String id, Instant now) {
        Suspicion known = suspected.get(id);
        Duration pause = PAUSE.longer(known == null ? Duration.ZERO : known.pause());
        suspected.put(id, new Suspicion(1, pause, now.plus(SUSPECTED)));
        add(id, now.plus(pause), "the store did not answer the claim of it");
    }

    /** A claim of this job was answered. */
    void answered(String id) {
        suspected.remove(id);
    }

    /** How many jobs to claim at a time: few while some are claimed apart, so that this takes few commands. */
    int most(int batch) {
        return suspected.isEmpty() ? batch : Math.min(batch, SPLIT_AT_ONCE);
    }

    /**
     * The claims to be made of these jobs: those that are suspected apart, so that one that stalls delays few others, and
     * each job of a group alone, so that a busy group delays no job.
     */
    List<List<DueJob>> apart(List<DueJob> jobs) {
        List<List<DueJob>> claims = new ArrayList<>();
        Map<Integer, List<DueJob>> bySize = new HashMap<>();
        for (DueJob job : jobs) {
            if (job.group() == null) {
                Suspicion known = suspected.get(job.id());
                bySize.computeIfAbsent(known == null ? jobs.size() : known.together(), any -> new ArrayList<>())
                        .add(job);
            } else {
                claims.add(List.of(job));
            }
        }
        bySize.forEach((size, some) -> claims.addAll(BatchSplit.parts(some, size)));
        return claims;
    }

    boolean isOn(String id, Instant now) {
        Instant end = until(id);
        return end != null && end.isAfter(now);
    }

    /** When the job may be tried again; absent = now. */
    @Nullable
    Instant until(String id) {
        Left known = left.get(id);
        return known == null ? null : known.until();
    }

    /** How many jobs are left alone at that moment; looks still return them. */
    int count(Instant now) {
        left.values().removeIf(known -> !known.until().isAfter(now));
        suspected.values().removeIf(known -> !known.end().isAfter(now));
        return left.size();
    }
}
