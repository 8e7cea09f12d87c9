package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.StoredFields;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Section 9: the roles of docs/security.md allow what they say, and nothing beside it")
class SecurityPageTest {
    private static final Instant NOW = Instant.parse("2026-11-21T03:00:00Z");
    private static final Document ALL = new Document();

    private static SecuredDatabase secured;

    @BeforeAll
    static void start() throws IOException {
        secured = new SecuredDatabase();
    }

    @AfterAll
    static void stop() {
        secured.close();
    }

    @BeforeEach
    void fill() {
        secured.database().drop();
        MongoJobStore.create(secured.bootstrap).open();
        MongoJobStore store = MongoJobStore.create(secured.runtime);
        store.open();
        store.insert(List.of(Specimens.minimal("k", NOW)));
    }

    private static void assertForbidden(MongoClient client, Consumer<MongoDatabase> what) {
        assertThatThrownBy(() -> what.accept(client.getDatabase("almanac")))
                .isInstanceOfSatisfying(
                        MongoException.class, e -> assertThat(e.getCode()).isEqualTo(13));
    }

    @Test
    @DisplayName("the runtime role: no removal of rows, no index, no collection, no view, no other database")
    void runtime() {
        MongoClient runtime = secured.runtime;
        assertForbidden(
                runtime,
                database -> database.getCollection("jobExecutionStatus").deleteMany(ALL));
        assertForbidden(runtime, database -> database.getCollection("node").deleteMany(ALL));
        assertForbidden(
                runtime, database -> database.getCollection("calendarVersion").deleteMany(ALL));
        for (String name : List.of("jobSpecification", "jobExecutionStatus", "node")) {
            assertForbidden(runtime, database -> database.getCollection(name).drop());
            assertForbidden(runtime, database -> database.getCollection(name).createIndex(new Document("x", 1)));
            assertForbidden(runtime, database -> database.getCollection(name).dropIndexes());
        }
        assertForbidden(
                runtime,
                database -> database.getCollection("jobExecutionStatus").watch().cursor());
        assertForbidden(runtime, database -> database.watch().cursor());
        assertForbidden(runtime, database -> database.getCollection("elsewhere").insertOne(new Document()));
        assertForbidden(runtime, database -> database.createView("v", "jobSpecification", List.of()));
        assertThatThrownBy(() ->
                        runtime.getDatabase("other").getCollection("c").find().first())
                .isInstanceOf(MongoException.class);
    }

    @Test
    @DisplayName("15: without the right to delete, a job that was to be deleted is finished, and so are those after it")
    void withoutRemoval() {
        Document jobs = new Document("db", "almanac").append("collection", "jobSpecification");
        Document rights = new Document("resource", jobs).append("actions", List.of("insert", "update"));
        secured.database()
                .runCommand(new Document("createRole", "no_removal")
                        .append("privileges", List.of(rights))
                        .append("roles", List.of("almanac_reader")));
        secured.database()
                .runCommand(new Document("createUser", "keeper")
                        .append("pwd", SecuredDatabase.PASSWORD)
                        .append("roles", List.of("no_removal")));
        try (MongoClient client =
                MongoClients.create(secured.server.uri("keeper", SecuredDatabase.PASSWORD, "almanac"))) {
            assertFinishedInstead(MongoJobStore.create(client));
        }
    }

    private static void assertFinishedInstead(MongoJobStore store) {
        for (String key : List.of("first", "second")) {
            StoredJob job = Specimens.minimal(key, NOW).job();
            store.insert(List.of(new NewJob(job, null)));
            Lease lease = new Lease("node", 7, NOW.plusSeconds(20));
            StoredJob held = store.claim(
                            new ClaimRequest(List.of(job.id()), NOW.plusSeconds(60), lease, NOW.plusSeconds(80)))
                    .jobs()
                    .get(0);
            JobSpecification ended = StoredFields.of(job.specification())
                    .deleteTime(NOW.plus(Duration.ofDays(36_500)))
                    .build();
            StoredJob after = held.with(edit -> edit.specification(ended)
                    .lease(null)
                    .due(null)
                    .sequences(held.sequences().done()));
            JobChange end = new JobChange(held, after, List.of(), null, JobChange.By.HOLDER, true);
            assertThat(store.write(List.of(end))).containsExactly(true);
            assertThat(store.load(List.of(job.id()))).containsExactly(end.after());
        }
    }

