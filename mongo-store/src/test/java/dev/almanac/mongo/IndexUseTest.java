package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.almanac.Scheduler;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.DueQuery;
import dev.almanac.store.JobList;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.NodeReport;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The questions that the store really asks are caught on their way, and the server explains how it answers them. */
class IndexUseTest extends StoreFixture {
    private static final int DUE = 400;
    private static final int LATER = 1_600;

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
    private final MongoJobStore listened = MongoJobStore.create(listening, settings);

    @BeforeEach
    void fill() {
        listened.open();
        store.insert(IntStream.range(0, DUE)
                .mapToObj(i -> job("due" + i, i % 10, now.minusSeconds(i % 50)))
                .toList());
        store.insert(IntStream.range(0, LATER)
                .mapToObj(i -> job("later" + i, i % 10, now.plusSeconds(3_600 + i)))
                .toList());
    }

    @AfterEach
    void close() {
        listening.close();
    }

    /** Every tenth is urgent. */
    private NewJob job(String key, int place, Instant due) {
        return Specimens.of(
                Specimens.id(),
                Specimens.specification(key)
                        .singleSchedule(due)
                        .priority(place == 0 ? 1 : 4)
                        .build(),
                due);
    }

    private List<BsonDocument> asking(Consumer<MongoJobStore> question) {
        return asking("find", question);
    }

    private List<BsonDocument> asking(String command, Consumer<MongoJobStore> question) {
        asked.clear();
        question.accept(listened);
        return asked.stream().filter(any -> any.containsKey(command)).toList();
    }

    private Document explained(BsonDocument question) {
        BsonDocument find = question.clone();
        List.of("lsid", "$clusterTime", "$db", "$readPreference", "readConcern", "maxTimeMS", "txnNumber")
                .forEach(find::remove);
        return client.getDatabase(database)
                .runCommand(new Document("explain", find).append("verbosity", "executionStats"));
    }

    private static String stages(Document explained) {
        return explained
                .get("queryPlanner", Document.class)
                .get("winningPlan", Document.class)
                .toJson();
    }

    private static int keys(Document explained) {
        return explained.get("executionStats", Document.class).getInteger("totalKeysExamined");
    }

    private static void assertIndexed(Document explained, String index) {
        assertThat(stages(explained))
                .contains("\"indexName\": \"" + index + "\"")
                .doesNotContain("COLLSCAN")
                .doesNotContain("\"SORT\"");
    }

    private static DueQuery due(Set<String> types, int minPriority, int maxPriority, Instant until, int limit) {
        return new DueQuery(types, Set.of(), ALL_PARTITIONS, minPriority, maxPriority, until, limit);
    }

    private static Set<String> types(int count) {
        Set<String> types = IntStream.range(1, count).mapToObj(i -> "t" + i).collect(Collectors.toSet());
        types.add("note");
        return types;
    }

    @Test
    @DisplayName("a look merges the points of the index; it examines what it returns and a key for each point")
    void look() {
        BsonDocument question = asking(store -> store.due(due(types(2), 0, 7, now.plusSeconds(5), 50)))
                .get(0);
        Document explained = explained(question);
        assertIndexed(explained, Indexes.DUE);
        assertThat(stages(explained)).contains("SORT_MERGE");
        assertThat(keys(explained)).isLessThanOrEqualTo(50 + 2 * 16);
    }

    @Test
    @DisplayName("a look that finds everything reads no key of a job that is not due")
    void lookToTheEnd() {
        BsonDocument question =
                asking(store -> store.due(due(types(1), 0, 7, now, 1_000))).get(0);
        assertThat(keys(explained(question))).isBetween(DUE, DUE + 16);
    }

    @Test
    @DisplayName("no question of a look has more than 200 points; with 208 the server would sort in memory")
    void points() {
        List<BsonDocument> questions = asking(store -> store.due(due(types(60), 4, 7, now.plusSeconds(5), 1_000)));
        assertThat(questions).hasSizeGreaterThan(1);
        for (BsonDocument question : questions) {
            assertIndexed(explained(question), Indexes.DUE);
        }
        BsonDocument tooMany = asking(store -> store.due(due(types(12), 0, 7, now.plusSeconds(5), 1_000)))
                .get(0);
        replaceTypes(tooMany, types(13));
        assertThat(stages(explained(tooMany))).contains("\"SORT\"");
    }

