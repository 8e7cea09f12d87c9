package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FindScope;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.DeclaredJobs;
import dev.almanac.store.Lease;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The server is in the state of a new primary for about a second after its election: it has a document, and does not
 * know yet that a majority has it, so that a majority read is older than what was acknowledged. A fail point holds the
 * server there until it is sent a linearizable read.
 */
@DisplayName("P11: no job is said to be absent by a majority read that is older than what was acknowledged")
class AbsenceTest {
    record Note(String text) implements SchedulingCommand {}

    private static MongoServer server;

    private static final List<String> CONCERNS = new CopyOnWriteArrayList<>();
    /** Comes in between once. */
    private static volatile @Nullable Runnable afterUpdate;

    private static MongoClient raw;
    private static MongoClient client;
    private static String database;
    private static MongoJobStore store;
    private static Scheduler scheduler;
    /** Accepts one-offs of the past. */
    private static Scheduler patient;

    @BeforeAll
    static void start() {
        server = MongoServer.replicaSet(1);
        raw = MongoClients.create(server.uri());
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        BsonDocument concern = event.getCommand().getDocument("readConcern", new BsonDocument());
                        String level =
                                concern.getString("level", new BsonString("")).getValue();
                        CONCERNS.add(level);
                        if (level.equals("linearizable")) {
                            holdBack(false);
                        }
                    }

