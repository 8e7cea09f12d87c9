package dev.almanac.behaviour;

import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.Phase;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The follow-ups of a simulation: who stores one is seen where requests arrive. Each good end of a run has
 * each of its follow-ups once, each failure for good has its own once, and none comes before the verdict.
 */
final class SimulationFollowUps {
    private static final String GOOD = " good ";
    private static final String FAILED = " failed ";

    private final SimulationServer server;
    private final JobStore truth;
    private final SimulationLedger ledger;
    /** How often a follow-up was stored, by its key, which names the job, the kind of end, and the fire. */
    private final Map<String, Integer> stored = new HashMap<>();

    SimulationFollowUps(SimulationServer server, SimulationLedger ledger) {
        this.server = server;
        this.truth = server.truth();
        this.ledger = ledger;
    }

    /** Gives half of the jobs two follow-ups of good ends and one of failures. */
    static void add(JobSpecificationBuilder job, SplittableRandom random) {
        if (random.nextBoolean()) {
            addTo(job);
        }
    }

    /** Gives the job two follow-ups of good ends and one of failures. */
    static JobSpecificationBuilder addTo(JobSpecificationBuilder job) {
        return job.onSuccess(followUp(GOOD + "{fireTime} a"), followUp(GOOD + "{fireTime} b"))
                .onFailure(followUp(FAILED + "{fireTime} a"));
    }

    private static JobSpecification followUp(String rest) {
        return JobSpecification.now("{key}" + rest, new Note(0, 0));
    }

    /** The way to the store on which follow-ups are seen. */
    JobStore watching(JobStore door) {
        return StoreHook.over(door, (method, arguments, call) -> {
            if (!method.equals("insert")) {
                return call.proceed();
            }
            List<StoredJob> fresh = fresh((List<?>) arguments[0]);
            try {
                return call.proceed();
            } finally {
                // also if the store throws once it has stored them
                fresh.removeIf(job -> truth.load(List.of(job.id())).isEmpty());
                fresh.forEach(this::judgeStored);
            }
        });
    }

    private List<StoredJob> fresh(List<?> jobs) {
        List<StoredJob> fresh = new ArrayList<>();
        for (Object job : jobs) {
            StoredJob followUp = ((NewJob) job).job();
            boolean there = !truth.load(List.of(followUp.id())).isEmpty();
            if (followUp.specification().followUpOf().isPresent() && !there) {
                fresh.add(followUp);
            }
        }
        return fresh;
    }

    private void judgeStored(StoredJob followUp) {
        stored.merge(followUp.key(), 1, Integer::sum);
        StoredJob job = truth.find(followUp.specification().followUpOf().orElseThrow(), FindScope.LIVE)
                .orElse(null);
        boolean judged = job != null && job.phase() == Phase.FOLLOW && job.verdict() != null;
        if (!judged) {
            ledger.complain(followUp.key() + " was stored before the verdict of the run that it follows");
        }
    }

    /**
     * When everything is at rest.
     *
     * @param keys of the jobs whose ends were all recorded; others are not judged
     */
    void judge(List<String> keys) {
        Map<String, Integer> left = new HashMap<>(stored);
        left.keySet().removeIf(followUp -> keys.stream().noneMatch(key -> followUp.startsWith(key + " ")));
        for (String key : keys) {
            StoredJob job = truth.find(key, FindScope.INCLUDING_FINISHED).orElse(null);
            if (job == null || job.specification().history() == History.TROUBLE) {
                // its good ends are on no record, but each has its follow-ups once
                left.forEach((followUp, times) -> judgeTimes(key, followUp, times));
                left.keySet().removeIf(followUp -> followUp.startsWith(key + GOOD));
            }
            if (job != null && !job.specification().onSuccess().isEmpty()) {
                List<JobExecutionStatus> rows = truth.rows(RowQuery.ofKey(key, 10_000));
                boolean canceled = rows.stream().anyMatch(SimulationFollowUps::isCancel);
                boolean all = job.specification().history() == History.ALL;
                for (Instant fire : all ? fires(rows, true) : Set.<Instant>of()) {
                    int most = most(key, fire);
                    expect(left, key + GOOD + fire + " a", isRefused(rows, fire), most);
                    expect(left, key + GOOD + fire + " b", isRefused(rows, fire), most);
                }
                for (Instant fire : fires(rows, false)) {
                    boolean optional = canceled || isRefused(rows, fire);
                    expect(left, key + FAILED + fire + " a", optional, most(key, fire));
                }
            }
        }
        keys.forEach(key -> truth.rows(RowQuery.ofKey(key, 10_000)).stream()
                .filter(row -> row.outcome() == Outcome.EXPIRED && row.fireTime() != null)
                .forEach(row -> left.remove(key + FAILED + row.fireTime() + " a", 1)));
        left.forEach(
                (key, times) -> ledger.complain(key + " follows no end of a run, and was stored " + times + " times"));
    }