    private static void replaceTypes(BsonDocument question, Set<String> types) {
        BsonArray names = new BsonArray(types.stream().map(BsonString::new).toList());
        BsonDocument filter = question.getDocument("filter");
        List<BsonDocument> parts = filter.containsKey("$and")
                ? filter.getArray("$and").stream().map(BsonValue::asDocument).toList()
                : List.of(filter);
        parts.stream()
                .filter(part -> part.containsKey("type"))
                .forEach(part -> part.put("type", new BsonDocument("$in", names)));
    }

    @Test
    @DisplayName("R9: when more is due than a look shows, urgent jobs are asked on an index that holds them alone")
    void urgent() {
        List<BsonDocument> questions = asking(store -> store.due(due(types(1), 0, 7, now.plusSeconds(5), 20)));
        assertThat(questions).hasSize(2);
        Document explained = explained(questions.get(1));
        assertIndexed(explained, Indexes.URGENT);
        assertThat(keys(explained)).isLessThanOrEqualTo(21);
    }

    @Test
    @DisplayName("O2: to explain a job that waits behind others needs bounded questions, however many jobs are due")
    void explain() {
        store.insert(IntStream.range(0, 1_200)
                .mapToObj(i -> job("more" + i, 1, now.minusSeconds(60)))
                .toList());
        Scheduler scheduler = Scheduler.builder().store(listened).build();
        // however long the inserts have taken, it is live for some time to come
        Instant seen = store.serverTime().plusSeconds(300);
        store.cluster()
                .report(
                        new NodeReport("n", "n", seen, seen, "2026a", Duration.ZERO, Set.of("note"), 0),
                        now.minusSeconds(60));
        List<BsonDocument> questions = asking(
                store -> assertThat(scheduler.explainJob("due1").headline()).contains("waits behind more urgent jobs"));
        assertThat(questions)
                .hasSizeGreaterThan(3)
                .allSatisfy(question -> assertThat(keys(explained(question))).isLessThan(1_100));
    }

    @Test
    @DisplayName("R11: counting live jobs examines keys of the index up to the limit, and no document")
    void countOfLiveJobs() {
        BsonDocument question = asking(
                        "aggregate",
                        store -> assertThat(store.cluster().liveJobs(100)).isEqualTo(100))
                .get(0);
        String explained = explained(question).toJson();
        assertThat(explained)
                .contains("\"indexName\": \"almanac_active_key\"")
                .contains("\"totalDocsExamined\": 0")
                .doesNotContain("COLLSCAN");
        Matcher keys = Pattern.compile("\"totalKeysExamined\": ([0-9]+)").matcher(explained);
        assertThat(keys.find()).isTrue();
        assertThat(Integer.parseInt(keys.group(1))).isBetween(100, 101);
    }

    @Test
    @DisplayName("6.2: the live job of a key is one key of the index, the finished one an indexed look")
    void byKey() {
        Document live =
                explained(asking(store -> store.find("due7", FindScope.LIVE)).get(0));
        assertIndexed(live, "almanac_active_key");
        assertThat(keys(live)).isEqualTo(1);
        // a live one is looked for, then any, with the confirmation of the primary
        List<BsonDocument> absent = asking(store -> store.find("nobody", FindScope.INCLUDING_FINISHED));
        assertThat(absent).hasSize(2);
        assertThat(stages(explained(absent.get(1)))).contains("almanac_key").doesNotContain("COLLSCAN");
        assertThat(keys(explained(absent.get(1)))).isZero();
    }

    @Test
    @DisplayName("6.2: the rows of a job come newest first off the index, without a sort in memory")
    void rowsOfJob() {
        List<BsonDocument> questions = asking(store -> store.rows(RowQuery.ofKey("due7", 10)));
        assertThat(stages(explained(questions.get(0)))).contains("almanac_key").doesNotContain("COLLSCAN");
        Document rows = explained(questions.get(1));
        assertIndexed(rows, "almanac_rows_of_job");
        assertThat(keys(rows)).isEqualTo(1);
        List<BsonDocument> older = asking(store ->
                store.rows(RowQuery.ofKey("due7", 10).before(Instant.now().plusSeconds(3_600))));
        assertIndexed(explained(older.get(1)), "almanac_rows_of_job");
        assertThat(keys(explained(older.get(1)))).isEqualTo(1);
        assertThat(asking(store -> store.rows(RowQuery.ofKey("due7", 10).before(Instant.EPOCH))))
                .as("that no older row exists is no reason to ask again")
                .hasSize(2);
    }

