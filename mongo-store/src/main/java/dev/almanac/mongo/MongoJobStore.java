package dev.almanac.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import dev.almanac.helper.CommandCodec;
import dev.almanac.model.Actor;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import dev.almanac.model.StandingPause;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.DueCounts;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobList;
import dev.almanac.store.JobRegister;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.RunCounts;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoreOverview;
import dev.almanac.store.StoreReport;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Jobs and rows in MongoDB 6.0 to 8.x. Works on the caller's client, which is never closed, with retryable writes on
 * or off. Thread-safe.
 */
public final class MongoJobStore implements JobStore, StoreInspection, StoreOverview {

    /** The time limit of a shared write, a sixth of the window of a default lease; after it, each change is written by itself. */
    private static final long TOGETHER_MILLIS = 3_000;

    private final MongoClient client;
    private final MongoStoreSettings settings;
    private final @Nullable Consumer<String> complaints;
    private final MongoDatabase database;
    private final StoreCollections collections;
    private final StoreCollections untimed;
    private final Schema schema;
    private final LargeJobs sizes = new LargeJobs();
    private final DueLooks looks;
    private final ClaimWrites claims;
    private final ChangeWrites changes;
    private final JobReads reads;
    private final ClusterStore cluster;
    private final CommandCodec codec;
    /** For someone who waits: opening begins with a question that ends soon if there is no server. */
    private final boolean brief;

    /** As the store was created; 0 = not known yet. */
    private volatile int partitions;

    private MongoJobStore(
            MongoClient client,
            @Nullable MongoClient second,
            MongoStoreSettings settings,
            CommandCodec codec,
            @Nullable Consumer<String> complaints,
            boolean brief) {
        this.client = client;
        this.brief = brief;
        this.settings = settings;
        this.complaints = complaints;
        this.codec = codec;
        // building indexes takes as long as it takes; everything else has an end
        MongoDatabase patient = client.getDatabase(settings.database());
        this.database = patient.withTimeout(settings.timeoutMillis(client), TimeUnit.MILLISECONDS);
        this.collections = of(database);
        // a transaction has one timeout, that of its session
        this.untimed = of(patient);
        this.schema = new Schema(patient, settings, collections, description(), complaints);
        this.claims = new ClaimWrites(collections, ofClient(second).jobs(), sizes);
        this.looks = new DueLooks(collections.jobs(), brief || complaints != null, sizes, claims::blockUnnamed);
        long together = Math.min(TOGETHER_MILLIS, settings.timeoutMillis(client));
        this.changes = new ChangeWrites(collections, of(patient.withTimeout(together, TimeUnit.MILLISECONDS)));
        this.reads = new JobReads(collections);
        this.cluster = new MongoClusterStore(collections);
    }

    /** Of a store that was not opened here, as another process has created it; what was read once does not change. */
    private int partitions() {
        if (partitions == 0) {
            partitions = schema.partitionsIfStored();
        }
        return partitions == 0 ? settings.partitions() : partitions;
    }

    private StoreCollections ofClient(@Nullable MongoClient second) {
        return of((second == null ? client : second).getDatabase(settings.database()));
    }

    private StoreCollections of(MongoDatabase some) {
        return StoreCollections.of(some, settings.collectionPrefix());
    }

    private String description() {
        String hosts = client.getClusterDescription().getServerDescriptions().stream()
                .map(server -> server.getAddress().toString())
                .collect(Collectors.joining(","));
        return "mongodb " + hosts + "/" + settings.database();
    }

    /** A store in the database {@code almanac} with the default settings; the server is not contacted yet. */
    public static MongoJobStore create(MongoClient client) {
        return create(client, MongoStoreSettings.defaults());
    }

    /** A store in the given database; the server is not contacted yet. */
    public static MongoJobStore create(MongoClient client, MongoStoreSettings settings) {
        return create(client, settings, new JacksonCommandCodec());
    }

    /**
     * A store that keeps the bodies of commands as a codec of the caller makes them, such as one that encrypts; the
     * server is not contacted yet. The bodies of equal commands must be equal, or scheduling the same again is a
     * change.
     */
    public static MongoJobStore create(MongoClient client, MongoStoreSettings settings, CommandCodec codec) {
        return new MongoJobStore(client, null, settings, codec, null, false);
    }

    /**
     * The same store with a second client, which has a pool of connections of its own: leases are renewed through it when
     * a renewal through the first one has failed or hangs. Without it the second try goes through the first client's
     * pool. It should be of the same settings, and is not closed.
     */
    public MongoJobStore withSecondClient(MongoClient second) {
        return new MongoJobStore(client, second, settings, codec, complaints, false);
    }

