package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FindScope;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StaleJobException;
import dev.almanac.store.JobChange;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Jobs inside the caller's own transaction")
class TransactionTest extends StoreFixture {
    record Note(String text) implements SchedulingCommand {}

    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final List<SchedulerEvent> events = new CopyOnWriteArrayList<>();
    private final Scheduler scheduler = Scheduler.builder()
            .store(store)
            .command("note", 1, Note.class)
            .helper(new SchedulingHelper() {
                @Override
                public boolean supports(SchedulingCommand command) {
                    return true;
                }

                @Override
                public CompletionStage<Void> execute(String id, SchedulingCommand command) {
                    ran.add(id);
                    return CompletableFuture.completedFuture(null);
                }
            })
            .listener(this::keep)
            .build();
    private final MongoCollection<Document> payments =
            client.getDatabase(database).getCollection("payments");

    /** The clock is measured when the scheduler is opened, at whatever moment its listeners hear of it. */
    private void keep(SchedulerEvent event) {
        if (!(event instanceof SchedulerEvent.ClockMeasured)) {
            events.add(event);
        }
    }

    @BeforeEach
    void create() {
        client.getDatabase(database).createCollection("payments");
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    private JobSpecification job(String key, Duration in, String text) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("test")
                .triggerCommand(new Note(text))
                .triggerIdentifier(key)
                .singleSchedule(now.plus(in))
                .build();
    }

    private JobSpecification later(String key, String text) {
        return job(key, Duration.ofHours(1), text);
    }

    private <T> T committed(Function<JobWriter, T> changes) {
        try (ClientSession session = client.startSession()) {
            List<T> answers = new ArrayList<>();
            JobWriter writer = session.withTransaction(() -> {
                answers.clear();
                JobWriter jobs = scheduler.in(store.inSession(session));
                answers.add(changes.apply(jobs));
                return jobs;
            });
            writer.committed();
            return answers.get(0);
        }
    }

    @Test
    @DisplayName("15: a store that was not opened stores jobs in the partitions that the store was created with")
    void partitionsOfAnother() {
        MongoStoreSettings four = MongoStoreSettings.ofDatabase(database + "-four");
        MongoJobStore.create(client, four.withPartitions(4)).open();
        try (ClientSession session = client.startSession();
                Scheduler there = Scheduler.builder()
                        .store(MongoJobStore.create(client, four))
                        .command("note", 1, Note.class, (note, run) -> {})
                        .build()) {
            for (int i = 0; i < 20; i++) {
                JobSpecification job = later("k" + i, "a");
                session.withTransaction(
                        () -> there.in(MongoJobStore.create(client, four).inSession(session))
                                .scheduleJob(job));
            }
        }
        assertThat(client.getDatabase(four.database())
                        .getCollection("jobSpecification")
                        .find())
                .hasSize(20)
                .allSatisfy(job -> assertThat(job.getInteger("p")).isLessThan(4));
        client.getDatabase(four.database()).drop();
    }

    private long version(String key) {
        return store.find(key, FindScope.LIVE).orElseThrow().specification().version();
    }

    /** What the listener was told; the end of the scheduler waits until it was told everything. */
    private List<String> told(Class<? extends SchedulerEvent> kind) {
        scheduler.close();
        return events.stream().filter(kind::isInstance).map(Object::toString).toList();
    }