    private void judgeTimes(String key, String followUp, int times) {
        String good = key + GOOD;
        if (followUp.startsWith(good)
                && times
                        > most(
                                key,
                                Instant.parse(followUp.substring(good.length()).split(" ")[0]))) {
            ledger.complain(followUp + " was stored " + times + " times, not once");
        }
    }

    /** Whether it tells of a cancel, also of one that is noted. */
    static boolean isCancel(JobExecutionStatus row) {
        return row.executionStatus() == ExecutionStatus.CANCELED
                || String.valueOf(row.detail()).startsWith("cancel");
    }

    /** A row tells that the store threw what is no answer of a store, which is not tried again. */
    private static boolean isRefused(List<JobExecutionStatus> rows, Instant fire) {
        return rows.stream()
                .anyMatch(row -> row.outcome() == Outcome.FOLLOW_UP_REFUSED
                        && fire.equals(row.fireTime())
                        && String.valueOf(row.detail()).contains("planned, from "));
    }

    private void expect(Map<String, Integer> left, String key, boolean optional, int most) {
        Integer times = left.remove(key);
        if (times == null && !optional || times != null && times > most) {
            ledger.complain(key + " was stored " + times + " times, not once");
        }
    }

    /** Two runs end at a planned fire if a user asked for another one in its very millisecond, or scheduled the job again. */
    private int most(String key, Instant fire) {
        if (ledger.runs().stream().anyMatch(run -> run.job().equals(key) && server.isByHand(run.id(), fire))) {
            return 2;
        }
        long lives = ledger.runs().stream()
                .filter(run -> run.job().equals(key) && run.fire().equals(fire))
                .map(SimulationLedger.Run::id)
                .distinct()
                .count();
        // a fire may fail without a run
        return (int) Math.max(1, lives);
    }

    /** The fires that ended so; what was decided again, or told by two claims, is one end. */
    private static Set<Instant> fires(List<JobExecutionStatus> rows, boolean good) {
        Set<Instant> fires = new HashSet<>();
        for (JobExecutionStatus row : rows) {
            boolean failed = row.executionStatus() == ExecutionStatus.FAILED && row.outcome() != Outcome.EXPIRED;
            if (good ? row.outcome() == Outcome.SUCCEEDED : failed) {
                fires.add(row.fireTime() == null ? row.updatedTime() : row.fireTime());
            }
        }
        return fires;
    }

    /** A node that takes the verdict for written, and stores the follow-ups at once. */
    static JobStore withoutVerdict(JobStore store) {
        return StoreHook.over(store, (method, arguments, call) -> {
            boolean verdict = method.equals("write")
                    && ((List<?>) arguments[0])
                            .stream().map(JobChange.class::cast).allMatch(SimulationFollowUps::isVerdict);
            return verdict
                    ? new ArrayList<>(java.util.Collections.nCopies(((List<?>) arguments[0]).size(), true))
                    : call.proceed();
        });
    }

    private static boolean isVerdict(JobChange change) {
        return change.before().phase() == Phase.RUN && change.after().phase() == Phase.FOLLOW;
    }

    /** A node that makes up an id for each follow-up. */
    static JobStore withNewIds(JobStore store) {
        int[] count = {0};
        return StoreHook.over(store, (method, arguments, call) -> {
            List<?> jobs = method.equals("insert") ? (List<?>) arguments[0] : List.of();
            boolean followUps = jobs.stream()
                    .map(NewJob.class::cast)
                    .anyMatch(job -> job.job().specification().followUpOf().isPresent());
            return followUps
                    ? store.insert(jobs.stream()
                            .map(NewJob.class::cast)
                            .map(job -> named(job.job().key() + "#" + count[0]++, job))
                            .toList())
                    : call.proceed();
        });
    }

    private static NewJob named(String id, NewJob job) {
        JobExecutionStatus row = job.job().lastStatus().toBuilder()
                .id(id + ":0:0:v1")
                .jobSpecificationId(id)
                .build();
        StoredJob other = job.job();
        return new NewJob(
                new StoredJob(
                        id,
                        other.specification(),
                        other.due(),
                        other.lease(),
                        other.sequences(),
                        other.plan(),
                        other.requests(),
                        other.phase(),
                        other.blocked(),
                        row),
                row);
    }
}
