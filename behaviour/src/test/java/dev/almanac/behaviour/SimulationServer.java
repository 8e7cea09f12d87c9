package dev.almanac.behaviour;

import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.InMemoryJobStore;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The database of a simulation: a store in memory, with what a mutant does to it, and what the judge must know. */
final class SimulationServer {
    /** Rows that say how a run ended. */
    private static final Set<Outcome> WORDS =
            EnumSet.of(Outcome.SUCCEEDED, Outcome.ATTEMPT_FAILED, Outcome.RETRIES_EXHAUSTED, Outcome.CRASHED);

    private final InMemoryJobStore store;
    private final @Nullable Mutants mutant;
    private final JobStore door;
    /** Claims that found how an abandoned run had ended, by document and number. */
    private final Set<String> toldClaims = new HashSet<>();
    /** Documents before claims that only the primary knows of. */
    private final Map<String, StoredJob> notReplicated = new HashMap<>();

    /** The state that the last applied end of a run has left, by document. */
    private final Map<String, Map<String, Object>> left = new HashMap<>();

    private final Set<String> removed = new HashSet<>();
    private final Set<String> byHand = new HashSet<>();
    private final List<String> complaints = new ArrayList<>();

    SimulationServer(TimeSource time, @Nullable Mutants mutant) {
        this.store = new InMemoryJobStore(time);
        this.mutant = mutant;
        JobStore behind = mutant == null || mutant.isOfNode() ? store : mutant.over(store, store, time);
        this.door = (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (any, call, a) -> {
                    return "claim".equals(call.getName()) ? claim(behind, (ClaimRequest) a[0]) : pass(behind, call, a);
                });
    }

    /** Where requests arrive. */
    JobStore door() {
        return door;
    }

    /** What is stored, for the judge. */
    JobStore truth() {
        return store;
    }

    /** Whether at that claim a row was there that said how an earlier, abandoned run of the fire had ended. */
    boolean wasTold(String id, long claimSeq) {
        return toldClaims.contains(id + " " + claimSeq);
    }

    /** Whether a run by hand was asked for when that claim ended, of a job whose good runs leave no row. */
    boolean wasByHand(String id, long claimSeq) {
        return byHand.contains(id + " " + claimSeq);
    }

    /** Keys of jobs that were deleted. */
    Set<String> removed() {
        return removed;
    }

    /** Whether the job keeps all of its rows; else what it shows last may have none. */
    static boolean keeps(StoredJob job) {
        return job.specification().history() == History.ALL;
    }

    /** What was found wrong as it was written. */
    List<String> complaints() {
        return complaints;
    }

    /** Another member becomes primary; what no majority has is gone. */
    void failOver() {
        Map<String, StoredJob> now = byId(store, notReplicated.keySet());
        notReplicated.forEach((id, before) -> store.write(
                List.of(new JobChange(now.get(id), before, List.of(), null, JobChange.WriteOrder.DOCUMENT_FIRST))));
        notReplicated.clear();
    }

    static Map<String, StoredJob> byId(JobStore store, Set<String> ids) {
        return store.load(ids).stream().collect(Collectors.toMap(StoredJob::id, Function.identity()));
    }

    private ClaimResult claim(JobStore behind, ClaimRequest request) {
        Map<String, StoredJob> before = byId(store, Set.copyOf(request.ids()));
        ClaimResult result = behind.claim(request);
        for (StoredJob job : result.jobs()) {
            if (job.sequences().abandoned() > 0 && isTold(job)) {
                toldClaims.add(job.id() + " " + job.sequences().claimSeq());
            }
            judgeState(job);
            if (mutant == Mutants.CLAIM_WITHOUT_MAJORITY) {
                notReplicated.putIfAbsent(job.id(), before.get(job.id()));
            }
        }
        return result;
    }

    /** SPEC 16: a run is handed what the last run has left whose end was applied, and nobody else's. */
    void judgeState(StoredJob job) {
        Map<String, Object> expected = left.getOrDefault(job.id(), Map.of());
        if (!job.state().equals(expected)) {
            complaints.add(job.key() + " has the state " + job.state()
                    + ", and the last end of a run that was applied left " + expected);
        }
    }

