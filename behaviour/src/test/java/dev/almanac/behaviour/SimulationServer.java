package dev.almanac.behaviour;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.RowQuery;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The database of a simulation: a store in memory, with what a mutant does to it, and what the judge must know. */
final class SimulationServer {
    /** By how much the clocks of nodes may be ahead. */
    private static final Duration CLOCKS = Duration.ofSeconds(1);

    private static final Set<String> CLUSTER_WRITES = Set.of("putCalendar", "checkedZoneRules");

    /** Rows that say how a run ended. */
    static final Set<Outcome> WORDS = EnumSet.of(
            Outcome.SUCCEEDED,
            Outcome.ATTEMPT_FAILED,
            Outcome.RETRIES_EXHAUSTED,
            Outcome.NON_RETRYABLE,
            Outcome.SKIPPED,
            Outcome.CRASHED);

    private final InMemoryJobStore store;
    private final @Nullable Mutants mutant;
    private final JobStore behind;
    private final SplittableRandom random;
    private final TimeSource time;
    private final SimulationFaults faults;
    private final SimulationTrace trace;
    /** Documents before writes that only the primary knows of. */
    private final Map<String, StoredJob> notReplicated = new HashMap<>();
    /** Who has claimed what and when, by document and number. */
    private final Map<String, Claim> claims = new HashMap<>();
    /** When a document was stored or changed last. */
    private final Map<String, Instant> changed = new HashMap<>();
    /** Who has written the change that the newest row of a document tells of; a note that a plan is of today has none. */
    private final Map<String, Integer> writers = new HashMap<>();
    /** The runs by hand that were asked for, by document and moment. */
    private final Map<String, Map<Instant, Asked>> asked = new HashMap<>();
    /** Jobs of which the server takes no change that says how a run ended, and until when. */
    private final Map<String, Instant> refusing = new HashMap<>();
    /** Those of which it takes no such row. */
    private final Map<String, Instant> refusingRows = new HashMap<>();

    private final List<JobExecutionStatus> refusedRows = new ArrayList<>();

    /** Since when jobs must not run twice, by document; others may. */
    private final Map<String, Instant> forbidden = new HashMap<>();

    /** The pauses of jobs, by document. */
    private final Map<String, Held> paused = new HashMap<>();

    private final List<String> complaints = new ArrayList<>();
    private final SimulationStates states = new SimulationStates(complaints);
    private final SimulationSchedules schedules = new SimulationSchedules();
    private final SimulationRemovals removals;
    private final SimulationRows rows;
    private Lateness lateness = (job, since) -> {};
    /** Whether a primary may go down before a majority has a write. */
    private boolean faulty;

    /** A claim that the server has granted. */
    record Claim(int node, Instant at) {}

    /**
     * A run by hand that was asked for.
     *
     * @param version of the document that shows it first
     * @param contents of this run alone; absent = those of the job
     */
    private record Asked(long version, @Nullable EncodedCommand contents) {}

    /** A pause of a job that is stored, from its beginning, or from when it was stored if that comes later. */
    private record Held(Instant since, Pause pause) {}

    /** Is told of each claim of a job that no lease held, and since when it could have been claimed. */
    interface Lateness {
        void claimed(StoredJob job, Instant since);
    }

    SimulationServer(
            TimeSource time,
            @Nullable Mutants mutant,
            SplittableRandom random,
            SimulationFaults faults,
            SimulationTrace trace) {
        this.random = random;
        this.time = time;
        this.faults = faults;
        this.trace = trace;
        this.store = new InMemoryJobStore(time);
        this.mutant = mutant;
        this.removals = new SimulationRemovals(store, complaints);
        this.rows = new SimulationRows(store, complaints);
        this.behind = mutant == null || mutant.isOfNode() ? store : mutant.over(store, store, time);
    }

    void onClaim(Lateness told) {
        lateness = told;
    }

