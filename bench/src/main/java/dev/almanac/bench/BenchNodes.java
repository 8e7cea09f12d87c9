package dev.almanac.bench;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CountOptions;
import com.mongodb.event.CommandListener;
import com.sun.management.ThreadMXBean;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.runtime.SchedulerSettings;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;

/** Makes nodes for the workloads, on one server. */
final class BenchNodes {
    /** Helpers here return at once, or hold their thread in the crash workload only. */
    private static final int THREADS = 64;

    /** One for all nodes of this process, as a service has it. */
    private static final Executor RUNS = Executors.newFixedThreadPool(THREADS, daemon());

    /** With the partitions and the type named, the hot index answers from a few keys beside a million of the future. */
    private static final List<Integer> PARTITIONS =
            IntStream.range(0, 16).boxed().toList();

    static final String DATABASE = "almanac_bench";

    /** What the jobs carry. */
    record Work(int number) implements SchedulingCommand {}

    private final String uri;
    private final MongoClient client;
    private final boolean watched;
    private final List<CommandListener> listeners;

    BenchNodes(String uri) {
        this(uri, MongoClients.create(uri), false, List.of());
    }

    private BenchNodes(String uri, MongoClient client, boolean watched, List<CommandListener> listeners) {
        this.uri = uri;
        this.client = client;
        this.watched = watched;
        this.listeners = listeners;
    }

    /** The same, and each node that they make from now on feeds metrics and a listener. */
    BenchNodes watched() {
        return new BenchNodes(uri, client, true, listeners);
    }

    /** The same, and the commands of each node that they make from now on go to the listener. */
    BenchNodes heard(CommandListener listener) {
        return new BenchNodes(uri, client, watched, List.of(listener));
    }

    String uri() {
        return uri;
    }

    MongoClient client() {
        return client;
    }

    MongoCollection<Document> jobs() {
        return client.getDatabase(DATABASE).getCollection("jobSpecification");
    }

    MongoCollection<Document> rows() {
        return client.getDatabase(DATABASE).getCollection("jobExecutionStatus");
    }

    void reset() {
        client.getDatabase(DATABASE).drop();
    }

    /** Jobs that are neither finished nor cancelled, those of the far future left out. */
    long open(Instant before) {
        return client.getDatabase(DATABASE)
                .getCollection("jobSpecification")
                .countDocuments(
                        new Document("p", new Document("$in", PARTITIONS))
                                .append("type", "work")
                                .append("due", new Document("$lt", java.util.Date.from(before))),
                        new CountOptions().hintString("almanac_due"));
    }

    /**
     * Gives the server as much memory for its data as the peers' servers have.
     *
     * @param tuned whether it is also set as docs/operations.md advises for many runs a second
     */
    void prepare(boolean tuned) {
        set("wiredTigerEngineRuntimeConfig", "cache_size=2GB");
        if (tuned) {
            set("minSnapshotHistoryWindowInSeconds", 0);
            set(
                    "wiredTigerEngineRuntimeConfig",
                    "eviction_dirty_target=40,eviction_dirty_trigger=60,eviction_updates_target=20,eviction_updates_trigger=40");
        }
    }

    private void set(String parameter, Object value) {
        client.getDatabase("admin").runCommand(new Document("setParameter", 1).append(parameter, value));
    }

    /** Processor time that the server has used so far, in microseconds. */
    long serverMicros() {
        Document info = client.getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .get("extra_info", Document.class);
        return ((Number) info.get("user_time_us")).longValue() + ((Number) info.get("system_time_us")).longValue();
    }

    /** Commands that read or write documents, so far; a bulk of many statements is one. */
    long commands() {
        Document commands = client.getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .get("metrics", Document.class)
                .get("commands", Document.class);
        return List.of("find", "getMore", "insert", "update", "delete", "findAndModify", "aggregate").stream()
                .mapToLong(name -> ((Number) commands.get(name, Document.class).get("total")).longValue())
                .sum();
    }

    /** What each thread that lives has allocated so far, in bytes, by its id. */
    static Map<Long, Long> allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] ids = threads.getAllThreadIds();
        return byThread(ids, threads.getThreadAllocatedBytes(ids));
    }

    private static Map<Long, Long> byThread(long[] ids, long[] values) {
        return IntStream.range(0, ids.length)
                .boxed()
                .collect(Collectors.toMap(i -> ids[i], i -> Math.max(0, values[i])));
    }

    /** How much more the threads have that live now; one that has ended since counts for nothing, not for less. */
    static long since(Map<Long, Long> before, Map<Long, Long> now) {
        return now.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                .sum();
    }

    /** Processor time that this process has used so far, in microseconds. */
    static long ownMicros() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(used -> used.toNanos() / 1_000)
                .orElse(0L);
    }

    /** Of {@link #ownMicros} what the threads that live still have used: not the compilers, whose part ends with the warm-up. */
    static Map<Long, Long> threadNanos() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] ids = threads.getAllThreadIds();
        return byThread(ids, threads.getThreadCpuTime(ids));
    }

    /** A node that is not started; {@code run} receives each call of the helper. */
    Scheduler node(int slots, BiConsumer<Integer, Execution> run) {
        SchedulerSettings settings =
                SchedulerSettings.builder().maxConcurrentRuns(slots).build();
        return node(settings, run);
    }

    Scheduler node(SchedulerSettings settings, BiConsumer<Integer, Execution> run) {
        SchedulerBuilder builder = builder(settings, run);
        return watched ? Watch.built(builder) : builder.build();
    }

    SchedulerBuilder builder(SchedulerSettings settings, BiConsumer<Integer, Execution> run) {
        MongoClient own = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .commandListenerList(listeners)
                .build());
        return Scheduler.builder()
                .store(MongoJobStore.create(own, MongoStoreSettings.ofDatabase(DATABASE)))
                .settings(settings)
                .executor(RUNS)
                .command("work", 1, Work.class)
                .helper(new Told(run));
    }

    static JobSpecificationBuilder job(int number) {
        return JobSpecification.builder()
                .jobSpecificationKey("job-" + number)
                .jobRequestor("bench")
                .triggerCommand(new Work(number))
                .triggerIdentifier("id-" + number);
    }

    private static ThreadFactory daemon() {
        return run -> {
            Thread thread = new Thread(run, "bench-run");
            thread.setDaemon(true);
            return thread;
        };
    }

    private record Told(BiConsumer<Integer, Execution> run) implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Work;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
            run.accept(((Work) command).number(), execution);
            return CompletableFuture.completedFuture(null);
        }
    }
}