    @Test
    @DisplayName("6.2: what failed is found by an index that no other row has a key in, newest first, without a sort")
    void failedRows() {
        Instant day = now.minusSeconds(86_400);
        Document explained = explained(
                asking(store -> store.rows(RowQuery.ofFailures(day, null, 10))).get(0));
        assertIndexed(explained, Indexes.FAILED_ROWS);
        assertThat(keys(explained)).as("nothing failed").isZero();
    }

    @Test
    @DisplayName("lists: the end of a window is read off the index, without any document; the page stays within it")
    void window() {
        JobQuery nobody = new JobQuery("nobody", null, null, null, "later", null, null, null, null, 100).window(500);
        List<BsonDocument> questions = asking(store -> store.list(nobody));
        assertThat(questions).hasSize(2);
        Document edge = explained(questions.get(0));
        assertIndexed(edge, "almanac_active_key");
        assertThat(edge.get("executionStats", Document.class).getInteger("totalDocsExamined"))
                .isZero();
        Document page = explained(questions.get(1));
        assertIndexed(page, "almanac_active_key");
        assertThat(keys(page)).isBetween(500, 502);
        assertThat(asking(store -> store.list(JobQuery.all().window(500))))
                .as("where every job is asked for there is nothing to bound")
                .hasSize(1);
    }

    @Test
    @DisplayName("lists go in the order of an index; a key prefix is a range of it")
    void lists() {
        JobQuery prefix = new JobQuery(null, null, null, null, "due39", null, null, null, null, 100);
        Document explained = explained(asking(store -> store.list(prefix)).get(0));
        assertIndexed(explained, "almanac_active_key");
        assertThat(keys(explained)).isLessThanOrEqualTo(12);
    }

    @Test
    @DisplayName(
            "M5: a list goes on within the finished jobs of a key in the order of an index, not far before its place")
    void livesOfAKey() {
        Document job = stored("due7").append("deleteTime", Date.from(now.plusSeconds(600)));
        List.of("due", "activeKey").forEach(job::remove);
        jobs().insertMany(IntStream.range(0, 500)
                .mapToObj(i -> new Document(job)
                        .append("_id", "of-b" + i)
                        .append("life", i)
                        .append("jobSpecificationKey", "b"))
                .toList());
        JobQuery ended = JobQuery.all().state(JobState.SUCCEEDED).limit(10);
        String within = new JobList.Place("b", "{\"life\": 400}").toString();
        Document explained = explained(
                asking(store -> store.list(ended.after(within), now, List.of())).get(0));
        assertIndexed(explained, "almanac_key_life");
        assertThat(keys(explained)).isLessThan(15);
        assertThat(store.list(ended.after(within), now, List.of()).jobs())
                .extracting(StoredJob::id)
                .startsWith("of-b401")
                .hasSize(10);
        String atItsEnd = new JobList.Place("b", "{\"life\": 498}").toString();
        explained = explained(
                asking(store -> store.list(ended.limit(1).after(atItsEnd).window(1), now, List.of()))
                        .get(0));
        assertThat(keys(explained)).as("the end of a window").isLessThan(6);
        List<BsonDocument> questions =
                asking(store -> store.list(ended.limit(1).after(atItsEnd).window(1), now, List.of()));
        assertIndexed(explained(questions.get(1)), "almanac_key_life");
        assertThat(keys(explained(questions.get(1)))).as("a window").isLessThan(6);
    }

    @Test
    @DisplayName(
            "O3: finished jobs are looked through in the order of the index of their expiry, which has no other ones")
    void finished() {
        edit("due7", new Document("$set", new Document("deleteTime", Date.from(now.plusSeconds(600)))));
        Document explained = explained(asking(store -> store.inspect(10)).get(0));
        assertIndexed(explained, "almanac_expiry");
        assertThat(keys(explained)).isBetween(1, 2);
    }

    @Test
    @DisplayName("P9: the job that holds a group is found by the index of groups, however many jobs there are")
    void holderOfGroup() {
        String id = store.find("due7", FindScope.LIVE).orElseThrow().id();
        edit("due7", new Document("$set", new Document("exclusiveGroup", "g")));
        Lease lease = new Lease("node", 1, now.plusSeconds(20));
        store.claim(new ClaimRequest(
                List.of(id), now, lease, now.plusSeconds(22), new ClaimRequest.Entry("g", null, List.of("g"))));
        Document explained = explained(
                asking(store -> store.list(JobQuery.ofRunningGroup("g"))).get(0));
        assertThat(stages(explained)).contains("almanac_running_group").doesNotContain("COLLSCAN");
        assertThat(keys(explained)).isEqualTo(1);
    }
}