    /**
     * A store for inspection and repair by people: a missing or different index is a warning of {@link #open}, not a
     * refusal. What it reads by an index that is missing it reads from the whole collection. Not for nodes: without their
     * indexes claims are slow, and keys not unique.
     *
     * @param complaints receives the problems of the indexes
     */
    public static MongoJobStore tolerant(MongoClient client, MongoStoreSettings settings, Consumer<String> complaints) {
        return new MongoJobStore(client, null, settings, new JacksonCommandCodec(), complaints, false);
    }

    /**
     * Jobs within a transaction of the caller's, for {@code Scheduler.in}. Use the {@code JobWriter} of that call for
     * every change that belongs to the transaction: the methods of {@code Scheduler} itself take effect at once, and a job
     * that they have scheduled runs although the transaction aborts. What is written here becomes visible with the
     * commit, and leaves nothing if it is aborted. The session must be of this store's client and have begun its
     * transaction; it is not closed. While the transaction is open, no one else can claim or change the jobs that it has
     * written, so keep it short. Needs a replica set or a sharded cluster, and a transaction that commits with a
     * majority: each call refuses others, since their results would not be certain to hold. If neither the transaction
     * nor the client names a write concern, the server's default counts, for which each call asks.
     *
     * <p>That a job does not exist is certain once the transaction has committed.
     *
     * <p>Exceptions of the driver pass through, so that {@code ClientSession.withTransaction} repeats transactions that
     * can be repeated. For one thread.
     */
    public JobRegister inSession(ClientSession session) {
        MongoDatabase admin =
                client.getDatabase("admin").withTimeout(settings.timeoutMillis(client), TimeUnit.MILLISECONDS);
        return new SessionJobs(
                session,
                untimed,
                collections.majorityJobs(),
                this::partitions,
                () -> SessionJobs.defaultMembers(admin),
                changes::storeShown);
    }

    @Override
    public MongoJobStore answeringWithin(Duration limit) {
        Duration own = settings.operationTimeout();
        MongoStoreSettings limited = settings.withOperationTimeout(limit.compareTo(own) < 0 ? limit : own);
        return new MongoJobStore(client, null, limited, codec, complaints, true);
    }

    @Override
    public CommandCodec commandCodec() {
        return codec;
    }

    @Override
    public StoreReport open() {
        if (brief) {
            serverTime();
        }
        StoreReport report = MongoCalls.write("opening the store", schema::open);
        partitions = report.partitions();
        return report;
    }

    @Override
    public Instant serverTime() {
        return MongoCalls.read(
                "reading the server's time",
                () -> database.runCommand(new Document("hello", 1))
                        .getDate("localTime")
                        .toInstant());
    }

    @Override
    public List<Boolean> insert(List<NewJob> jobs) {
        return MongoCalls.write("storing jobs", () -> changes.insert(jobs, partitions()));
    }

    @Override
    public Map<String, Integer> lastLives(Collection<String> jobSpecificationKeys) {
        return MongoCalls.read(
                "reading the lives of keys",
                () -> DocumentReader.lastLives(collections.majorityJobs()::aggregate, jobSpecificationKeys));
    }

    @Override
    public Optional<StoredJob> find(String key, FindScope scope) {
        Objects.requireNonNull(key, "key");
        return MongoCalls.read("reading a job", () -> reads.find(key, scope));
    }

    @Override
    public Map<String, StoredJob> newest(Collection<String> keys) {
        return MongoCalls.read("reading the jobs of keys", () -> reads.newest(keys));
    }

    @Override
    public List<StoredJob> load(Collection<String> ids) {
        return MongoCalls.read("reading jobs", () -> reads.load(bson(ids)).jobs());
    }

    @Override
    public JobList list(JobQuery query, Instant now, Collection<StandingPause> pauses) {
        JobState state = query.state();
        Bson inState = state == null ? null : JobStateFilter.of(state, now, pauses);
        return MongoCalls.read("listing jobs", () -> JobLists.page(collections.jobs(), query, inState));
    }

    @Override
    public JobList plannedByOthers(String zoneRules, JobQuery query) {
        // a job of one instant has no plan by rules, which "not equal" alone would find
        Bson byOthers = Filters.and(JobStateFilter.present("planned"), Filters.ne("planned.zoneRules", zoneRules));
        return MongoCalls.read("listing jobs", () -> JobLists.page(collections.jobs(), query, byOthers));
    }