    @Test
    @DisplayName("the runtime role verifies instead of creating: right indexes are enough, a missing one is refused")
    void runtimeVerifies() {
        MongoJobStore store = MongoJobStore.create(secured.runtime);
        store.open();
        secured.database().getCollection("jobSpecification").dropIndex("almanac_due");
        assertThatThrownBy(store::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("almanac_due")
                .hasMessageContaining("the server refused to create them")
                .hasMessageContaining("run: almanac indexes create");
        MongoJobStore.create(secured.bootstrap).open();
        store.open();
    }

    @Test
    @DisplayName("the runtime role may hold back kinds of jobs and keep calendars")
    void control() {
        MongoDatabase database = secured.runtime.getDatabase("almanac");
        for (String name : List.of("control", "calendar")) {
            Document own = new Document("_id", "own");
            database.getCollection(name).insertOne(own);
            database.getCollection(name).updateOne(own, new Document("$set", new Document("x", 1)));
            assertThat(database.getCollection(name).deleteOne(own).getDeletedCount())
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName(
            "S22: without rights on the versions of calendars none is replaced, and the message says what is missing")
    void withoutVersions() {
        Document calendars = new Document("db", "almanac").append("collection", "calendar");
        Document rights = new Document("resource", calendars).append("actions", List.of("insert", "update"));
        secured.database()
                .runCommand(new Document("createRole", "no_versions")
                        .append("privileges", List.of(rights))
                        .append("roles", List.of("almanac_reader")));
        secured.database()
                .runCommand(new Document("createUser", "editor")
                        .append("pwd", SecuredDatabase.PASSWORD)
                        .append("roles", List.of("no_versions")));
        StoredCalendar first = new StoredCalendar("c", 1, Map.of("kind", "weekly"), NOW, "ann");
        MongoJobStore.create(secured.runtime).cluster().putCalendar(first);
        try (MongoClient client =
                MongoClients.create(secured.server.uri("editor", SecuredDatabase.PASSWORD, "almanac"))) {
            ClusterStore editor = MongoJobStore.create(client).cluster();
            StoredCalendar second = new StoredCalendar("c", 2, Map.of("kind", "weekly"), NOW, "ann");
            assertThatThrownBy(() -> editor.putCalendar(second))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("storing a calendar")
                    .hasMessageContaining("not authorized")
                    .hasMessageContaining("calendarVersion");
            assertThat(editor.calendars()).containsExactly(first);
        }
    }

    @Test
    @DisplayName("the runtime role works in transactions")
    void transaction() {
        try (ClientSession session = secured.runtime.startSession()) {
            session.startTransaction();
            secured.runtime
                    .getDatabase("almanac")
                    .getCollection("jobSpecification")
                    .updateOne(session, ALL, new Document("$set", new Document("priority", 3)));
            session.commitTransaction();
        }
        assertThat(secured.database().getCollection("jobSpecification").find().first())
                .containsEntry("priority", 3);
    }

    @Test
    @DisplayName("the bootstrap role: indexes are mended, views created and dropped; no job or row is changed by it")
    void bootstrap() {
        MongoClient bootstrap = secured.bootstrap;
        ShellText.ofScript("docs/mongo-views.js").forEach(view -> view.run(bootstrap.getDatabase("almanac")));
        assertThat(secured.reader
                        .getDatabase("almanac")
                        .getCollection("almanac_late")
                        .countDocuments())
                .isEqualTo(1);
        for (String view : List.of("almanac_running", "almanac_late", "almanac_failed", "almanac_next")) {
            bootstrap.getDatabase("almanac").getCollection(view).drop();
        }
        bootstrap.getDatabase("almanac").getCollection("jobSpecification").dropIndex("almanac_due");
        MongoJobStore.create(bootstrap).open();
        for (String name : List.of("jobSpecification", "jobExecutionStatus")) {
            assertForbidden(bootstrap, database -> database.getCollection(name).deleteMany(ALL));
            assertForbidden(bootstrap, database -> database.getCollection(name).insertOne(new Document()));
            assertForbidden(
                    bootstrap,
                    database ->
                            database.getCollection(name).updateMany(ALL, new Document("$set", new Document("x", 1))));
            assertForbidden(bootstrap, database -> database.getCollection(name).drop());
        }
    }

    @Test
    @DisplayName("the reader's role reads, and writes nothing anywhere")
    void reader() {
        MongoDatabase database = secured.reader.getDatabase("almanac");
        for (String name :
                List.of("jobSpecification", "jobExecutionStatus", "node", "control", "calendar", "calendarVersion")) {
            database.getCollection(name).countDocuments();
            assertForbidden(secured.reader, any -> any.getCollection(name).insertOne(new Document()));
            assertForbidden(secured.reader, any -> any.getCollection(name).deleteMany(ALL));
        }
        assertForbidden(
                secured.reader,
                any -> any.getCollection("jobSpecification").watch().cursor());
    }

    @Test
    @DisplayName("a refused login has a message without a password, and so have its causes")
    void secret() {
        for (String uri : List.of(
                secured.server.uri("almanac-service", "wrong-" + SecuredDatabase.PASSWORD, "almanac"),
                secured.server.uri("nobody", SecuredDatabase.PASSWORD, "almanac"))) {
            try (MongoClient client = MongoClients.create(uri)) {
                MongoJobStore store = MongoJobStore.create(client);
                assertThatThrownBy(store::open)
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("opening the store")
                        .satisfies(e -> assertThat(everything(e)).doesNotContain(SecuredDatabase.PASSWORD));
            }
        }
    }

    private static String everything(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