    /** Where requests of a node arrive. */
    JobStore door(int node) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(),
                new Class<?>[] {JobStore.class, StoreInspection.class},
                (any, call, arguments) -> {
                    Object answer = null;
                    try {
                        answer = arrive(node, call, arguments);
                        return answer;
                    } catch (StoreException failed) {
                        answer = failed;
                        throw failed;
                    } finally {
                        trace.call(call.getName(), arguments, answer);
                    }
                });
    }

    private Object arrive(int node, Method call, Object @Nullable [] arguments) throws Throwable {
        if (call.getDeclaringClass() == StoreInspection.class) {
            return pass(node, store, call, arguments);
        }
        return "claim".equals(call.getName())
                ? claim(node, (ClaimRequest) arguments[0])
                : pass(node, behind, call, arguments);
    }

    /**
     * For so long the server refuses what says how a run of the job has ended: the row, or the change of the document unless
     * it blocks the job.
     */
    void refuse(String key, Duration length, boolean rowsOnly) {
        (rowsOnly ? refusingRows : refusing).put(key, time.wall().plus(length));
    }

    /** Whether the server has ever refused what became of the job. */
    boolean hasRefused(String key) {
        return refusing.containsKey(key);
    }

    /** Who made that claim; absent if nobody did. */
    @Nullable
    Claim claim(String id, long claimSeq) {
        return claims.get(id + " " + claimSeq);
    }

    /** Whether that moment is one at which a run by hand was asked for. */
    boolean isByHand(String id, Instant fire) {
        return asked.getOrDefault(id, Map.of()).containsKey(fire);
    }

    /** What a run of the job is to be handed, by its fire or by when it was asked for. */
    EncodedCommand contents(StoredJob job, Instant fire) {
        Asked byHand = asked.getOrDefault(job.id(), Map.of()).get(fire);
        return byHand != null && byHand.contents() != null
                ? byHand.contents()
                : (EncodedCommand) job.specification().triggerCommand();
    }

    /** When a run by hand of the job was asked for last; absent if none was. */
    Optional<Instant> askedLast(String id) {
        return asked.getOrDefault(id, Map.of()).keySet().stream().max(Comparator.naturalOrder());
    }

    /** Since when the job is held back, and goes on to be for a while; absent if it is not. */
    @Nullable
    Instant pausedSince(String id) {
        Held held = paused.get(id);
        boolean goesOn = held != null && held.pause().isInForce(time.wall().plus(CLOCKS));
        return goesOn ? held.since() : null;
    }

    /** Whether the job must not run twice, since that moment or before. */
    boolean isForbidden(String id, Instant then) {
        return !forbidden.getOrDefault(id, Instant.MAX).isAfter(then);
    }

    private void notePolicy(StoredJob job) {
        if (job.specification().crashPolicy() == CrashPolicy.FAIL) {
            forbidden.putIfAbsent(job.id(), time.wall());
        } else {
            forbidden.remove(job.id());
        }
    }

    private void notePause(StoredJob job) {
        Pause pause = job.requests().pause();
        Held before = paused.remove(job.id());
        if (pause != null) {
            Instant from = pause.from();
            Instant since = from != null && from.isAfter(time.wall()) ? from : time.wall();
            paused.put(job.id(), before != null && before.pause().equals(pause) ? before : new Held(since, pause));
        }
    }

    /** What is stored, for the judge. */
    JobStore truth() {
        return store;
    }

    /** The jobs that were deleted. */
    SimulationRemovals removals() {
        return removals;
    }

    /**
     * Whether the row of the newest change may be missing: its writer met a fault since it was decided, or the server refused
     * the row, or it is that of the creation, which its process writes later.
     */
    boolean mayLackRow(StoredJob job) {
        Integer writer = writers.get(job.id());
        return refusingRows.containsKey(job.key())
                || NewJob.isCreation(job.lastStatus())
                || writer != null
                        && faults.hit(writer, job.lastStatus().updatedTime().minusSeconds(2), time.wall());
    }

    /** The documents that were changed, of all lives of their keys. */
    List<StoredJob> written() {
        return truth().load(List.copyOf(writers.keySet()));
    }

    /** The rows of a document that were written to be stored, and that the server has refused. */
    List<JobExecutionStatus> refusedRows(String id) {
        return refusedRows.stream()
                .filter(row -> row.jobSpecificationId().equals(id))
                .toList();
    }

    /** Whether rows of the job were ever refused. */
    boolean hasRefusedRows(String key) {
        return refusingRows.containsKey(key);
    }

    /** The schedules that were in force. */
    SimulationSchedules schedules() {
        return schedules;
    }

    /** What was found wrong as it was written. */
    SimulationStates states() {
        return states;
    }

    List<String> complaints() {
        return complaints;
    }

    /** Whether elections happen. */
    void faulty(boolean may) {
        faulty = may;
    }

    /** Another member becomes primary; what no majority has is gone. */
    void failOver() {
        trace.write("another primary; taken back: " + notReplicated.keySet());
        faults.moment(SimulationFaults.ALL);
        Map<String, StoredJob> now = byId(store, notReplicated.keySet());
        notReplicated.forEach((id, before) -> takeBack(now.get(id), before));
        notReplicated.clear();
    }

    private void takeBack(@Nullable StoredJob now, StoredJob before) {
        if (now == null) {
            // its deletion is what no majority has
            store.insert(List.of(new NewJob(before, null)));
            removals.takeBack(before.key());
        } else if (!store.write(List.of(taking(now, before))).get(0)) {
            // it is over: so much a majority had
            return;
        }
        states.left(before);
        schedules.takenBack(before);
        asked.getOrDefault(before.id(), new HashMap<>())
                .values()
                .removeIf(run -> run.version() > before.specification().version());
        notePause(before);
        notePolicy(before);
    }

    /**
     * The primary has applied the change of these documents, and nobody knows yet whether a majority will have it: the
     * next election takes it back unless another write is acknowledged before. What a change hides was stored by itself;
     * its own rows come after the document, and not at all.
     */
    private StoreException unreplicated(int node, Map<String, StoredJob> before) {
        before.forEach(notReplicated::putIfAbsent);
        faults.moment(node);
        return new StoreException("no majority", new IllegalStateException("the primary has stepped down"));
    }

    private boolean stepsDown() {
        return faulty && random.nextInt(60) == 0;
    }

    private Object unreplicatedWrite(int node, List<?> changes) {
        List<JobChange> documents = changes.stream()
                .map(JobChange.class::cast)
                .map(SimulationServer::withoutRows)
                .toList();
        Map<String, StoredJob> before =
                byId(store, documents.stream().map(c -> c.before().id()).collect(Collectors.toSet()));
        Map<String, StoredJob> deleted = removals.before(documents);
        List<Boolean> applied = behind.write(documents);
        note(node, documents, applied);
        removals.judge(documents, deleted);
        throw unreplicated(node, before);
    }

    /** What only the old primary had was never stored, so that none of its rows is. */
    private static JobChange taking(StoredJob now, StoredJob before) {
        StoredJob silent = now.with(edit -> edit.lastStatus(before.lastStatus()));
        return new JobChange(silent, before, List.of(), JobChange.By.REQUEST);
    }

    private static JobChange withoutRows(JobChange change) {
        return new JobChange(change.before(), change.after(), List.of(), null, change.by(), change.removes());
    }

    static Map<String, StoredJob> byId(JobStore store, Set<String> ids) {
        return store.load(ids).stream().collect(Collectors.toMap(StoredJob::id, Function.identity()));
    }

    private ClaimResult claim(int node, ClaimRequest request) {
        Map<String, StoredJob> before = byId(store, Set.copyOf(request.ids()));
        boolean down = stepsDown();
        ClaimResult result = behind.claim(request);
        result.jobs().forEach(job -> note(node, before.get(job.id()), job));
        if (down) {
            throw unreplicated(node, before);
        }
        if (mutant != Mutants.CLAIM_WITHOUT_MAJORITY && !result.jobs().isEmpty()) {
            notReplicated.clear();
        }
        for (StoredJob job : result.jobs()) {
            if (job.sequences().abandoned() > 0 && isTold(job)) {
                complaints.add("a row of " + job.key() + " says how a claim before "
                        + job.sequences().claimSeq() + " has ended, which the document does not know");
            }
            states.judge(job);
            if (mutant == Mutants.CLAIM_WITHOUT_MAJORITY) {
                notReplicated.putIfAbsent(job.id(), before.get(job.id()));
            }
        }
        return result;
    }

    private void note(int node, StoredJob before, StoredJob job) {
        claims.put(job.id() + " " + job.sequences().claimSeq(), new Claim(node, time.wall()));
        Instant due = before.due();
        Instant last = changed.getOrDefault(job.id(), due);
        if (due != null && before.lease() == null) {
            lateness.claimed(job, due.isAfter(last) ? due : last);
        }
        changed.put(job.id(), time.wall());
    }

    private boolean isTold(StoredJob job) {
        Sequences sequences = job.sequences();
        return store.rows(RowQuery.ofDocument(job.id(), 1_000)).stream()
                .filter(row -> WORDS.contains(row.outcome()))
                .mapToLong(JobExecutionStatus::claimSeq)
                .anyMatch(claim -> claim > sequences.doneSeq() && claim < sequences.claimSeq());
    }

    /** Its writes, too, are acknowledged by a majority. */
    private ClusterStore cluster() {
        return StoreHook.over(ClusterStore.class, store.cluster(), (method, arguments, call) -> {
            if (CLUSTER_WRITES.contains(method)) {
                notReplicated.clear();
            }
            return call.proceed();
        });
    }

    /** As the majority has them; what it does not have at all was asked for with certainty, and has reached it by then. */
    private List<StoredJob> load(Collection<?> ids) {
        Map<String, StoredJob> found =
                new HashMap<>(byId(store, ids.stream().map(String.class::cast).collect(Collectors.toSet())));
        notReplicated.forEach((id, before) -> {
            if (ids.contains(id)) {
                found.put(id, before);
            }
        });
        if (found.size() < ids.size()) {
            notReplicated.clear();
        }
        return List.copyOf(found.values());
    }

    private Optional<StoredJob> find(String key, FindScope scope) {
        Optional<StoredJob> live = notReplicated.values().stream()
                .filter(job -> job.isLive() && job.key().equals(key))
                .findFirst();
        if (live.isPresent()) {
            return live;
        }
        Optional<StoredJob> found = store.find(key, scope);
        if (found.isEmpty() || notReplicated.containsKey(found.get().id())) {
            notReplicated.clear();
        }
        return found;
    }

    /** What a majority has acknowledged has reached it with everything before it. */
    private Object pass(int node, JobStore to, Method call, Object @Nullable [] arguments) throws Throwable {
        if (call.getName().equals("cluster")) {
            return cluster();
        }
        boolean writes = call.getName().equals("write");
        if (call.getName().equals("writeRows")) {
            writeRows(to, (List<?>) arguments[0]);
            return null;
        }
        if (writes) {
            refuseRows(node, (List<?>) arguments[0]);
        }
        if (writes && stepsDown()) {
            return unreplicatedWrite(node, (List<?>) arguments[0]);
        }
        if (Set.of("renew", "write", "insert").contains(call.getName())) {
            notReplicated.clear();
        }
        if (call.getName().equals("load")) {
            return load((Collection<?>) arguments[0]);
        } else if (call.getName().equals("find")) {
            return find((String) arguments[0], (FindScope) arguments[1]);
        }
        try {
            Map<String, StoredJob> before = writes ? removals.before((List<?>) arguments[0]) : Map.of();
            Object answer = writes ? to.write(taken((List<?>) arguments[0])) : call.invoke(to, arguments);
            if (writes) {
                removals.judge((List<?>) arguments[0], before);
                rows.judge((List<?>) arguments[0], (List<?>) answer, this::hasRefusedRows);
                note(node, (List<?>) arguments[0], (List<?>) answer);
                refuseOwnRows((List<?>) arguments[0], (List<?>) answer);
            } else if (call.getName().equals("insert")) {
                ((List<?>) arguments[0]).forEach(added -> {
                    StoredJob job = ((NewJob) added).job();
                    changed.putIfAbsent(job.id(), time.wall());
                    schedules.stored(job);
                    notePolicy(job);
                });
            }
            return answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void refuseRows(int node, List<?> changes) {
        for (Object item : changes) {
            JobChange change = (JobChange) item;
            Instant until = refusing.getOrDefault(change.before().key(), Instant.MIN);
            boolean says = change.rows().stream().anyMatch(row -> WORDS.contains(row.outcome()));
            if (says && change.after().blocked() == null && time.wall().isBefore(until)) {
                faults.moment(node);
                throw new WriteRefusedException("a validator refuses it", new IllegalStateException());
            }
        }
    }

    private boolean isRowRefused(JobExecutionStatus row) {
        return WORDS.contains(row.outcome())
                && time.wall().isBefore(refusingRows.getOrDefault(row.jobSpecificationKey(), Instant.MIN));
    }

    /** The changes as the server takes them: without the rows that it refuses, be they hidden or made. */
    private List<JobChange> taken(List<?> changes) {
        return changes.stream()
                .map(JobChange.class::cast)
                .map(change -> change.rowsWithIt().stream().anyMatch(this::isRowRefused) ? withoutRows(change) : change)
                .map(change -> refusesHidden(change) ? Mutants.hidingNothing(change) : change)
                .toList();
    }

    /** What a change hides was to be the record, also if its own node died before it could send it. */
    private boolean refusesHidden(JobChange change) {
        List<JobExecutionStatus> hidden =
                change.rowsBefore().stream().filter(this::isRowRefused).toList();
        refusedRows.addAll(hidden);
        return !hidden.isEmpty();
    }

    /** Those that it takes, in any order; one that is refused ends the call. */
    private void writeRows(JobStore to, List<?> rows) {
        Map<Boolean, List<JobExecutionStatus>> parts = rows.stream()
                .map(JobExecutionStatus.class::cast)
                .collect(Collectors.partitioningBy(this::isRowRefused));
        to.writeRows(parts.get(false));
        if (!parts.get(true).isEmpty()) {
            refusedRows.addAll(parts.get(true));
            throw new WriteRefusedException("a validator refuses the row", new IllegalStateException());
        }
    }

    private void refuseOwnRows(List<?> changes, List<?> applied) {
        for (int i = 0; i < changes.size(); i++) {
            boolean refused = ((JobChange) changes.get(i)).rowsWithIt().stream().anyMatch(this::isRowRefused);
            if (refused && Boolean.TRUE.equals(applied.get(i))) {
                throw new WriteRefusedException("a validator refuses the row", new IllegalStateException());
            }
        }
    }

    /** A transaction has committed: all of it is applied, and a majority has it. */
    void commit(List<NewJob> inserts, List<JobChange> changes) {
        notReplicated.clear();
        store.insert(inserts);
        inserts.forEach(added -> {
            changed.put(added.job().id(), time.wall());
            notePolicy(added.job());
        });
        List<Boolean> applied = store.write(changes);
        rows.judge(changes, applied, this::hasRefusedRows);
        note(SimulationFaults.ALL, changes, applied);
    }

    private void note(int node, List<?> changes, List<?> applied) {
        states.note(changes, applied);
        for (int i = 0; i < changes.size(); i++) {
            JobChange change = (JobChange) changes.get(i);
            StoredJob after = change.after();
            if (Boolean.TRUE.equals(applied.get(i))) {
                schedules.applied(change);
                changed.put(after.id(), time.wall());
                boolean shows = !after.lastStatus()
                        .id()
                        .equals(change.before().lastStatus().id());
                if (shows || !writers.containsKey(after.id())) {
                    writers.put(after.id(), node);
                }
                notePause(after);
                notePolicy(after);
                if (after.requests().runNow() != null) {
                    asked.computeIfAbsent(after.id(), any -> new HashMap<>())
                            .putIfAbsent(
                                    after.requests().runNow(),
                                    new Asked(
                                            after.specification().version(),
                                            after.requests().extraRun().command()));
                }
            }
        }
    }
}