    @Override
    public List<JobExecutionStatus> rows(RowQuery query) {
        return MongoCalls.read("reading status rows", () -> RowLists.rows(collections, query));
    }

    @Override
    public List<JobExecutionStatus> rows(List<String> jobSpecificationIds, int limit) {
        return MongoCalls.read(
                        "reading status rows of several jobs",
                        () -> RowLists.rows(collections.rows(), jobSpecificationIds, limit))
                .orElseGet(() -> JobStore.super.rows(jobSpecificationIds, limit));
    }

    @Override
    public List<DueJob> due(DueQuery query) {
        return MongoCalls.read("looking for due jobs", () -> looks.look(query));
    }

    @Override
    public Set<String> otherDueTypes(Set<String> types, Instant until) {
        return MongoCalls.read(
                "looking for types of due jobs",
                () -> Overview.otherDueTypes(collections.jobs(), Overview.all(partitions()), types, until));
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return MongoCalls.write("claiming", () -> claims.claim(request));
    }

    @Override
    public List<HeldLease> renew(Renewal renewal) {
        return MongoCalls.write("renewing leases", () -> claims.renew(renewal));
    }

    @Override
    public List<Boolean> write(List<JobChange> batch) {
        return write(batch, owed -> {});
    }

    @Override
    public List<Boolean> write(List<JobChange> batch, Consumer<List<JobExecutionStatus>> owed) {
        return MongoCalls.write("writing changes", () -> changes.write(batch, owed));
    }

    @Override
    public ClusterStore cluster() {
        return cluster;
    }

    @Override
    public void writeRows(List<JobExecutionStatus> rows) {
        MongoCalls.write("writing status rows", () -> {
            changes.insertRows(rows);
            return true;
        });
    }

    @Override
    public void keepRows(Collection<String> rowIds, Instant least, Instant until) {
        MongoCalls.write("keeping status rows", () -> {
            changes.keepRows(rowIds, least, until);
            return true;
        });
    }

    @Override
    public Removal removeDamaged(String jobSpecificationKey, Instant deleteTime, Actor by) {
        return MongoCalls.write(
                "removing a damaged job",
                () -> Inspection.removeDamaged(collections.jobs(), jobSpecificationKey, deleteTime, by));
    }

    @Override
    public State inspect(int limit) {
        return MongoCalls.read("inspecting the store", () -> Inspection.inspect(collections, schema, limit));
    }

    @Override
    public Page<ShownRow> newestRows(@Nullable String after, int limit) {
        return MongoCalls.read(
                "looking at newest rows", () -> CollectionScan.newestRows(collections.jobs(), after, limit));
    }

    @Override
    public Set<String> missingRows(Collection<String> rowIds) {
        return MongoCalls.read("looking for status rows", () -> Inspection.missing(collections.rows(), rowIds));
    }

    @Override
    public List<StoredJob> running(Instant at, Duration horizon, int limit) {
        return MongoCalls.read(
                "looking for running jobs",
                () -> Overview.running(collections.jobs(), Overview.all(partitions()), at, horizon, limit));
    }

    @Override
    public DueCounts dueCounts(Instant from, Instant until, Duration slice, int limit) {
        return MongoCalls.read(
                "counting due jobs",
                () -> Overview.dueCounts(collections.jobs(), partitions(), from, until, slice, limit));
    }

    @Override
    public RunCounts runCounts(Instant from, Instant until, Duration slice) {
        return MongoCalls.read(
                "reading what was run", () -> MinuteDocument.counts(collections.minutes(), from, until, slice));
    }

    @Override
    public List<StoredJob> earliestDue(Set<String> types, Instant until, int limit) {
        return MongoCalls.read(
                "looking for overdue jobs",
                () -> Overview.earliestDue(collections, looks, partitions(), types, until, limit));
    }

    @Override
    public Counted count(JobQuery query, Instant now, Collection<StandingPause> pauses, int limit) {
        JobState state = query.state();
        Bson inState = state == null ? null : JobStateFilter.of(state, now, pauses);
        return MongoCalls.read("counting jobs", () -> JobLists.count(collections.jobs(), query, inState, limit));
    }

    @Override
    public long stored() {
        return MongoCalls.read("counting jobs", collections.jobs()::estimatedDocumentCount);
    }

    @Override
    public long failures(Instant from, int limit) {
        return MongoCalls.read("counting failures", () -> Overview.failures(collections.rows(), from, limit));
    }

    static Collection<Object> bson(Collection<String> ids) {
        return ids.stream().map(Ids::toBson).toList();
    }
}
