package dev.almanac.testkit.faults;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.Actor;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.StandingPause;
import dev.almanac.runtime.Lane;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobList;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoreReport;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One node's way to a store, over a network that is slow, loses requests and replies, and delivers requests late,
 * twice or in part. A call that fails does so as a real store's: by a {@link StoreException} that leaves open whether
 * it was applied.
 *
 * <p>Give each node of a test its own, over one shared store. In virtual time, with {@link
 * dev.almanac.testkit.time.ManualLanes}, {@code new FaultyStore(store, lanes.node().open("network", 1),
 * node::takeTime)}: the network is a lane that belongs to no node, so that what is under way arrives even if its
 * sender is gone. Thread-safe as far as the store is.
 */
public final class FaultyStore implements JobStore, StoreInspection {
    private final JobStore store;
    private final FaultPlan plan = new FaultPlan();
    private final Network network;
    private final ClusterStore cluster;

    /**
     * A sound network, to begin with, on which no call ever takes time.
     *
     * @param store receives the requests; it is not closed with this one
     * @param network carries what is late
     */
    public FaultyStore(JobStore store, Lane network) {
        this(store, network, duration -> {});
    }

    /**
     * A sound network, to begin with.
     *
     * @param store receives the requests; it is not closed with this one
     * @param network carries what is late
     * @param waiting lets the caller's time pass, while it waits for an answer
     */
    public FaultyStore(JobStore store, Lane network, Consumer<Duration> waiting) {
        this.store = store;
        this.network = new Network(plan, network, waiting);
        this.cluster = new FaultyClusterStore(store.cluster(), this.network);
    }

    /**
     * The given call fails as given, independent of {@link #failAtRandom}.
     *
     * @param number which call of that method since this store was made, 1 for the first
     * @return this store
     * @throws IllegalArgumentException if the number is less than 1
     */
    public FaultyStore fail(StoreCall call, int number, Fault fault) {
        plan.script(call, number, fault);
        return this;
    }

    /**
     * From now on chance decides over every call that no script names.
     *
     * @param seed the same seed and the same calls give the same faults
     * @return this store
     */
    public FaultyStore failAtRandom(long seed, Chances chances) {
        plan.atRandom(seed, chances);
        return this;
    }

    /** From now on no request arrives, until {@link #reconnect} or {@link #heal}. What is under way still does. */
    public void disconnect() {
        plan.partitioned(true);
    }

    /** Ends {@link #disconnect}; script and chances are as before. */
    public void reconnect() {
        plan.partitioned(false);
    }

    /** From now on the network is sound: no partition, no chance, no script. What is under way still arrives. */
    public void heal() {
        plan.heal();
    }

    /**
     * Sets the listener for each call with a fault, called as it begins; one only.
     *
     * @return this store
     */
    public FaultyStore reportTo(BiConsumer<StoreCall, Fault> listener) {
        network.reportTo(listener);
        return this;
    }

    /** How often that method has been called, failed calls included. */
    public int calls(StoreCall call) {
        return plan.calls(call);
    }

    /** The documents and limits of rows; what completes the write are the rows that the store writes with those that were applied. */
    private Supplier<List<Boolean>> split(List<JobChange> changes, Consumer<List<JobExecutionStatus>> owed) {
        List<Boolean> applied =
                store.write(changes.stream().map(JobChange::withRowsToFollow).toList(), owed);
        List<JobExecutionStatus> rows = IntStream.range(0, changes.size())
                .filter(applied::get)
                .mapToObj(changes::get)
                .flatMap(change -> change.rowsWithIt().stream())
                .toList();
        return () -> {
            store.writeRows(rows);
            return applied;
        };
    }

    private List<Boolean> send(List<JobChange> changes, Consumer<List<JobExecutionStatus>> owed) {
        return network.sendHalf(
                StoreCall.WRITE,
                () -> store.write(changes, owed),
                () -> split(changes, owed),
                () -> store.write(changes.stream().map(FaultyStore::torn).toList(), owed));
    }

    /** The documents alone. */
    private void tearNew(List<NewJob> jobs) {
        store.insert(jobs.stream().map(NewJob::withoutRow).toList());
    }

    /** The document, with what comes before it, and without what follows it. */
    private static JobChange torn(JobChange change) {
        return new JobChange(change.before(), change.after(), List.of(), null, change.by(), change.removes());
    }

    @Override
    public CommandCodec commandCodec() {
        return store.commandCodec();
    }

    @Override
    public StoreReport open() {
        return network.send(StoreCall.OPEN, store::open);
    }

