package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.store.DueCounts;
import dev.almanac.store.DueCounts.Slice;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.store.NewJob;
import dev.almanac.store.RunCounts;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The questions of a page that shows many jobs: right, bounded, and answered by an index. */
class OverviewTest extends StoreFixture {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<BsonDocument> asked = new CopyOnWriteArrayList<>();
    private final MongoClient listening = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(server.uri()))
            .addCommandListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    if (Set.of("find", "aggregate").contains(event.getCommandName())) {
                        asked.add(BsonDocument.parse(event.getCommand().toJson()));
                    }
                }
            })
            .build());

    @AfterEach
    void close() {
        listening.close();
    }

    private NewJob job(String key, String type, Instant due) {
        return Specimens.of(
                Specimens.id(),
                Specimens.specification(key)
                        .triggerCommand(new EncodedCommand(type, 1, Map.of()))
                        .singleSchedule(due)
                        .build(),
                due);
    }

    private List<BsonDocument> asking(Consumer<MongoJobStore> question) {
        MongoJobStore listened = MongoJobStore.create(listening, settings);
        listened.open();
        asked.clear();
        question.accept(listened);
        return List.copyOf(asked);
    }

    private Document statistics(BsonDocument question) {
        BsonDocument command = question.clone();
        List.of("lsid", "$clusterTime", "$db", "$readPreference", "readConcern", "maxTimeMS", "txnNumber")
                .forEach(command::remove);
        Document explained = client.getDatabase(database)
                .runCommand(new Document("explain", command).append("verbosity", "executionStats"));
        List<Document> stages = explained.getList("stages", Document.class);
        Document read = stages == null ? explained : stages.get(0).get("$cursor", Document.class);
        assertThat(read.toJson()).doesNotContain("COLLSCAN");
        return read.get("executionStats", Document.class);
    }

    @Test
    @DisplayName("S20: types of due jobs are found off the index, without the jobs of known types, more than one count")
    void otherTypes() {
        store.insert(IntStream.range(0, 2_500)
                .mapToObj(i -> job("a" + i, "known", now))
                .toList());
        store.insert(IntStream.range(0, 1_200)
                .mapToObj(i -> job("b" + i, "many", now))
                .toList());
        store.insert(List.of(
                job("c", "one", now), job("d", "later", now.plusSeconds(1)), job("e", "early", now.minusSeconds(9))));
        assertThat(store.otherDueTypes(Set.of("known", "absent"), now))
                .containsExactlyInAnyOrder("early", "many", "one");
        assertThat(store.otherDueTypes(Set.of("known", "many", "one", "early"), now))
                .isEmpty();
        assertThat(store.otherDueTypes(Set.of(), now)).contains("known", "one");
        Document read = statistics(
                asking(s -> s.otherDueTypes(Set.of("known", "many"), now)).get(0));
        assertThat(read.getInteger("totalDocsExamined")).isZero();
        // one key more for each partition and type
        assertThat(read.getInteger("totalKeysExamined")).isLessThanOrEqualTo(2 + 6 * 16);
        collection("jobSpecification")
                .updateOne(
                        new Document("activeKey", "c"),
                        new Document("$set", new Document("type", List.of("one", "two"))));
        assertThat(store.otherDueTypes(Set.of("known", "many"), now))
                .as("a damaged type hides no other")
                .containsExactly("early");
    }

    @Test
    @DisplayName("console: due jobs are counted by type and slice, without reading a document or a job out of the span")
    void counts() {
        store.insert(IntStream.range(0, 300)
                .mapToObj(i -> job("a" + i, i % 3 == 0 ? "a" : "b", now.plusSeconds(i)))
                .toList());
        store.insert(IntStream.range(0, 900)
                .mapToObj(i -> job("far" + i, "a", now.plusSeconds(7_200 + i)))
                .toList());
        DueCounts counts = store.dueCounts(now, now.plusSeconds(120), MINUTE, 10_000);
        assertThat(counts.slices())
                .extracting(Slice::type, Slice::start, Slice::jobs)
                .containsExactlyInAnyOrder(
                        tuple("a", now, 20L),
                        tuple("b", now, 40L),
                        tuple("a", now.plusSeconds(60), 20L),
                        tuple("b", now.plusSeconds(60), 40L));
        assertThat(counts.oneOf()).isEqualTo(1);
        assertThat(counts.more()).isFalse();
        Document read = statistics(asking(s -> s.dueCounts(now, now.plusSeconds(120), MINUTE, 10_000))
                .get(0));
        assertThat(read.getInteger("totalDocsExamined")).isZero();
        // one key beyond the span for each partition and type
        assertThat(read.getInteger("totalKeysExamined")).isLessThanOrEqualTo(120 + 3 * 2 * 16);
    }

    @Test
    @DisplayName("console: more than the limit is estimated from one partition, and said to be")
    void estimated() {
        store.insert(IntStream.range(0, 3_200)
                .mapToObj(i -> job("a" + i, "a", now.plusSeconds(i % 60)))
                .toList());
        DueCounts counts = store.dueCounts(now, now.plusSeconds(60), MINUTE, 1_000);
        assertThat(counts.oneOf()).isEqualTo(16);
        assertThat(counts.more()).isFalse();
        assertThat(counts.jobs()).isBetween(1_600L, 4_800L);
        assertThat(store.dueCounts(now, now.plusSeconds(60), MINUTE, 50).more()).isTrue();
    }

    @Test
    @DisplayName("console: running is what has a lease that has not ended, and nothing else")
    void running() {
        store.insert(List.of(job("waits", "a", now.plusSeconds(5)), job("later", "a", now.plusSeconds(900))));
        List<StoredJob> some = insertMany(3);
        claim(some.subList(0, 2), 7);
        assertThat(store.running(now, MINUTE, 10)).extracting(StoredJob::key).containsExactlyInAnyOrder("k0", "k1");
        assertThat(store.running(now, MINUTE, 1)).hasSize(1);
        assertThat(store.running(now.plusSeconds(21), MINUTE, 10)).isEmpty();
        Document read = statistics(asking(s -> s.running(now, MINUTE, 10)).get(0));
        assertThat(read.getInteger("totalDocsExamined")).isLessThanOrEqualTo(3);
    }

    @Test
    @DisplayName("console: the jobs that wait for the longest come first")
    void earliest() {
        store.insert(IntStream.range(0, 100)
                .mapToObj(i -> job("a" + i, i % 2 == 0 ? "a" : "b", now.minusSeconds(i)))
                .toList());
        List<StoredJob> oldest = store.earliestDue(Set.of("a", "b"), now, 5);
        assertThat(oldest).extracting(StoredJob::key).containsExactly("a99", "a98", "a97", "a96", "a95");
        assertThat(store.earliestDue(Set.of("a"), now, 5)).isSortedAccordingTo(Comparator.comparing(StoredJob::due));
        assertThat(store.earliestDue(Set.of(), now, 5)).isEmpty();
    }

    @Test
    @DisplayName("console: failures are counted by their index up to the limit")
    void failures() {
        List<Document> rows = IntStream.range(0, 50)
                .mapToObj(i -> new Document("_id", "r" + i)
                        .append(
                                "executionStatus",
                                (i % 5 == 0 ? ExecutionStatus.FAILED : ExecutionStatus.SCHEDULED).name())
                        .append("updatedTime", java.util.Date.from(now.minusSeconds(i))))
                .toList();
        rows().insertMany(rows);
        assertThat(store.failures(now.minusSeconds(24), 100)).isEqualTo(5);
        assertThat(store.failures(now.minusSeconds(100), 7)).isEqualTo(7);
        Document read =
                statistics(asking(s -> s.failures(now.minusSeconds(24), 100)).get(0));
        assertThat(read.getInteger("totalDocsExamined")).isLessThanOrEqualTo(5);
    }

    private void report(Instant minute, String node, String type, long good, long missed) {
        store.cluster()
                .addMinute(new MinuteReport(
                        node,
                        minute,
                        Map.of(
                                type,
                                new MinuteReport.OfType(
                                        Map.of("SUCCEEDED", good), 3, 1, 2, missed, 1, LatenessCounts.NONE)),
                        missed));
    }

    @Test
    @DisplayName(
            "console: what nodes have run is added up by type and slice, of a span alone; damaged reports hide none")
    void runCounts() {
        Instant from = now.truncatedTo(ChronoUnit.DAYS);
        Duration slice = Duration.ofMinutes(30);
        assertThat(store.runCounts(from, from.plusSeconds(7_200), slice)).isEqualTo(new RunCounts(List.of(), null));
        report(from, "n1", "a.$x", 3, 4);
        report(from.plusSeconds(1_740), "n2", "a.$x", 2, 0);
        report(from.plusSeconds(1_800), "n1", "a.$x", 5, 0);
        report(from.plusSeconds(60), "n1", "b", 1, 0);
        report(from.minusSeconds(60), "n1", "a.$x", 99, 0);
        report(from.plusSeconds(7_200), "n1", "a.$x", 99, 0);
        client.getDatabase(database)
                .getCollection(settings.collectionPrefix() + "minute")
                .insertOne(new Document("_id", new Document("minute", Date.from(from)).append("node", "torn"))
                        .append(
                                "types",
                                List.of(7, new Document("type", 8), new Document("type", "b").append("late", "x"))));
        RunCounts counts = store.runCounts(from, from.plusSeconds(7_200), slice);
        assertThat(counts.cut()).isNull();
        assertThat(counts.slices())
                .containsExactlyInAnyOrder(
                        new RunCounts.Slice("a.$x", from, Map.of("SUCCEEDED", 5L), 6, 4, 4, 2),
                        new RunCounts.Slice("a.$x", from.plus(slice), Map.of("SUCCEEDED", 5L), 3, 2, 0, 1),
                        new RunCounts.Slice("b", from, Map.of("SUCCEEDED", 1L), 3, 2, 0, 1));
        Document read = statistics(
                asking(s -> s.runCounts(from, from.plusSeconds(7_200), slice)).get(0));
        assertThat(read.getInteger("totalDocsExamined")).isEqualTo(5);
    }
}