    private void remember(List<?> changes, List<?> applied) {
        for (int i = 0; i < changes.size(); i++) {
            JobChange change = (JobChange) changes.get(i);
            boolean set = !change.after().state().equals(change.before().state());
            if (set && Boolean.TRUE.equals(applied.get(i))) {
                left.put(change.after().id(), change.after().state());
            }
        }
    }

    private boolean isTold(StoredJob job) {
        Sequences sequences = job.sequences();
        return store.rows(RowQuery.ofDocument(job.id(), 1_000)).stream()
                .filter(row -> WORDS.contains(row.outcome()))
                .mapToLong(JobExecutionStatus::claimSeq)
                .anyMatch(claim -> claim > sequences.doneSeq() && claim < sequences.claimSeq());
    }

    /**
     * Once a user's change is written whole, or a holder has written what became of the job, the row of the user's
     * change before it is there, too (rule P7). That of the job's creation is left to users: holders do not look.
     */
    private void judgeRequests(List<?> changes, List<?> applied) {
        for (int i = 0; i < changes.size(); i++) {
            JobChange change = (JobChange) changes.get(i);
            Set<String> earlier = Set.of(change.before().lastStatus().id());
            boolean none = !keeps(change.before())
                    && (change.before().specification().version() == 1
                            || change.before().lastStatus().outcome() == Outcome.SUCCEEDED);
            boolean due = isOfRequest(change.after())
                    ? !change.rows().isEmpty()
                    : isOfRequest(change.before())
                            && change.before().specification().version() > 1
                            && !earlier.contains(change.after().lastStatus().id());
            if (Boolean.TRUE.equals(applied.get(i))
                    && !none
                    && due
                    && !store.missingRows(earlier).isEmpty()) {
                complaints.add(
                        "a change of " + change.before().key() + " leaves out the row " + earlier + " before it");
            }
        }
    }

    private Map<String, StoredJob> beforeRemovals(List<?> changes) {
        return byId(
                store,
                changes.stream()
                        .map(JobChange.class::cast)
                        .filter(JobChange::removes)
                        .map(change -> change.before().id())
                        .collect(Collectors.toSet()));
    }

    /** Only who holds the newest claim deletes a job, and only as it knows it. */
    private void judgeRemovals(List<?> changes, Map<String, StoredJob> before) {
        for (Object any : changes) {
            JobChange change = (JobChange) any;
            StoredJob stored = before.get(change.before().id());
            if (change.before().requests().runNowRequested()) {
                byHand.add(
                        change.before().id() + " " + change.before().sequences().claimSeq());
            }
            if (stored != null && store.load(List.of(stored.id())).isEmpty()) {
                removed.add(stored.key());
                if (stored.sequences().claimSeq() != change.before().sequences().claimSeq()
                        || stored.specification().version()
                                != change.before().specification().version()) {
                    complaints.add(stored.key() + " was deleted by claim "
                            + change.before().sequences().claimSeq() + ", which does not hold it any more");
                }
            }
        }
    }

    /** Whether what the document shows last is a user's change. */
    static boolean isOfRequest(StoredJob job) {
        return job.lastStatus().id().endsWith(":v" + job.specification().version());
    }

    /** What a majority has acknowledged has reached it with everything before it. */
    private Object pass(JobStore behind, Method call, Object @Nullable [] arguments) throws Throwable {
        if (Set.of("renew", "write", "insert").contains(call.getName())) {
            notReplicated.clear();
        }
        try {
            Map<String, StoredJob> before =
                    call.getName().equals("write") ? beforeRemovals((List<?>) arguments[0]) : Map.of();
            Object answer = call.invoke(behind, arguments);
            if (call.getName().equals("write")) {
                judgeRemovals((List<?>) arguments[0], before);
                judgeRequests((List<?>) arguments[0], (List<?>) answer);
                remember((List<?>) arguments[0], (List<?>) answer);
            }
            return answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