    @Override
    public Instant serverTime() {
        return network.send(StoreCall.SERVER_TIME, store::serverTime);
    }

    @Override
    public List<Boolean> insert(List<NewJob> jobs) {
        return network.send(StoreCall.INSERT, () -> store.insert(jobs), () -> tearNew(jobs));
    }

    @Override
    public Map<String, Integer> lastLives(Collection<String> jobSpecificationKeys) {
        return network.send(StoreCall.LAST_LIVES, () -> store.lastLives(jobSpecificationKeys));
    }

    @Override
    public Optional<StoredJob> find(String jobSpecificationKey, FindScope scope) {
        return network.send(StoreCall.FIND, () -> store.find(jobSpecificationKey, scope));
    }

    @Override
    public Map<String, StoredJob> newest(Collection<String> keys) {
        return network.send(StoreCall.NEWEST, () -> store.newest(keys));
    }

    @Override
    public List<StoredJob> load(Collection<String> ids) {
        return network.send(StoreCall.LOAD, () -> store.load(ids));
    }

    @Override
    public JobList list(JobQuery query, Instant now, Collection<StandingPause> pauses) {
        return network.send(StoreCall.LIST, () -> store.list(query, now, pauses));
    }

    @Override
    public JobList plannedByOthers(String zoneRules, JobQuery query) {
        return network.send(StoreCall.PLANNED_BY_OTHERS, () -> store.plannedByOthers(zoneRules, query));
    }

    @Override
    public List<JobExecutionStatus> rows(RowQuery query) {
        return network.send(StoreCall.ROWS, () -> store.rows(query));
    }

    @Override
    public List<DueJob> due(DueQuery query) {
        return network.send(StoreCall.DUE, () -> store.due(query));
    }

    @Override
    public Set<String> otherDueTypes(Set<String> types, Instant until) {
        return network.send(StoreCall.OTHER_DUE_TYPES, () -> store.otherDueTypes(types, until));
    }

    @Override
    public List<StoredJob> running(Instant now, Duration horizon, int limit) {
        return network.send(StoreCall.RUNNING, () -> store.running(now, horizon, limit));
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return network.send(StoreCall.CLAIM, () -> store.claim(request));
    }

    @Override
    public List<HeldLease> renew(Renewal renewal) {
        return network.send(StoreCall.RENEW, () -> store.renew(renewal));
    }

    @Override
    public List<Boolean> write(List<JobChange> changes) {
        return send(changes, owed -> {});
    }

    @Override
    public List<Boolean> write(List<JobChange> changes, Consumer<List<JobExecutionStatus>> owed) {
        return send(changes, owed);
    }

    /** @throws UnsupportedOperationException if the store behind offers no inspection */
    @Override
    public State inspect(int limit) {
        StoreInspection inspection = inspection();
        return network.send(StoreCall.INSPECT, () -> inspection.inspect(limit));
    }

    /** @throws UnsupportedOperationException if the store behind offers no inspection */
    @Override
    public Set<String> missingRows(Collection<String> rowIds) {
        StoreInspection inspection = inspection();
        return network.send(StoreCall.MISSING_ROWS, () -> inspection.missingRows(rowIds));
    }

    /** @throws UnsupportedOperationException if the store behind offers no inspection */
    @Override
    public Removal removeDamaged(String jobSpecificationKey, Instant deleteTime, Actor by) {
        StoreInspection inspection = inspection();
        return network.send(
                StoreCall.REMOVE_DAMAGED, () -> inspection.removeDamaged(jobSpecificationKey, deleteTime, by));
    }

    /** @throws UnsupportedOperationException if the store behind offers no inspection */
    @Override
    public Page<ShownRow> newestRows(@Nullable String after, int limit) {
        StoreInspection inspection = inspection();
        return network.send(StoreCall.NEWEST_ROWS, () -> inspection.newestRows(after, limit));
    }

    private StoreInspection inspection() {
        if (store instanceof StoreInspection inspection) {
            return inspection;
        }
        throw new UnsupportedOperationException(store + " offers no inspection");
    }

    @Override
    public ClusterStore cluster() {
        return cluster;
    }

    @Override
    public void writeRows(List<JobExecutionStatus> rows) {
        network.send(StoreCall.WRITE_ROWS, () -> {
            store.writeRows(rows);
            return true;
        });
    }

    @Override
    public void keepRows(Collection<String> rowIds, Instant least, Instant until) {
        network.send(StoreCall.KEEP_ROWS, () -> {
            store.keepRows(rowIds, least, until);
            return true;
        });
    }
}