    @Test
    @DisplayName(
            "M4: a transaction that would commit with w: 1 is refused, since CANCELED would not be certain to hold")
    void majority() {
        committed(jobs -> jobs.scheduleJob(later("k", "a")));
        try (ClientSession session = client.startSession()) {
            session.startTransaction(
                    TransactionOptions.builder().writeConcern(WriteConcern.W1).build());
            JobWriter jobs = scheduler.in(store.inSession(session));
            assertThatThrownBy(() -> jobs.cancelJob("k"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("w: 1")
                    .hasMessageContaining("MAJORITY");
            session.abortTransaction();
            session.startTransaction(TransactionOptions.builder()
                    .writeConcern(WriteConcern.MAJORITY)
                    .build());
            assertThat(scheduler.in(store.inSession(session)).cancelJob("k")).isEqualTo(CancelResult.CANCELED);
            session.commitTransaction();
        }
        assertThat(store.find("k", FindScope.LIVE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3", "nearby"})
    @DisplayName("M4, 14.15: only a commit with majority is accepted, whatever the client's default is")
    void defaultOfClient(String concern) {
        try (MongoClient other = MongoClients.create(server.uri() + "&w=" + concern);
                ClientSession session = other.startSession()) {
            session.startTransaction();
            JobWriter jobs = scheduler.in(MongoJobStore.create(other, settings).inSession(session));
            assertThatThrownBy(() -> jobs.scheduleJob(later("k", "a")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("w: " + concern)
                    .hasMessageContaining("w=majority");
        }
        assertThat(store.find("k", FindScope.LIVE)).isEmpty();
    }

    @Test
    @DisplayName("M4, 14.15: a transaction without a write concern is refused if the server's default is not majority")
    void defaultOfServer() {
        try (MongoServer own = MongoServer.replicaSet(1);
                MongoClient there = MongoClients.create(own.uri());
                ClientSession session = there.startSession()) {
            MongoJobStore held = MongoJobStore.create(there, settings);
            held.open();
            session.startTransaction();
            assertThat(held.inSession(session).find("k", FindScope.LIVE))
                    .as("majority, since nobody has set another one")
                    .isEmpty();
            session.abortTransaction();
            there.getDatabase("admin")
                    .runCommand(new Document("setDefaultRWConcern", 1)
                            .append("defaultWriteConcern", new Document("w", 1).append("wtimeout", 0)));
            session.startTransaction();
            assertThatThrownBy(() -> held.inSession(session).find("k", FindScope.LIVE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("w: 1")
                    .hasMessageContaining("MAJORITY");
        }
    }

    @Test
    @DisplayName("commit: job, row and the caller's own document are there together; nothing was visible before")
    void commit() {
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            payments.insertOne(session, new Document("_id", "p"));
            JobWriter jobs = scheduler.in(store.inSession(session));
            Job job = jobs.scheduleJob(later("k", "a"));
            assertThat(job.specification().version()).isEqualTo(1);
            assertThat(store.find("k", FindScope.LIVE)).isEmpty();
            assertThat(rows().countDocuments()).isZero();
            session.commitTransaction();
            jobs.committed();
            jobs.committed();
        }
        StoredJob stored = store.find("k", FindScope.LIVE).orElseThrow();
        assertThat(store.rows(RowQuery.ofDocument(stored.id(), 10))).containsExactly(stored.lastStatus());
        assertThat(payments.countDocuments()).isEqualTo(1);
        assertThat(stored("k").getInteger("p")).isBetween(0, 15);
        assertThat(told(SchedulerEvent.JobScheduled.class)).hasSize(1);
    }

    @Test
    @DisplayName("abort: schedule, update and cancel leave nothing, neither documents nor rows nor events")
    void abort() {
        scheduler.scheduleJob(later("updated", "a"));
        scheduler.scheduleJob(later("cancelled", "a"));
        // writes the rows that follow their documents
        scheduler.history("cancelled");
        List<Document> jobsBefore = jobs().find().into(new ArrayList<>());
        List<Document> rowsBefore = rows().find().into(new ArrayList<>());
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            JobWriter jobs = scheduler.in(store.inSession(session));
            jobs.scheduleJob(later("new", "a"));
            jobs.updateJob(later("updated", "b"));
            assertThat(jobs.cancelJob("cancelled")).isEqualTo(CancelResult.CANCELED);
            session.abortTransaction();
        }
        assertThat(jobs().find()).containsExactlyElementsOf(jobsBefore);
        assertThat(rows().find()).containsExactlyElementsOf(rowsBefore);
        assertThat(told(SchedulerEvent.JobEvent.class))
                .as("those of the two jobs before it")
                .hasSize(2)
                .allMatch(told -> told.startsWith("JobScheduled"));
    }

    @Test
    @DisplayName("one transaction may schedule, change and cancel the same job; its rows tell each step")
    void ownWrites() {
        committed(jobs -> {
            jobs.scheduleJob(later("k", "a"));
            assertThat(jobs.scheduleJob(later("k", "a"), IfExists.KEEP)
                            .specification()
                            .version())
                    .isEqualTo(1);
            assertThat(jobs.updateJob(later("k", "b")).specification().version())
                    .isEqualTo(2);
            return jobs.cancelJob("k");
        });
        StoredJob over = store.find("k", FindScope.INCLUDING_FINISHED).orElseThrow();
        assertThat(over.isLive()).isFalse();
        List<Document> told = rows().find().sort(new Document("updatedTime", 1)).into(new ArrayList<>());
        assertThat(told)
                .extracting(row -> row.getString("executionStatus"))
                .containsExactly("SCHEDULED", "SCHEDULED", "CANCELED");
        assertThat(told).allSatisfy(row -> assertThat(row).containsKey("deleteTime"));
    }

    @Test
    @DisplayName(
            "15: a change that removes deletes its document with the transaction, under the revision that was read")
    void removal() {
        committed(jobs -> jobs.scheduleJob(later("k", "a")));
        StoredJob job = store.find("k", FindScope.LIVE).orElseThrow();
        StoredJob newer = job.with(edit -> edit.revision(job.revision().raised()));
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            assertThat(store.inSession(session).write(List.of(removal(newer), removal(job))))
                    .containsExactly(false, true);
            session.commitTransaction();
        }
        assertThat(store.find("k", FindScope.INCLUDING_FINISHED)).isEmpty();
    }

    private static JobChange removal(StoredJob job) {
        return new JobChange(job, job.with(edit -> edit.due(null)), List.of(), null, JobChange.By.REQUEST, true);
    }

    @Test
    @DisplayName("M3: equal contents are no change, a stale version is refused, problems are reported before any write")
    void rules() {
        scheduler.scheduleJob(later("k", "a"));
        assertThat(committed(jobs -> jobs.scheduleJob(later("k", "a")))
                        .specification()
                        .version())
                .isEqualTo(1);
        assertThatThrownBy(() -> committed(jobs ->
                        jobs.updateJob(later("k", "b").toBuilder().version(7).build())))
                .isInstanceOf(StaleJobException.class);
        assertThatThrownBy(() -> committed(jobs -> jobs.scheduleJob(job("past", Duration.ofDays(-1), "a"))))
                .isInstanceOf(InvalidJobException.class);
        assertThat(version("k")).isEqualTo(1);
        CancelResult nobody = committed(jobs -> jobs.cancelJob("nobody"));
        assertThat(nobody).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    @DisplayName("commit wakes the engine: a job that is due at once runs at once; an aborted one never does")
    void runs() {
        scheduler.start();
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            scheduler.in(store.inSession(session)).scheduleJob(job("aborted", Duration.ofSeconds(1), "a"));
            session.abortTransaction();
        }
        committed(jobs -> jobs.scheduleJob(job("k", Duration.ofSeconds(2), "a")));
        await().atMost(Duration.ofMinutes(3)).until(() -> ran.contains("k"));
        await().atMost(Duration.ofMinutes(3))
                .until(() -> store.find("k", FindScope.LIVE).isEmpty());
        assertThat(ran).containsExactly("k");
    }

    @Test
    @DisplayName("a job whose writer was never told of the commit runs all the same")
    void untold() {
        scheduler.start();
        Instant due = store.serverTime().plusSeconds(1);
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> scheduler
                    .in(store.inSession(session))
                    .scheduleJob(later("k", "a").toBuilder().singleSchedule(due).build()));
        }
        await().atMost(Duration.ofMinutes(3)).until(() -> ran.contains("k"));
    }

    @Test
    @DisplayName("two transactions that schedule the same new key: both end well, and there is one job")
    void twoAtOnce() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Future<Job>> done = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String text = "text " + i;
                done.add(pool.submit(() -> committed(jobs -> jobs.scheduleJob(later("k", text)))));
            }
            for (Future<Job> job : done) {
                assertThat(job.get().specification().jobSpecificationKey()).isEqualTo("k");
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(jobs().countDocuments()).isEqualTo(1);
        assertThat(version("k")).isEqualTo(4);
        assertThat(rows().countDocuments()).isEqualTo(4);
    }

    @Test
    @DisplayName("who stores the key first wins: the other transaction fails with an error that says: try again")
    void sameKey() {
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            JobWriter jobs = scheduler.in(store.inSession(session));
            jobs.scheduleJob(later("mine", "a"));
            scheduler.scheduleJob(later("k", "theirs"));
            assertThatThrownBy(() -> jobs.scheduleJob(later("k", "mine")))
                    .isInstanceOfSatisfying(
                            MongoException.class,
                            e -> assertThat(e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                                    .isTrue());
            session.abortTransaction();
        }
        assertThat(jobs().countDocuments()).isEqualTo(1);
    }

    @Test
    @DisplayName("a job that somebody changed since the transaction began is not overwritten")
    void conflict() {
        scheduler.scheduleJob(later("k", "a"));
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            JobWriter jobs = scheduler.in(store.inSession(session));
            jobs.scheduleJob(later("other", "a"));
            scheduler.updateJob(later("k", "theirs"));
            assertThatThrownBy(() -> jobs.updateJob(later("k", "mine")))
                    .isInstanceOf(MongoException.class)
                    .satisfies(e -> assertThat(((MongoException) e)
                                    .hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                            .isTrue());
            session.abortTransaction();
        }
        assertThat(version("k")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("N3: a row that cannot be stored before the transaction hides it holds up no change, and follows")
    void hiddenRowThatWaits(boolean commits) {
        scheduler.scheduleJob(later("k", "one"));
        scheduler.scheduleJob(later("k", "two"));
        await().atMost(Duration.ofMinutes(3)).until(() -> scheduler.node().rowsWaiting() == 0);
        Document row = rows().findOneAndDelete(new Document("detail", new Document("$ne", "scheduled")));
        try (ClientSession blocker = client.startSession();
                ClientSession session = client.startSession();
                Scheduler other = Scheduler.builder()
                        .store(MongoJobStore.create(client, settings))
                        .command("note", 1, Note.class)
                        .build()) {
            blocker.startTransaction();
            rows().insertOne(blocker, row);
            session.startTransaction();
            JobWriter jobs = other.in(MongoJobStore.create(client, settings).inSession(session));
            jobs.scheduleJob(later("k", "three"));
            assertThat(other.node().rowsWaiting()).isEqualTo(1);
            if (commits) {
                session.commitTransaction();
                jobs.committed();
            } else {
                session.abortTransaction();
            }
            blocker.abortTransaction();
            await().atMost(Duration.ofMinutes(3)).until(() -> other.node().rowsWaiting() == 0);
            assertThat(rows().find(new Document("_id", row.get("_id"))).first()).isEqualTo(row);
            assertThat(rows().countDocuments()).isEqualTo(commits ? 3 : 2);
        }
    }

    @Test
    @DisplayName("M4: what is read outside the transaction ends with the timeout of the store")
    void readOutside() {
        scheduler.scheduleJob(later("k", "a"));
        scheduler.scheduleJob(later("k", "b"));
        List<BsonDocument> outside = new CopyOnWriteArrayList<>();
        MongoClientSettings listening = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        BsonDocument command = event.getCommand();
                        if (command.getFirstKey().equals("find")
                                && command.get("find").asString().getValue().equals("jobSpecification")
                                && !command.containsKey("txnNumber")) {
                            outside.add(command.clone());
                        }
                    }
                })
                .build();
        try (MongoClient other = MongoClients.create(listening);
                ClientSession session = other.startSession();
                Scheduler there = Scheduler.builder()
                        .store(MongoJobStore.create(other, settings))
                        .command("note", 1, Note.class)
                        .build()) {
            session.startTransaction();
            JobWriter jobs = there.in(MongoJobStore.create(other, settings).inSession(session));
            jobs.scheduleJob(later("k", "c"));
            session.commitTransaction();
            jobs.committed();
        }
        assertThat(outside).isNotEmpty().allSatisfy(find -> assertThat(find).containsKey("maxTimeMS"));
    }

    @Test
    @DisplayName("without a transaction nothing is written")
    void none() {
        try (ClientSession session = client.startSession()) {
            JobWriter jobs = scheduler.in(store.inSession(session));
            assertThatThrownBy(() -> jobs.scheduleJob(later("k", "a")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no transaction");
        }
        assertThat(jobs().countDocuments()).isZero();
    }
}
