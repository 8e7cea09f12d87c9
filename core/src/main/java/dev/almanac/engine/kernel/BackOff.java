package dev.almanac.engine.kernel;

import dev.almanac.engine.rules.BatchSplit;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.store.DueJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that this node leaves alone for a while, so that others may have them: those that it cannot run (rule X6), and
 * those whose claims got no answer (rule X3). The latter are claimed by smaller commands until one is answered, down to
 * commands of one job, since one document that does not answer keeps all of its command waiting. The kernel's.
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

    private final Map<String, Instant> until = new HashMap<>();
    private final Map<String, Suspicion> suspected = new HashMap<>();

    /**
     * @param together how many jobs the next claim of the job contains at most
     * @param pause how long it was left alone after the last claim of this job alone
     * @param end when it is over if nothing more is heard of the job, which another node may have run
     */
    private record Suspicion(int together, Duration pause, Instant end) {}

    /** Not to be tried again before that instant. */
    void add(String id, Instant end) {
        if (until.size() >= MOST && !until.containsKey(id)) {
            until.remove(Collections.min(until.entrySet(), Map.Entry.comparingByValue())
                    .getKey());
        }
        until.put(id, end);
    }

    /** No job is left alone any more. */
    void forget() {
        until.clear();
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
        add(id, now.plus(pause));
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
        Instant end = until.get(id);
        return end != null && end.isAfter(now);
    }

    /** When the job may be tried again; absent = now. */
    @Nullable
    Instant until(String id) {
        return until.get(id);
    }

    /** How many jobs are left alone at that moment; looks still return them. */
    int count(Instant now) {
        until.values().removeIf(end -> !end.isAfter(now));
        suspected.values().removeIf(known -> !known.end().isAfter(now));
        return until.size();
    }
}