                    @Override
                    public void commandSucceeded(CommandSucceededEvent event) {
                        Runnable next = afterUpdate;
                        if (event.getCommandName().equals("update") && next != null) {
                            afterUpdate = null;
                            next.run();
                        }
                    }
                })
                .build());
        database = server.freshDatabase();
        store = MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database));
        scheduler = builder().build();
        patient = builder()
                .settings(SchedulerSettings.builder()
                        .pastAcceptanceWindow(Duration.ofDays(1))
                        .build())
                .build();
        scheduler.findJobById("opens the store");
        patient.findJobById("opens the store");
    }

    @AfterAll
    static void stop() {
        scheduler.close();
        patient.close();
        raw.close();
        client.close();
        server.close();
    }

    @AfterEach
    void letGo() {
        holdBack(false);
        scheduler
                .listJobs(JobQuery.all())
                .jobs()
                .forEach(job -> scheduler.cancelJob(job.specification().jobSpecificationKey()));
    }

    private static SchedulerBuilder builder() {
        return Scheduler.builder().store(store).command("note", 1, Note.class, (note, execution) -> {});
    }

    private static void holdBack(boolean on) {
        raw.getDatabase("admin")
                .runCommand(new Document("configureFailPoint", "disableSnapshotting")
                        .append("mode", on ? "alwaysOn" : "off"));
    }

    private MongoCollection<Document> collection(String name) {
        return raw.getDatabase(database).getCollection(name);
    }

    private JobSpecification job(String key, String text) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("test")
                .triggerCommand(new Note(text))
                .triggerIdentifier(key)
                .singleSchedule(Instant.now().plus(Duration.ofHours(1)))
                .build();
    }

    /** The document is taken away and stored again, while the server does not learn that a majority has it. */
    private void acknowledgedUnknownToTheMajorityRead(String name, Object id) {
        holdBack(false);
        Document document = collection(name).find(new Document("_id", id)).first();
        assertThat(document).isNotNull();
        collection(name).withWriteConcern(WriteConcern.MAJORITY).deleteOne(new Document("_id", id));
        holdBack(true);
        collection(name).withWriteConcern(WriteConcern.W1).insertOne(document);
    }

    private String acknowledged(String key) {
        scheduler.scheduleJob(job(key, "first"));
        StoredJob stored = store.find(key, FindScope.LIVE).orElseThrow();
        scheduler.history(key);
        acknowledgedUnknownToTheMajorityRead("jobSpecification", Ids.toBson(stored.id()));
        return stored.id();
    }

    @Test
    @DisplayName("the fail point does hide the document from a majority read, so that these tests show something")
    void hides() {
        String id = acknowledged("k");
        assertThat(store.list(JobQuery.all()).jobs()).hasSize(1);
        assertThat(raw.getDatabase(database)
                        .getCollection("jobSpecification")
                        .withReadConcern(ReadConcern.MAJORITY)
                        .find(new Document("_id", Ids.toBson(id)))
                        .first())
                .isNull();
    }

    @Test
    @DisplayName("find and load")
    void reads() {
        String id = acknowledged("k");
        assertThat(store.find("k", FindScope.LIVE)).isPresent();
        id = acknowledgedAgain(id);
        assertThat(store.find("k", FindScope.INCLUDING_FINISHED)).isPresent();
        id = acknowledgedAgain(id);
        assertThat(store.load(List.of(id, "other"))).extracting(StoredJob::id).containsExactly(id);
        id = acknowledgedAgain(id);
        assertThat(scheduler.findJobById("k")).isPresent();
        acknowledgedAgain(id);
        assertThat(scheduler.explainJob("k").toString()).doesNotContain("no job");
    }

    private String acknowledgedAgain(String id) {
        acknowledgedUnknownToTheMajorityRead("jobSpecification", Ids.toBson(id));
        return id;
    }

    @Test
    @DisplayName("a finished job")
    void finished() {
        scheduler.scheduleJob(job("k", "first"));
        StoredJob stored = store.find("k", FindScope.LIVE).orElseThrow();
        scheduler.cancelJob("k");
        acknowledgedAgain(stored.id());
        assertThat(store.find("k", FindScope.INCLUDING_FINISHED)).isPresent();
        acknowledgedAgain(stored.id());
        assertThat(store.find("k", FindScope.LIVE)).isEmpty();
    }

    @Test
    @DisplayName("cancel")
    void cancel() {
        acknowledged("k");
        assertThat(scheduler.cancelJob("k")).isEqualTo(CancelResult.CANCELED);
    }

    @Test
    @DisplayName("update, runNow, preview")
    void changes() {
        String id = acknowledged("k");
        Job found = scheduler.updateJob(job("k", "second"));
        assertThat(found.specification().version()).isEqualTo(2);
        acknowledgedAgain(id);
        scheduler.runNow("k");
        acknowledgedAgain(id);
        assertThat(scheduler.previewFireTimes("k", Instant.now(), 1)).hasSize(1);
    }

    @Test
    @DisplayName("pause, resume and release, for each key and as a dry run; rerun")
    void actions() {
        String id = acknowledged("k");
        List<JobAction> actions = List.of(
                JobAction.pause(Pause.because("a reason")), JobAction.resume(), JobAction.release(), JobAction.rerun());
        for (JobAction action : actions) {
            for (boolean dryRun : List.of(true, false)) {
                acknowledgedAgain(id);
                assertThat(scheduler
                                .apply(action, JobSelection.keys("k"), dryRun)
                                .items())
                        .as("%s %s", action, dryRun)
                        .allSatisfy(item -> assertThat(item.detail()).doesNotContain("no live job", "no job"));
            }
        }
    }

    @Test
    @DisplayName(
            "scheduleJob and check of a one-off whose moment has passed, which is accepted if it is the stored job")
    void exists() {
        JobSpecification past = job("k", "first").toBuilder()
                .singleSchedule(Instant.now().minus(Duration.ofHours(1)))
                .build();
        patient.scheduleJob(past);
        patient.history("k");
        String id = store.find("k", FindScope.LIVE).orElseThrow().id();
        for (IfExists ifExists : List.of(IfExists.KEEP, IfExists.REPLACE)) {
            acknowledgedAgain(id);
            assertThat(scheduler.scheduleJob(past, ifExists).specification().version())
                    .isEqualTo(1);
        }
        acknowledgedAgain(id);
        assertThat(scheduler.check(past)).isEmpty();
    }

    @Test
    @DisplayName("reconcile, for a key that has ended, and for one that another application has")
    void reconcile() {
        JobSpecification job = job("k", "first");
        scheduler.reconcile("app", List.of(job), false);
        scheduler.history("k");
        String id = store.find("k", FindScope.LIVE).orElseThrow().id();
        acknowledgedAgain(id);
        ReconcileResult known = scheduler.reconcile("app", List.of(job), true);
        assertThat(known.created()).isEmpty();
        acknowledgedAgain(id);
        assertThatThrownBy(() -> scheduler.reconcile("other", List.of(job), true))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("owns the live job of this key");
        scheduler.cancelJob("k");
        acknowledgedAgain(id);
        assertThat(scheduler.reconcile("app", List.of(job), true).created())
                .as("cancelled by a user, and its moment is to come: it is declared again")
                .containsExactly("k");
        assertThat(CONCERNS).contains("linearizable");
    }

    @Test
    @DisplayName("reconcile asks for all declared keys at once, since each of these reads waits for a majority")
    void reconcileMany() {
        List<JobSpecification> many =
                IntStream.range(0, 20).mapToObj(i -> job("many-" + i, "first")).toList();
        CONCERNS.clear();
        assertThat(scheduler.reconcile("app", many, true).created()).hasSize(20);
        assertThat(CONCERNS.stream().filter("linearizable"::equals))
                .as("one for the keys, one for what the application has declared")
                .hasSizeLessThanOrEqualTo(2);
    }

    @Test
    @DisplayName("what an application has declared, so that a spent job is not created again")
    void declared() {
        DeclaredJobs declared = DeclaredJobs.NONE.next(null, Map.of("k", "a schedule"));
        store.cluster().declare("app", declared);
        acknowledgedUnknownToTheMajorityRead("control", "declared:app");
        assertThat(store.cluster().declared("app")).isEqualTo(declared);
    }

    @Test
    @DisplayName("that a key has no rows")
    void rows() {
        CONCERNS.clear();
        assertThat(scheduler.history("unknown")).isEmpty();
        assertThat(CONCERNS).contains("linearizable");
    }

    @Test
    @DisplayName("what is found costs no linearizable read")
    void found() {
        scheduler.scheduleJob(job("k", "first"));
        CONCERNS.clear();
        List<Object> answers = new ArrayList<>();
        answers.add(scheduler.findJobById("k"));
        answers.add(scheduler.updateJob(job("k", "second")));
        answers.add(scheduler.history("k"));
        answers.add(scheduler.explainJob("k"));
        answers.add(scheduler.cancelJob("k"));
        answers.add(scheduler.scheduleJob(job("other", "first")));
        assertThat(answers).hasSize(6);
        assertThat(CONCERNS).doesNotContain("linearizable");
    }

    @Test
    @DisplayName("N7: claimed jobs are read as a majority has them: a change that may be undone is none of them yet")
    void claimedWithoutLaterChange() {
        scheduler.scheduleJob(job("one", "durable"));
        scheduler.scheduleJob(job("two", "durable"));
        List<StoredJob> jobs = store.list(JobQuery.all()).jobs();
        Instant horizon = Instant.now().plus(Duration.ofHours(2));
        afterUpdate = () -> {
            holdBack(true);
            collection("jobSpecification")
                    .withWriteConcern(WriteConcern.W1)
                    .updateMany(
                            new Document(),
                            new Document(
                                            "$set",
                                            new Document("jobRequestor", "may be undone")
                                                    .append("lastStatus.updatedTime", Date.from(horizon)))
                                    .append("$inc", new Document("rev", 1L)));
        };
        List<StoredJob> claimed = store.claim(new ClaimRequest(
                        jobs.stream().map(StoredJob::id).toList(),
                        horizon,
                        new Lease("node", 7, horizon),
                        horizon.plusSeconds(2),
                        null))
                .jobs();
        holdBack(false);
        collection("jobSpecification").updateMany(new Document(), new Document("$unset", new Document("lease", "")));
        assertThat(afterUpdate).as("came in between").isNull();
        assertThat(claimed)
                .hasSize(2)
                .allSatisfy(
                        job -> assertThat(job.specification().jobRequestor()).isEqualTo("test"));
    }
}
