package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoNamespace;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.RenameCollectionOptions;
import dev.almanac.model.FindScope;
import dev.almanac.store.DueQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every index, missing and wrong in each way that matters. */
class IndexVerificationTest extends StoreFixture {
    private static final String JOBS = "jobSpecification";
    private static final String ROWS = "jobExecutionStatus";

    static Stream<Arguments> all() {
        return Stream.of(
                Arguments.of(JOBS, "almanac_due"),
                Arguments.of(JOBS, "almanac_urgent"),
                Arguments.of(JOBS, "almanac_active_key"),
                Arguments.of(JOBS, "almanac_running_group"),
                Arguments.of(JOBS, "almanac_key_life"),
                Arguments.of(JOBS, "almanac_open_failures"),
                Arguments.of(JOBS, "almanac_expiry"),
                Arguments.of(ROWS, "almanac_rows_of_job"),
                Arguments.of(ROWS, "almanac_failed_rows"),
                Arguments.of(ROWS, "almanac_expiry"),
                Arguments.of("node", "almanac_expiry"),
                Arguments.of("minute", "almanac_expiry"),
                Arguments.of("calendarVersion", "almanac_expiry"));
    }

    private MongoJobStore verifying() {
        return MongoJobStore.create(client, settings.withCreateIndexes(false));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("all")
    @DisplayName("6.2: a missing index is refused by name, with the command that creates it; that makes it good")
    void missing(String collection, String name) {
        verifying().open();
        collection(collection).dropIndex(name);
        assertThatThrownBy(verifying()::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageStartingWith("ALM-001 ")
                .hasMessageContaining("index " + collection + "." + name + " ")
                .hasMessageContaining("is missing")
                .hasMessageEndingWith("run: almanac indexes create --uri <uri> --database " + database);
        store.open();
        verifying().open();
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of(
                        JOBS,
                        "almanac_due",
                        "{p: 1, due: 1, type: 1}",
                        "{partialFilterExpression: {due: {$exists: true}}}"),
                Arguments.of(
                        JOBS,
                        "almanac_due",
                        "{p: 1, type: 1, due: -1}",
                        "{partialFilterExpression: {due: {$exists: true}}}"),
                Arguments.of(JOBS, "almanac_due", "{p: 1, type: 1, due: 1}", "{}"),
                Arguments.of(
                        JOBS,
                        "almanac_due",
                        "{p: 1, type: 1, due: 1}",
                        "{partialFilterExpression: {due: {$exists: true}}, hidden: true}"),
                Arguments.of(
                        JOBS,
                        "almanac_due",
                        "{p: 1, type: 1, due: 1}",
                        "{partialFilterExpression: {p: {$exists: true}}}"),
                Arguments.of(JOBS, "almanac_active_key", "{activeKey: 1}", "{sparse: true}"),
                Arguments.of(
                        JOBS,
                        "almanac_active_key",
                        "{activeKey: 1}",
                        "{sparse: true, unique: true, collation: {locale: 'en', strength: 2}}"),
                Arguments.of(
                        JOBS,
                        "almanac_running_group",
                        "{runningGroup: 1}",
                        "{unique: true, partialFilterExpression: {runningGroup: {$exists: true}}}"),
                Arguments.of(ROWS, "almanac_rows_of_job", "{jobSpecificationId: 1, updatedTime: 1}", "{}"),
                Arguments.of(ROWS, "almanac_rows_of_job", "{jobSpecificationId: 1}", "{}"),
                Arguments.of(ROWS, "almanac_failed_rows", "{updatedTime: -1}", "{}"),
                Arguments.of(ROWS, "almanac_expiry", "{deleteTime: 1}", "{sparse: true}"));
    }

    @ParameterizedTest(name = "{1} on {2} with {3}")
    @MethodSource("wrong")
    @DisplayName("6.2: an index of the right name that is another one is refused, also by a node that may create them")
    void different(String collection, String name, String key, String options) {
        collection(collection).dropIndex(name);
        Document other = new Document("key", Document.parse(key)).append("name", name);
        other.putAll(Document.parse(options));
        client.getDatabase(database)
                .runCommand(new Document("createIndexes", collection).append("indexes", List.of(other)));
        String advice = "drop it first: db.getCollection('" + collection + "').dropIndex('" + name + "')";
        for (MongoJobStore refusing : List.of(verifying(), store)) {
            assertThatThrownBy(refusing::open)
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("index " + collection + "." + name + " is {")
                    .hasMessageContaining(advice);
        }
        collection(collection).dropIndex(name);
        store.open();
        assertThat(verifying().open().warnings()).isEmpty();
    }

    @ParameterizedTest(name = "{0} seconds")
    @ValueSource(ints = {1, 86_400})
    @DisplayName("6.2: an expiry that differs is refused by who only verifies, and mended in place by who creates")
    void expiry(int seconds) {
        client.getDatabase(database)
                .runCommand(new Document("collMod", ROWS)
                        .append("index", new Document("name", "almanac_expiry").append("expireAfterSeconds", seconds)));
        assertThatThrownBy(verifying()::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("almanac_expiry");
        store.open();
        verifying().open();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {JOBS, ROWS, "node", "minute", "control", "calendar", "calendarVersion"})
    @DisplayName(
            "ALM-020: a view in place of a collection is refused with the command that removes it, by every way to open")
    void viewInPlace(String name) {
        collection(name).drop();
        client.getDatabase(database).createView(name, "others", List.of());
        String advice = name + " is a view, not a collection; what is written to it is refused;"
                + " remove it: db.getCollection('" + name + "').drop()";
        for (MongoJobStore opened :
                List.of(store, verifying(), MongoJobStore.tolerant(client, settings, complaint -> {}))) {
            assertThatThrownBy(opened::open)
                    .isExactlyInstanceOf(StoreRefusedException.class)
                    .hasMessage("ALM-020 " + advice);
        }
        assertThat(store.inspect(10).foreign()).containsExactly(advice);
        assertThat(store.inspect(10).indexProblems())
                .as("of no other collection")
                .isEqualTo(Set.of("control", "calendar").contains(name) ? List.of() : List.of(advice));
        collection(name).drop();
        assertThat(store.open().warnings()).isEmpty();
        assertThat(verifying().open().warnings()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {JOBS, ROWS, "node", "minute", "control", "calendar", "calendarVersion"})
    @DisplayName(
            "ALM-020: a collection that compares by a collation, or is capped, is refused by every way to open, with"
                    + " the commands that make it a plain one and keep what it holds")
    void notPlain(String name) {
        Collation ignoringCase = Collation.builder()
                .locale("en")
                .collationStrength(CollationStrength.SECONDARY)
                .build();
        for (CreateCollectionOptions options : List.of(
                new CreateCollectionOptions().collation(ignoringCase),
                new CreateCollectionOptions().capped(true).sizeInBytes(1 << 20))) {
            collection(name).drop();
            client.getDatabase(database).createCollection(name, options);
            Document kept = new Document("_id", "kept").append("deleteTime", Date.from(now.plusSeconds(9_999)));
            collection(name).insertOne(kept);
            String advice = "; while no node runs, copy what it holds:"
                    + " db.getCollection('" + name + "').aggregate([{$out: '" + name + "_copy'}]),"
                    + " db.getCollection('" + name + "_copy').renameCollection('" + name + "', true)";
            for (MongoJobStore opened :
                    List.of(store, verifying(), MongoJobStore.tolerant(client, settings, complaint -> {}))) {
                assertThatThrownBy(opened::open)
                        .isExactlyInstanceOf(StoreRefusedException.class)
                        .hasMessageStartingWith("ALM-020 collection " + name + " ")
                        .hasMessageContaining(options.isCapped() ? " is capped" : " has a collation")
                        .hasMessageEndingWith(advice);
            }
            assertThat(store.inspect(10).foreign()).singleElement().asString().endsWith(advice);
            collection(name)
                    .aggregate(List.of(new Document("$out", name + "_copy")))
                    .toCollection();
            collection(name + "_copy")
                    .renameCollection(
                            new MongoNamespace(database, name), new RenameCollectionOptions().dropTarget(true));
            assertThat(store.inspect(10).foreign()).isEmpty();
            assertThat(collection(name).find()).containsExactly(kept);
            collection(name).deleteMany(new Document());
            assertThat(store.open().warnings()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "ALM-020: a unique index of others is told, since it refuses what is written; one that is not unique is"
                    + " not")
    void uniqueIndexOfOthers() {
        for (String name : List.of(JOBS, ROWS, "control", "calendar")) {
            collection(name).createIndex(new Document("mine", 1));
        }
        assertThat(store.open().warnings()).isEmpty();
        assertThat(store.inspect(10).foreign()).isEmpty();
        for (String name : List.of(JOBS, ROWS, "control", "calendar")) {
            collection(name).dropIndex("mine_1");
            collection(name)
                    .createIndex(
                            new Document("mine", 1),
                            new IndexOptions().unique(true).sparse(true));
            String told = "index " + name + ".mine_1 on [mine] is unique and does not belong to Almanac, so that it can"
                    + " refuse what the scheduler writes; drop it: db.getCollection('" + name
                    + "').dropIndex('mine_1')";
            assertThat(verifying().open().warnings()).containsExactly("ALM-020 " + told);
            assertThat(store.inspect(10).foreign()).containsExactly(told);
            collection(name).dropIndex("mine_1");
        }
    }

    @Test
    @DisplayName("ALM-020: a view of another name over a collection refuses no start")
    void viewOver() {
        client.getDatabase(database).createView("mine", JOBS, List.of());
        assertThat(verifying().open().warnings()).isEmpty();
        assertThat(store.inspect(10).foreign()).singleElement().asString().startsWith("view mine over " + JOBS);
    }

    /** What the pages and commands for people ask of the indexes of looks and counts. */
    private List<Object> answers(MongoJobStore asked) {
        Instant later = now.plusSeconds(100);
        return List.of(
                asked.running(now, Duration.ofMinutes(1), 10).stream()
                        .map(StoredJob::key)
                        .toList(),
                asked.dueCounts(now.minusSeconds(60), later, Duration.ofDays(1), 100),
                asked.dueCounts(now.minusSeconds(60), later, Duration.ofDays(1), 1)
                        .oneOf(),
                asked.otherDueTypes(Set.of("none"), later),
                asked.failures(Instant.EPOCH, 10),
                asked.cluster().openFailures(10));
    }

    /** The jobs that wait, and urgent ones before their turn. */
    private List<Object> looks(MongoJobStore asked) {
        Instant later = now.plusSeconds(100);
        return List.of(
                asked.due(new DueQuery(Set.of("note"), Set.of(), ALL_PARTITIONS, 0, 7, later, 2)),
                asked.earliestDue(Set.of("note"), later, 9).stream()
                        .map(StoredJob::key)
                        .toList());
    }

    @Test
    @DisplayName("6.2: who asks for people is answered without the indexes of looks and counts as with them")
    void askedForPeople() {
        for (int i = 0; i < 5; i++) {
            insert(Specimens.minimal("k" + i, now.minusSeconds(9 - i)));
        }
        edit("k4", Document.parse("{$set: {prio: 0, failuresInARow: 2}}"));
        claim(List.of(store.find("k1", FindScope.LIVE).orElseThrow()), 3);
        rows().updateOne(
                        new Document("jobSpecificationKey", "k4"),
                        Document.parse("{$set: {executionStatus: 'FAILED', outcome: 'FAILED'}}"));
        MongoJobStore tolerant = MongoJobStore.tolerant(client, settings, complaint -> {});
        MongoJobStore waiting = store.answeringWithin(Duration.ofMinutes(1));
        List<Object> with = answers(store);
        List<Object> looks = looks(store);
        assertThat(with.get(0)).isEqualTo(List.of("k1"));
        assertThat(with.subList(4, 6)).containsExactly(1L, 1L);
        assertThat((List<?>) looks.get(0)).as("two, and the urgent one").hasSize(3);
        for (String index : List.of(Indexes.DUE, Indexes.URGENT, Indexes.OPEN_FAILURES)) {
            jobs().dropIndex(index);
        }
        rows().dropIndex(Indexes.FAILED_ROWS);
        assertThat(answers(store)).as("as a node counts").isEqualTo(with);
        for (MongoJobStore asked : List.of(tolerant, waiting)) {
            assertThat(answers(asked)).isEqualTo(with);
            assertThat(looks(asked)).isEqualTo(looks);
        }
    }

    @Test
    @DisplayName(
            "6.2: a node looks at no job without the index of its look; the failure names it, and is no refused write")
    void lookedForByNodes() {
        insertMany(3);
        for (String index : List.of(Indexes.URGENT, Indexes.DUE)) {
            jobs().dropIndex(index);
            assertThatThrownBy(() -> due(Set.of("note"), 0, 7, 3))
                    .isExactlyInstanceOf(StoreException.class)
                    .hasMessageContaining("index " + index + " ")
                    .hasMessageContaining("almanac indexes create");
        }
        store.open();
        assertThat(due(Set.of("note"), 0, 7, 3)).hasSize(3);
    }
}
