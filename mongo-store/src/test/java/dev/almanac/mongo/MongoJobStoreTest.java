package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.model.JobQuery;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.JobList;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import dev.almanac.testkit.server.MongoServer;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MongoJobStoreTest {
    private final MongoServer server = MongoServer.shared();
    private final MongoClient client = MongoClients.create(server.uri());
    private final String database = server.freshDatabase();
    private final MongoStoreSettings settings = MongoStoreSettings.ofDatabase(database);
    private final MongoJobStore store = MongoJobStore.create(client, settings);
    private final Instant now = Instant.ofEpochMilli(System.currentTimeMillis());

    @AfterEach
    void drop() {
        client.getDatabase(database).drop();
        client.close();
    }

    private MongoCollection<Document> jobs() {
        return client.getDatabase(database).getCollection("jobSpecification");
    }

    private static ClaimRequest request(List<String> ids, Instant now) {
        return new ClaimRequest(ids, now, new Lease("n", 5, now.plusSeconds(20)), now.plusSeconds(22));
    }

    @Test
    @DisplayName("6.1: a document reads well in the shell: dates are dates, the command is a sub-document, no blobs")
    void document() {
        store.open();
        NewJob job = Specimens.minimal("pay-17", now);
        store.insert(List.of(job));
        Document stored = jobs().find().first();
        assertThat(stored.get("jobSpecificationKey")).isEqualTo("pay-17");
        assertThat(stored.get("activeKey")).isEqualTo("pay-17");
        assertThat(stored.get("singleSchedule")).isEqualTo(Date.from(now));
        assertThat(stored.get("due")).isEqualTo(Date.from(now));
        assertThat(stored.get("triggerCommand"))
                .isEqualTo(new Document("type", "note")
                        .append("version", 1)
                        .append("body", new Document("text", "hello")));
        assertThat(stored.get("type")).isEqualTo("note");
        assertThat(stored.getInteger("p")).isBetween(0, 15);
        assertThat(stored.get("zoneId")).isEqualTo("UTC");
        assertThat(stored).doesNotContainKeys("lease", "deleteTime", "blocked", "failureCommand", "calendars");
        assertThat(stored.toJson()).doesNotContain("dev.almanac");
    }

    @Test
    @DisplayName(
            "T6: of many jobs only those are read whose plans were made by other zone rules, in pages that end with a window")
    void plannedByOthers() {
        store.open();
        for (String key : List.of("a", "b", "c", "d")) {
            store.insert(List.of(Specimens.minimal(key, now)));
        }
        Document planned = new Document("local", "2026-03-29T03:00").append("after", Date.from(now));
        jobs().updateOne(
                        Filters.eq("activeKey", "b"),
                        Updates.set("planned", new Document(planned).append("zoneRules", "1")));
        jobs().updateOne(
                        Filters.eq("activeKey", "d"),
                        Updates.set("planned", new Document(planned).append("zoneRules", "2")));
        jobs().updateMany(Filters.in("activeKey", "a", "c"), Updates.unset("planned"));
        assertThat(store.plannedByOthers("2", JobQuery.all()).jobs())
                .extracting(StoredJob::key)
                .containsExactly("b");
        assertThat(store.plannedByOthers("3", JobQuery.all()).jobs())
                .extracting(StoredJob::key)
                .containsExactly("b", "d");
        JobList page = store.plannedByOthers("1", JobQuery.all().window(2));
        assertThat(page.jobs()).isEmpty();
        assertThat(page.lastKey()).isEqualTo("b");
        assertThat(store.plannedByOthers("1", JobQuery.all().after("b").window(2))
                        .jobs())
                .extracting(StoredJob::key)
                .containsExactly("d");
    }

    @Test
    @DisplayName("16.1: calls end within a timeout of 1 ms to 24 days, with which they work; a longer one is refused")
    void longestTimeout() {
        Duration longest = Duration.ofDays(24);
        MongoJobStore patient = MongoJobStore.create(client, settings.withOperationTimeout(longest));
        patient.open();
        assertThat(patient.insert(List.of(Specimens.minimal("k", now)))).containsExactly(true);
        assertThat(patient.list(JobQuery.all()).jobs()).hasSize(1);
        assertThatThrownBy(() -> settings.withOperationTimeout(longest.plusMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("operationTimeout PT576H0.001S is more than 24 days");
    }

    @Test
    @DisplayName("6.2: a missing or different index is refused with the command to run, when none are to be created")
    void indexes() {
        store.open();
        jobs().dropIndex("almanac_due");
        jobs().dropIndex("almanac_active_key");
        jobs().createIndex(
                        new Document("activeKey", 1),
                        new com.mongodb.client.model.IndexOptions().name("almanac_active_key"));
        MongoJobStore verifying = MongoJobStore.create(client, settings.withCreateIndexes(false));
        assertThatThrownBy(verifying::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("almanac_due")
                .hasMessageContaining("is missing")
                .hasMessageContaining("almanac_active_key")
                .hasMessageContaining("almanac indexes create");
        jobs().dropIndex("almanac_active_key");
        store.open();
        verifying.open();
    }

    @Test
    @DisplayName("M8: an expiry that differs is mended in place")
    void expiry() {
        store.open();
        client.getDatabase(database)
                .runCommand(new Document("collMod", "jobExecutionStatus")
                        .append("index", new Document("name", "almanac_expiry").append("expireAfterSeconds", 999)));
        store.open();
        MongoJobStore.create(client, settings.withCreateIndexes(false)).open();
    }

    @Test
    @DisplayName("M8: the server removes a document and its rows once their deleteTime has passed, and not before")
    void timeToLive() {
        store.open();
        store.insert(List.of(Specimens.minimal("gone", now), Specimens.minimal("stays", now)));
        jobs().updateOne(
                        new Document("jobSpecificationKey", "gone"),
                        new Document("$set", new Document("deleteTime", Date.from(now.minusSeconds(1)))));
        jobs().updateOne(
                        new Document("jobSpecificationKey", "stays"),
                        new Document("$set", new Document("deleteTime", Date.from(now.plusSeconds(600)))));
        MongoCollection<Document> rows = client.getDatabase(database).getCollection("jobExecutionStatus");
        Document gone = new Document("jobSpecificationKey", "gone");
        rows.updateOne(gone, new Document("$set", new Document("deleteTime", Date.from(now.minusSeconds(1)))));
        await().atMost(Duration.ofMinutes(3)).until(() -> jobs().countDocuments() + rows.countDocuments() == 2);
        assertThat(jobs().find().first().getString("jobSpecificationKey")).isEqualTo("stays");
        assertThat(rows.find().first().getString("jobSpecificationKey")).isEqualTo("stays");
    }

    @Test
    @DisplayName("a document that was damaged by hand is blocked with a reason; the others of its batch go on")
    void damaged() {
        store.open();
        List<NewJob> some = IntStream.range(0, 6)
                .mapToObj(i -> Specimens.minimal("k" + i, now))
                .toList();
        store.insert(some);
        damage("k0", new Document("$set", new Document("zoneId", "Mars Base")));
        damage("k1", new Document("$unset", new Document("triggerCommand", "")));
        damage("k2", new Document("$set", new Document("lastStatus", "gone")));
        damage("k3", new Document("$set", new Document("retryPolicy", "often")));
        damage("k4", new Document("$set", new Document("calendarPolicy", 7)));
        ClaimResult result =
                store.claim(request(some.stream().map(job -> job.job().id()).toList(), now));
        assertThat(result.jobs()).extracting(StoredJob::key).containsExactly("k5");
        assertThat(result.blocked())
                .extracting(DamagedJob::key)
                .containsExactlyInAnyOrder("k0", "k1", "k2", "k3", "k4");
        for (Document document : jobs().find(new Document("jobSpecificationKey", new Document("$ne", "k5")))) {
            assertThat(document.get("blocked", Document.class).getString("reason"))
                    .contains("cannot be read");
            assertThat(document).doesNotContainKeys("due", "lease");
        }
        assertThat(store.list(dev.almanac.model.JobQuery.all()).damaged()).hasSize(5);
    }

    private void damage(String key, Document update) {
        jobs().updateOne(new Document("jobSpecificationKey", key), update);
    }

    @Test
    @DisplayName("an unreachable server is one clear error, with what was tried and without the password")
    void unreachable() {
        String uri = "mongodb://user:secret@127.0.0.1:1/?serverSelectionTimeoutMS=300";
        try (MongoClient nobody = MongoClients.create(uri)) {
            MongoJobStore unreachable = MongoJobStore.create(nobody, settings);
            assertThatThrownBy(unreachable::open)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("127.0.0.1:1")
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    @DisplayName("the look is a merge of the index's points, never a sort in memory")
    void plan() {
        store.open();
        List<NewJob> some = IntStream.range(0, 400)
                .mapToObj(i -> Specimens.minimal("k" + i, now.plusMillis(i % 50)))
                .toList();
        store.insert(some);
        Document explained = jobs().find(new Document(
                                "p",
                                new Document(
                                        "$in", IntStream.range(0, 16).boxed().toList()))
                        .append("type", new Document("$in", List.of("note", "other")))
                        .append("due", new Document("$lte", Date.from(now.plusSeconds(5)))))
                .hintString(Indexes.DUE)
                .sort(new Document("due", 1))
                .limit(50)
                .explain(com.mongodb.ExplainVerbosity.EXECUTION_STATS);
        assertThat(explained.toJson()).contains("SORT_MERGE").doesNotContain("\"stage\": \"SORT\"");
        Document stats = explained.get("executionStats", Document.class);
        assertThat(stats.getInteger("totalKeysExamined")).isLessThanOrEqualTo(50 + 2 * 16);
    }

    @Test
    @DisplayName("more than 200 points are asked in parts and merged in the order of due")
    void manyTypes() {
        store.open();
        store.insert(List.of(Specimens.minimal("b", now.minusSeconds(1)), Specimens.minimal("a", now.minusSeconds(2))));
        Set<String> types = IntStream.range(0, 60).mapToObj(i -> "t" + i).collect(java.util.stream.Collectors.toSet());
        types.add("note");
        Set<Integer> all = IntStream.range(0, 16).boxed().collect(java.util.stream.Collectors.toSet());
        assertThat(store.due(new DueQuery(types, Set.of(), all, 0, 7, now, 10)))
                .extracting(dev.almanac.store.DueJob::due)
                .containsExactly(now.minusSeconds(2), now.minusSeconds(1));
    }

    @Test
    @DisplayName("the number of partitions is fixed when the store is created")
    void partitions() {
        assertThat(store.open().partitions()).isEqualTo(16);
        MongoStoreSettings other = settings.withPartitions(4);
        var report = MongoJobStore.create(client, other).open();
        assertThat(report.partitions()).isEqualTo(16);
        assertThat(report.description()).endsWith("(created with 16 partitions, which the setting does not change)");
        assertThat(report.warnings())
                .as("is no trouble of which health would tell")
                .isEmpty();
    }

    record Money(String to, BigDecimal amount, Instant when, List<Integer> parts, Map<String, Boolean> flags)
            implements SchedulingCommand {}

    @Test
    @DisplayName("a command survives the codec and the server exactly, and stays equal to itself")
    void codec() {
        store.open();
        Money money = new Money("BE12", new BigDecimal("1234567890.1234567"), now, List.of(1, 2), Map.of("x", true));
        var codec = store.commandCodec();
        var encoded = new dev.almanac.model.EncodedCommand("money", 1, codec.encode(money));
        NewJob job = Specimens.of(
                Specimens.id(),
                Specimens.specification("m")
                        .triggerCommand(encoded)
                        .singleSchedule(now)
                        .build(),
                now);
        store.insert(List.of(job));
        StoredJob stored = store.find("m", dev.almanac.model.FindScope.LIVE).orElseThrow();
        assertThat(encoded).isEqualTo(stored.specification().triggerCommand());
        assertThat(stored.specification().triggerCommand()).isEqualTo(encoded);
        assertThat(codec.decode(stored.command().body(), Money.class)).isEqualTo(money);
    }
}
