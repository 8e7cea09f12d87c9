package dev.almanac.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.Scheduler;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A node watches a real server for what another scheduler stores. Its poll does not come within a test, so each job that it
 * runs was told of by the stream, but for the first few: each of them is stored when the one before it has run.
 */
class WatchedServerTest {
    private static final Duration NEVER = Duration.ofDays(1);
    /** More than the looks that a start, or a stream that is opened again, makes by itself. */
    private static final int SOME = 12;

    private static final String NAME = "watched";

    record Note(String text) implements SchedulingCommand {}

    private static MongoServer server;

    private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();
    private final String database = server.freshDatabase();
    private final MongoClient connection = MongoClients.create(server.uri() + "&appName=" + NAME);
    private final Scheduler node = scheduler();
    private final Scheduler other = scheduler();
    private int jobs;

    @BeforeAll
    static void startServer() {
        server = MongoServer.replicaSet(1);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void start() {
        node.start();
    }

    @AfterEach
    void stop() {
        node.close();
        other.close();
        connection.close();
    }

    private Scheduler scheduler() {
        return Scheduler.builder()
                .store(MongoJobStore.create(connection, MongoStoreSettings.ofDatabase(database)))
                .serviceName("tests")
                .command("note", 1, Note.class)
                .helper(new Helper())
                .settings(SchedulerSettings.builder()
                        .pollInterval(NEVER)
                        .watchForNewJobs(true)
                        .build())
                .build();
    }

    private final class Helper implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Note;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            ran.add(((Note) command).text());
            return CompletableFuture.completedFuture(null);
        }
    }

    private void assertEachIsRun() throws InterruptedException {
        for (int i = 0; i < SOME; i++) {
            String key = "j" + ++jobs;
            other.scheduleJob(JobSpecification.now(key, new Note(key)));
            assertThat(ran.poll(Cluster.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .isEqualTo(key);
        }
        assertThat(ran).as("each once").isEmpty();
        // else what follows may keep the end of the last one from being recorded, and it runs again
        await().atMost(Cluster.PATIENCE).until(() -> node.node().runs() == 0);
    }

    private MongoDatabase admin() {
        return connection.getDatabase("admin");
    }

    private List<Document> streams() {
        Document of = new Document("ns", database + ".jobSpecification").append("cursor.tailable", true);
        return admin().aggregate(List.of(
                        new Document("$currentOp", new Document("allUsers", true).append("idleCursors", true)),
                        new Document("$match", of)))
                .into(new ArrayList<>());
    }

    @Test
    @DisplayName(
            "6.3: jobs of now that another scheduler stores start without the poll; one stream is open, of ids alone")
    void runs() throws InterruptedException {
        assertEachIsRun();
        // the server lists what runs first and idle cursors then: one that changes its place is in both, or in none
        await().atMost(Cluster.PATIENCE)
                .untilAsserted(() -> assertThat(streams())
                        .singleElement()
                        .satisfies(stream -> assertThat(stream.toJson()).contains("\"$project\": {\"_id\": ")));
    }

    @Test
    @DisplayName("6.3: a stream whose cursor is killed is opened again")
    void killed() throws InterruptedException {
        assertEachIsRun();
        List<Document> open = await().atMost(Cluster.PATIENCE).until(this::streams, all -> all.size() == 1);
        Object cursor = open.get(0).get("cursor", Document.class).get("cursorId");
        connection
                .getDatabase(database)
                .runCommand(new Document("killCursors", "jobSpecification").append("cursors", List.of(cursor)));
        assertEachIsRun();
    }

    @Test
    @DisplayName("6.3: a stream whose reading is refused is opened again, and the node's health tells")
    void refused() throws InterruptedException {
        assertEachIsRun();
        server.failPoint(
                new Document("times", 1),
                new Document("failCommands", List.of("getMore"))
                        .append("errorCode", 13)
                        .append("appName", NAME));
        await().atMost(Cluster.PATIENCE)
                .until(() -> node.health().reasons().toString().contains("watching for new jobs"));
        assertEachIsRun();
    }

    @Test
    @DisplayName("6.3: the stream goes on after a stepdown of the primary")
    void stepDown() throws InterruptedException {
        assertEachIsRun();
        server.stepDown();
        server.awaitPrimary();
        assertEachIsRun();
    }

    @Test
    @DisplayName("6.3: a node that is drained closes its stream")
    void drained() throws InterruptedException {
        assertEachIsRun();
        node.drain(Duration.ofSeconds(1));
        await().atMost(Cluster.PATIENCE).until(() -> streams().isEmpty());
    }
}
